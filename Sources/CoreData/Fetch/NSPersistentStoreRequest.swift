import Foundation

/// Something asked of the stores of a coordinator.
nonisolated open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores to ask; `nil` for all.
    open var affectedStores: [NSPersistentStore]?

    public override init() {
        super.init()
    }

    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

public enum NSPersistentStoreRequestType: UInt, Sendable {
    case fetchRequestType = 1
    case saveRequestType = 2
    case batchInsertRequestType = 5
    case batchUpdateRequestType = 6
    case batchDeleteRequestType = 7
}

/// Requests may stand among the arguments of a format.
extension NSPersistentStoreRequest: CVarArg {
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
    }
}

/// What a request gave.
nonisolated open class NSPersistentStoreResult: NSObject {}

/// The objects of a save. Contexts make these; it cannot be executed.
nonisolated open class NSSaveChangesRequest: NSPersistentStoreRequest {
    public let insertedObjects: Set<NSManagedObject>?
    public let updatedObjects: Set<NSManagedObject>?
    public let deletedObjects: Set<NSManagedObject>?
    public let lockedObjects: Set<NSManagedObject>?

    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
    }

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any { self }
}
