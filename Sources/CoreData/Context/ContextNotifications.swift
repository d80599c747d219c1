import Foundation
import ObjectGraph

extension Notification.Name {
    /// Posted before a context saves; the object is the context.
    public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
    /// Posted after a context has saved, with sets of objects under the object keys; the object is the context.
    ///
    /// They include other objects that the save changed: former partners of one-to-one relationships, and what delete rules
    /// reached in the parent only. Those that the context does not have are under the identifier keys.
    public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted when a context processes pending changes, and after merges, with sets of objects under the object keys; the object is
    /// the context.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// Posted after a context has saved, with sets of identifiers under the identifier keys; the object is the context.
    public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted after a context has merged changes, with sets of identifiers under the identifier keys; the object is the context.
    ///
    /// Of more than 10,000 rows, only those are named that the context has objects of.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

// Sets of managed objects.
/// The `userInfo` key of the set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// The `userInfo` key of the set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// The `userInfo` key of the set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The `userInfo` key of the set of objects that were read again without being edited.
public let NSRefreshedObjectsKey = "refreshed"
/// The `userInfo` key of the set of objects whose store was removed.
public let NSInvalidatedObjectsKey = "invalidated"
/// The `userInfo` key of an array of the identifiers of all objects that a context had before a reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

// Sets of identifiers.
/// The `userInfo` key of the set of identifiers of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The `userInfo` key of the set of identifiers of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The `userInfo` key of the set of identifiers of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The `userInfo` key of the set of identifiers of objects that were read again without being edited.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The `userInfo` key of the set of identifiers of objects whose store was removed.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSManagedObjectContext {
    /// The name of the notification posted before a context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// The name of the notification posted after a context has saved, with sets of objects.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// The name of the notification posted when a context processes pending changes, and after merges, with sets of objects.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// The name of the notification posted after a context has saved, with sets of identifiers.
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// The name of the notification posted after a context has merged changes, with sets of identifiers.
    public static let didMergeChangesObjectIDsNotification =
        Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of `userInfo` in a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// The query generation token that a pinned context has after a save.
        case queryGeneration
        /// An array of the identifiers of all objects that a context had before a reset.
        case invalidatedAllObjects = "invalidatedAll"
        /// The set of inserted objects.
        case insertedObjects = "inserted"
        /// The set of updated objects.
        case updatedObjects = "updated"
        /// The set of deleted objects.
        case deletedObjects = "deleted"
        /// The set of objects that were read again without being edited.
        case refreshedObjects = "refreshed"
        /// The set of objects whose store was removed.
        case invalidatedObjects = "invalidated"
        /// The set of identifiers of inserted objects.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The set of identifiers of updated objects.
        case updatedObjectIDs = "updated_objectIDs"
        /// The set of identifiers of deleted objects.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The set of identifiers of objects that were read again without being edited.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The set of identifiers of objects whose store was removed.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }

    /// Posts the sets of changed objects that are not empty; then notifies the followers. Does nothing without any change.
    /// - Parameter all: All changes, if some may be of rows without an object in this context, which concern followers only.
    final func postChanges(_ sets: [String: Set<NSManagedObject>], of all: GraphChanges? = nil) {
        let userInfo = sets.filter { !$0.value.isEmpty }
        guard !userInfo.isEmpty || all != nil else { return }
        let changes = all ?? GraphChanges(refreshed: userInfo.values.flatMap { $0.map(\.record) })
        announcing {
            if !userInfo.isEmpty {
                post(.NSManagedObjectContextObjectsDidChange, userInfo)
            }
            followers.notify(of: changes, in: self)
        }
    }

    /// Notifies observers. Requests that observers make meanwhile do not post changes, which would nest.
    final func announcing(_ body: () -> Void) {
        let outer = isAnnouncing
        isAnnouncing = true
        defer { isAnnouncing = outer }
        body()
    }

    final func postRefreshed(_ objects: Set<NSManagedObject>) {
        postChanges([NSRefreshedObjectsKey: objects])
    }

    /// Posts the sets of identifiers that are not empty, and other values.
    final func postIDs(
        _ name: Notification.Name, _ sets: [String: Set<NSManagedObjectID>], besides others: [String: Any] = [:]
    ) {
        let userInfo: [String: Any] = sets.filter { !$0.value.isEmpty }
        post(name, userInfo.merging(others) { ids, _ in ids })
    }

    static func ids(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> {
        Set(objects.map(\.objectID))
    }
}
