import Foundation
import ObjectGraph

/// A store that is asked for objects as they are needed, and told of each save. Derive from it to keep objects wherever you
/// like: behind a network connection, in another kind of database.
///
/// Calls come one at a time. Reads may happen while objects are merged or faults are fired; they do not change objects.
nonisolated open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    // What changes is under the lock of the table.
    final let references = ReferenceTable()

    // MARK: For subclasses to say

    /// Carries out a request.
    ///
    /// - A fetch request (`NSFetchRequest<NSFetchRequestResult>`) is answered with objects of the context, or with their
    ///   identifiers, as `[NSManagedObject]` or `[NSManagedObjectID]`. Counts and dictionaries are made of these: requests
    ///   ask for objects always. What a class makes nothing of (predicate, order, limit) has to be refused.
    /// - An `NSSaveChangesRequest` is answered with anything. Its new objects have permanent identifiers.
    /// - Batch requests are answered with their results, or refused.
    /// - Throws: Anything; `CocoaError` 134091 for requests that the class does not know.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw CocoaError(.persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
    }

    /// The values of one object.
    /// - Throws: `CocoaError` 133000 when there is no such object; anything else when it cannot be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw CocoaError(.managedObjectReferentialIntegrity, text: "\(Swift.type(of: self)) reads no objects.")
    }

    /// The identifiers of a relationship's destinations: an array for a to-many one, one identifier or `NSNull` otherwise.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw CocoaError(.coreData, text: "\(Swift.type(of: self)) reads no relationships.")
    }

    /// The identifiers that new objects are to have, in their order; made with `newObjectID(for:referenceObject:)`. Unless
    /// overridden, each is known by a new UUID's text.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }

    /// Called with what contexts have come to hold.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called with what contexts hold no longer.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// What a new store at this place is to be identified by: a text.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    // MARK: For subclasses to ask

    /// The identifier of the object that the store knows by this reference: a number, a text or a UUID.
    public final func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        identifier(of: entity, reference: data, in: references)
    }

    /// What the store knows an object by.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(of: objectID.id.key)
    }
}
