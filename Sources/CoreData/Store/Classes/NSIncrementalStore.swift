import Foundation
import ObjectGraph

/// A store that loads objects on demand and is called with each save. Subclass it to keep objects anywhere: behind a network
/// connection, or in another kind of database.
///
/// Methods are called one at a time. Reads may occur while objects are merged or faults fire; they must not change objects.
nonisolated open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    // Mutable state is guarded by the lock of the table.
    final let references = ReferenceTable()

    // MARK: Overridden by subclasses

    /// Carries out a request.
    ///
    /// - A fetch request (`NSFetchRequest<NSFetchRequestResult>`) returns objects of the context, or their identifiers, as
    ///   `[NSManagedObject]` or `[NSManagedObjectID]`. Counts and dictionaries are made of these: the requests are always for
    ///   objects. A class must throw an error for a predicate, order or limit that it does not support.
    /// - An `NSSaveChangesRequest` may return anything. Its new objects have permanent identifiers.
    /// - Batch requests return their results, or are refused with an error.
    /// - Parameters:
    ///   - request: the request.
    ///   - context: the calling context.
    /// - Returns: The result for the kind of request.
    /// - Throws: Any error; `CocoaError` 134091 for requests that the class does not support, which is what this method throws
    ///   unless overridden.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw CocoaError(.persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
    }

    /// Returns the values of one object.
    /// - Parameters:
    ///   - objectID: the identifier of the object.
    ///   - context: the calling context.
    /// - Throws: `CocoaError` 133000 if there is no such object, which is what this method throws unless overridden; any other
    ///   error if it cannot be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw CocoaError(.managedObjectReferentialIntegrity, text: "\(Swift.type(of: self)) reads no objects.")
    }

    /// Returns the identifiers of a relationship's destinations: an array for a to-many relationship, one identifier or
    /// `NSNull` otherwise.
    /// - Parameters:
    ///   - relationship: the relationship.
    ///   - objectID: the identifier of its owner.
    ///   - context: the calling context.
    /// - Throws: Any error; `CocoaError` 134060 unless overridden.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw CocoaError(.coreData, text: "\(Swift.type(of: self)) reads no relationships.")
    }

    /// Returns the identifiers of new objects, in order, made with `newObjectID(for:referenceObject:)`. Unless overridden, each
    /// object is identified by the text of a new UUID.
    /// - Parameter array: the new objects.
    /// - Throws: Any error; the save fails then.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }

    /// Called with the identifiers of objects that a context has registered.
    /// - Parameter objectIDs: the identifiers.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called with the identifiers of objects that a context has released.
    /// - Parameter objectIDs: the identifiers.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Returns the identifier of a new store, a text: a new UUID, unless overridden.
    /// - Parameter storeURL: the URL of the store.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    // MARK: Called by subclasses

    /// Returns the identifier of the object that the store identifies by a value.
    /// - Parameters:
    ///   - entity: the object's own entity.
    ///   - data: a number, a text or a UUID.
    public final func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        identifier(of: entity, reference: data, in: references)
    }

    /// Returns the value by which the store identifies an object.
    /// - Parameter objectID: the identifier of the object.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(of: objectID.id.key)
    }
}
