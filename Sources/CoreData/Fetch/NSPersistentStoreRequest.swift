import Foundation

/// A request to the stores of a coordinator; subclasses fetch, write in batches, and read history.
nonisolated open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that carry out the request; `nil`, unless set, for all.
    open var affectedStores: [NSPersistentStore]?

    /// Creates a request; use a subclass.
    public override init() {
        super.init()
    }

    /// The type of the request.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Returns a copy of the request.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreRequest()
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The types of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// A fetch.
    case fetchRequestType = 1
    /// A save of a context.
    case saveRequestType = 2
    /// A batch insert.
    case batchInsertRequestType = 5
    /// A batch update.
    case batchUpdateRequestType = 6
    /// A batch delete.
    case batchDeleteRequestType = 7
}

/// Lets requests be arguments of a format.
extension NSPersistentStoreRequest: CVarArg {
    /// The request's address, as C's variable arguments pass it.
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
    }
}

/// The result of a request; each kind of request has a subclass.
nonisolated open class NSPersistentStoreResult: NSObject {}

/// The objects of a save, which a context passes to incremental stores. A context cannot execute it.
nonisolated open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to insert.
    public let insertedObjects: Set<NSManagedObject>?
    /// The objects to update.
    public let updatedObjects: Set<NSManagedObject>?
    /// The objects to delete.
    public let deletedObjects: Set<NSManagedObject>?
    /// The objects to check for conflicts; `nil` in requests that contexts make.
    public let lockedObjects: Set<NSManagedObject>?

    /// Creates a request for a save.
    /// - Parameters:
    ///   - insertedObjects: the objects to insert.
    ///   - updatedObjects: the objects to update.
    ///   - deletedObjects: the objects to delete.
    ///   - lockedObjects: the objects to check for conflicts.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
    }

    /// The type of the request, `.saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Returns the request itself, which is constant.
    open override func copy(with zone: NSZone? = nil) -> Any { self }
}
