import Foundation
import ObjectGraph

extension Notification.Name {
    /// Before a save.
    public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
    /// After a save; sets of objects by the object keys.
    public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    /// When pending changes are processed, and after merges; sets of objects by the object keys.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// After a save; sets of identifiers by the identifier keys.
    public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// After a merge; sets of identifiers by the identifier keys. Of more than ten thousand rows, only those are named that the
    /// context has objects of.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

// Sets of managed objects.
public let NSInsertedObjectsKey = "inserted"
public let NSUpdatedObjectsKey = "updated"
public let NSDeletedObjectsKey = "deleted"
public let NSRefreshedObjectsKey = "refreshed"
public let NSInvalidatedObjectsKey = "invalidated"
/// An array of the identifiers of all objects a context had before it forgot them.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

// Sets of identifiers.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSManagedObjectContext {
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    public static let didMergeChangesObjectIDsNotification =
        Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of `userInfo`.
    public enum NotificationKey: String, Sendable {
        case queryGeneration
        case invalidatedAllObjects = "invalidatedAll"
        case insertedObjects = "inserted"
        case updatedObjects = "updated"
        case deletedObjects = "deleted"
        case refreshedObjects = "refreshed"
        case invalidatedObjects = "invalidated"
        case insertedObjectIDs = "inserted_objectIDs"
        case updatedObjectIDs = "updated_objectIDs"
        case deletedObjectIDs = "deleted_objectIDs"
        case refreshedObjectIDs = "refreshed_objectIDs"
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }

    /// Posts sets of objects, without those that are empty; nothing when all are.
    final func post(_ name: Notification.Name, _ sets: [String: Set<NSManagedObject>]) {
        let userInfo = sets.filter { !$0.value.isEmpty }
        guard !userInfo.isEmpty else { return }
        announcing {
            NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
            if name == .NSManagedObjectContextObjectsDidChange {
                followers.tell(.objects(userInfo.values.reduce(into: []) { $0.formUnion($1) }))
            }
        }
    }

    /// Notifies observers. A request that an observer makes meanwhile does not post changes of its own, which would nest.
    final func announcing(_ body: () -> Void) {
        let outer = isAnnouncing
        isAnnouncing = true
        defer { isAnnouncing = outer }
        body()
    }

    final func postRefreshed(_ objects: Set<NSManagedObject>) {
        post(.NSManagedObjectContextObjectsDidChange, [NSRefreshedObjectsKey: objects])
    }

    /// The same, identifiers in place of objects.
    final func postIDs(_ name: Notification.Name, _ sets: [String: Set<NSManagedObjectID>]) {
        NotificationCenter.default.post(name: name, object: self, userInfo: sets.filter { !$0.value.isEmpty })
    }

    static func ids(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> {
        Set(objects.map(\.objectID))
    }
}
