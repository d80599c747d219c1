import CoreData

// Classes that programs override, in a module whose code is on the main actor by default.

final class GardenContainer: NSPersistentContainer, @unchecked Sendable {  // Adds no state.
    override class func defaultDirectoryURL() -> URL { super.defaultDirectoryURL() }
    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
    }
    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.name = "background"
        return context
    }
}

final class GardenContext: NSManagedObjectContext, @unchecked Sendable {  // Adds no state.
    override func save() throws { try super.save() }
    override var hasChanges: Bool { super.hasChanges }
}

final class StoredWins: NSMergePolicy, @unchecked Sendable {  // Adds no state.
    init() { super.init(merge: .mergeByPropertyStoreTrumpMergePolicyType) }
    override func resolve(mergeConflicts list: [Any]) throws { try super.resolve(mergeConflicts: list) }
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
    }
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try super.resolve(constraintConflicts: list)
    }
}

final class RenamingPolicy: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try super.begin(mapping, with: manager)
    }
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
}

final class NothingStore: NSAtomicStore, @unchecked Sendable {  // Adds no state.
    override func load() throws {}
    override func save() throws {}
    override func loadMetadata() throws {}
}

final class ServerStore: NSIncrementalStore, @unchecked Sendable {  // Adds no state.
    override func loadMetadata() throws {}
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        []
    }
}

final class ReversingTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

final class GardenUndoManager: UndoManager {}

/// A view's model: on the main actor, as the delegate of a controller with the main-queue context.
final class GardenTable: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var reports = 0
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { reports += 1 }
}
