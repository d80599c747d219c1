import CoreData
import Foundation
import Testing

/// An entry that sets its own dates and records which hooks ran.
final class Entry: NSManagedObject {
    @Managed var text: String?
    @Managed var created: Date?
    @Managed var modified: Date?
    @Managed var count: Int64
    @Managed var stateRaw: Int16
    var calls: [String] = []

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isMade = true
    }
    private(set) var isMade = false

    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("awakeFromInsert")
        setPrimitiveValue(Date.day(1), forKey: "created")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("awakeFromFetch")
    }

    override func willSave() {
        super.willSave()
        calls.append("willSave")
        if !isDeleted, modified == nil { setPrimitiveValue(Date.day(2), forKey: "modified") }
    }

    override func didSave() {
        super.didSave()
        calls.append("didSave")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        calls.append("prepareForDeletion")
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        calls.append("willTurnIntoFault")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        calls.append("didTurnIntoFault")
    }

    var state: Int16 {
        get {
            willAccessValue(forKey: "stateRaw")
            defer { didAccessValue(forKey: "stateRaw") }
            return primitiveValue(forKey: "stateRaw") as? Int16 ?? 0
        }
        set {
            willChangeValue(forKey: "stateRaw")
            setPrimitiveValue(newValue, forKey: "stateRaw")
            didChangeValue(forKey: "stateRaw")
        }
    }

    static func model() -> NSManagedObjectModel {
        NSManagedObjectModel([
            NSEntityDescription(
                "Entry", Entry.self,
                [
                    NSAttributeDescription("text", .stringAttributeType),
                    NSAttributeDescription("created", .dateAttributeType),
                    NSAttributeDescription("modified", .dateAttributeType),
                    NSAttributeDescription("count", .integer64AttributeType, default: 0),
                    NSAttributeDescription("stateRaw", .integer16AttributeType, default: 3),
                ])
        ])
    }
}

@MainActor @Suite("Hooks of managed objects")
struct Hooks {
    private func entry() throws -> (NSManagedObjectContext, Entry) {
        let context = try Kitchen(model: Entry.model()).context
        return (context, Entry(context: context))
    }

    // Source: Apple, NSManagedObject, 'awakeFromInsert()'
    @Test("Sets the date of creation when an object is inserted")
    func insert() throws {
        let (_, entry) = try entry()
        #expect(entry.created == .day(1) && entry.calls == ["awakeFromInsert"])
    }

    // Source: Apple, NSManagedObject, 'willSave()'
    @Test("Sets the date of modification when an object is saved")
    func save() throws {
        let (context, entry) = try entry()
        try context.save()
        #expect(entry.modified == .day(2))
        #expect(entry.calls.contains("willSave") && entry.calls.last == "didSave")
        #expect(!context.hasChanges)
    }

    // Source: Apple, NSManagedObject, 'awakeFromFetch()'
    @Test("Runs code when an object's values are read")
    func fetch() throws {
        let (context, entry) = try entry()
        try context.save()
        context.refresh(entry, mergeChanges: false)
        entry.calls = []
        _ = entry.text
        #expect(entry.calls == ["awakeFromFetch"])
    }

    // Source: Apple, NSManagedObject, 'willTurnIntoFault()'
    @Test("Runs code when an object turns into a fault")
    func fault() throws {
        let (context, entry) = try entry()
        try context.save()
        entry.calls = []
        context.refresh(entry, mergeChanges: false)
        #expect(entry.calls == ["willTurnIntoFault", "didTurnIntoFault"])
    }

    // Source: Apple, NSManagedObject, 'prepareForDeletion()'
    @Test("Runs code before an object is deleted")
    func delete() throws {
        let (context, entry) = try entry()
        try context.save()
        entry.calls = []
        context.delete(entry)
        #expect(entry.calls == ["prepareForDeletion"])
    }

    // Source: Apple, 'Core Data Programming Guide', Custom Accessors
    @Test("Reads and writes by a custom accessor")
    func accessor() throws {
        let (context, entry) = try entry()
        #expect(entry.state == 3)
        try context.save()
        entry.state = 5
        #expect(entry.stateRaw == 5 && entry.hasChanges)
    }

    // Source: widely copied recipe: state of an object that is not stored
    @Test("Keeps a property of the class that the model does not have")
    func plainProperty() throws {
        let (context, entry) = try entry()
        entry.calls = ["mine"]
        try context.save()
        #expect(entry.calls.first == "mine")
    }

    // Source: widely copied recipe: stamps in every context
    @Test("Sets dates of objects that a background context saves")
    func background() async throws {
        let kitchen = try Kitchen(model: Entry.model())
        let stamped = try await kitchen.container.performBackgroundTask { @Sendable context in
            let entry = Entry(context: context)
            try context.save()
            return entry.modified
        }
        #expect(stamped == .day(2))
    }

    // Source: Apple, NSManagedObject, 'shouldDeleteInaccessibleFaults' of its context
    @Test("CD11 Reads nil from an object whose row is gone")
    func missingRow() throws {
        let kitchen = try Kitchen(model: Entry.model())
        let entry = Entry(context: kitchen.context)
        entry.text = "kept"
        try kitchen.context.save()
        kitchen.context.refresh(entry, mergeChanges: false)
        let id = entry.objectID
        let other = kitchen.container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: id))
            try other.save()
        }
        #expect(entry.text == nil)
        #expect(entry.isDeleted)
    }

    // Source: Apple, NSManagedObject, 'init(entity:insertInto:)'
    @Test("CD7 Overrides the initializer, as a required one")
    func initializer() throws {
        let (_, entry) = try entry()
        #expect(entry.isMade)
    }
}
