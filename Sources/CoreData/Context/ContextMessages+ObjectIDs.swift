import Foundation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSManagedObjectContext {
    /// Posted after a context of the main queue has saved. With identifiers instead of objects.
    public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        public let context: NSManagedObjectContext
        private let changes: ChangedIDs

        /// The identifiers of the objects that were inserted.
        public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
        /// The identifiers of the objects that were updated.
        public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
        /// The identifiers of the objects that were deleted.
        public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
        /// The identifiers of the objects that were read again without being edited.
        public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
        /// The identifiers of the objects whose store was removed.
        public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
        /// The position in the history of the stores after the save; `nil` without a history.
        public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
        /// The state that a pinned context reads after the save.
        public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSManagedObjectContext).map {
                Self(context: $0, changes: ChangedIDs(UserInfo(notification)))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.changes.userInfo.values)
        }
    }

    /// Posted after a context of a private queue has saved. With identifiers instead of objects.
    public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        public let context: NSManagedObjectContext
        private let changes: ChangedIDs

        /// The identifiers of the objects that were inserted.
        public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
        /// The identifiers of the objects that were updated.
        public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
        /// The identifiers of the objects that were deleted.
        public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
        /// The identifiers of the objects that were read again without being edited.
        public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
        /// The identifiers of the objects whose store was removed.
        public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
        /// The position in the history of the stores after the save; `nil` without a history.
        public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
        /// The state that a pinned context reads after the save.
        public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSManagedObjectContext).map {
                Self(context: $0, changes: ChangedIDs(UserInfo(notification)))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.changes.userInfo.values)
        }
    }

    /// Posted after a context of the main queue has merged changes. With identifiers instead of objects.
    public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

        public let context: NSManagedObjectContext
        private let changes: ChangedIDs

        /// The identifiers of the objects that were inserted.
        public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
        /// The identifiers of the objects that were updated.
        public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
        /// The identifiers of the objects that were deleted.
        public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
        /// The identifiers of the objects that were read again without being edited.
        public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
        /// The identifiers of the objects whose store was removed.
        public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
        /// The position in the history of the stores after the merge; `nil` without a history.
        public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
        /// The state that a pinned context reads after the merge.
        public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSManagedObjectContext).map {
                Self(context: $0, changes: ChangedIDs(UserInfo(notification)))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.changes.userInfo.values)
        }
    }

    /// Posted after a context of a private queue has merged changes. With identifiers instead of objects.
    public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

        public let context: NSManagedObjectContext
        private let changes: ChangedIDs

        /// The identifiers of the objects that were inserted.
        public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
        /// The identifiers of the objects that were updated.
        public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
        /// The identifiers of the objects that were deleted.
        public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
        /// The identifiers of the objects that were read again without being edited.
        public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
        /// The identifiers of the objects whose store was removed.
        public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
        /// The position in the history of the stores after the merge; `nil` without a history.
        public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
        /// The state that a pinned context reads after the merge.
        public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSManagedObjectContext).map {
                Self(context: $0, changes: ChangedIDs(UserInfo(notification)))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.changes.userInfo.values)
        }
    }
}

/// What the messages with identifiers say.
private struct ChangedIDs: Sendable {
    let inserted: Set<NSManagedObjectID>
    let updated: Set<NSManagedObjectID>
    let deleted: Set<NSManagedObjectID>
    let refreshed: Set<NSManagedObjectID>
    let invalidated: Set<NSManagedObjectID>
    let historyToken: NSPersistentHistoryToken?
    let queryGeneration: NSQueryGenerationToken?

    init(_ userInfo: UserInfo) {
        inserted = userInfo[.insertedObjectIDs]
        updated = userInfo[.updatedObjectIDs]
        deleted = userInfo[.deletedObjectIDs]
        refreshed = userInfo[.refreshedObjectIDs]
        invalidated = userInfo[.invalidatedObjectIDs]
        historyToken = userInfo.historyToken
        queryGeneration = userInfo.queryGeneration
    }

    var userInfo: UserInfo {
        var userInfo = UserInfo()
        userInfo[.insertedObjectIDs] = inserted
        userInfo[.updatedObjectIDs] = updated
        userInfo[.deletedObjectIDs] = deleted
        userInfo[.refreshedObjectIDs] = refreshed
        userInfo[.invalidatedObjectIDs] = invalidated
        userInfo.historyToken = historyToken
        userInfo.queryGeneration = queryGeneration
        return userInfo
    }
}
