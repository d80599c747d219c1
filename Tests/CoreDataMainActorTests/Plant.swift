import CoreData

/// A custom class with generated properties and every hook of a managed object.
public final class Plant: NSManagedObject {
    @Managed var note: String?
    private(set) var calls: [String] = []

    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        calls.append("init")
    }

    public override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }
    public override class func entity() -> NSEntityDescription { super.entity() }

    public override func awakeFromInsert() { calls.append("awakeFromInsert") }
    public override func awakeFromFetch() { calls.append("awakeFromFetch") }
    public override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { super.awake(fromSnapshotEvents: flags) }
    public override func prepareForDeletion() { calls.append("prepareForDeletion") }
    public override func willSave() { calls.append("willSave") }
    public override func didSave() { calls.append("didSave") }
    public override func willTurnIntoFault() { super.willTurnIntoFault() }
    public override func didTurnIntoFault() { super.didTurnIntoFault() }

    public override func value(forKey key: String) -> Any? { super.value(forKey: key) }
    public override func setValue(_ value: Any?, forKey key: String) { super.setValue(value, forKey: key) }
    public override func value(forUndefinedKey key: String) -> Any? { key == "note" ? "none" : nil }
    public override func setValue(_ value: Any?, forUndefinedKey key: String) {}
    public override func willAccessValue(forKey key: String?) { super.willAccessValue(forKey: key) }
    public override func didAccessValue(forKey key: String?) { super.didAccessValue(forKey: key) }
    public override func willChangeValue(forKey key: String) { super.willChangeValue(forKey: key) }
    public override func didChangeValue(forKey key: String) { super.didChangeValue(forKey: key) }

    public override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
    }
    public override func validateForInsert() throws {
        try super.validateForInsert()
        calls.append("validateForInsert")
    }
    public override func validateForUpdate() throws { try super.validateForUpdate() }
    public override func validateForDelete() throws { try super.validateForDelete() }

    public convenience init(named name: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }
}
