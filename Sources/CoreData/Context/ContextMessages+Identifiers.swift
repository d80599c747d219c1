import Foundation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSManagedObjectContext {
    /// Posted after a context of the main queue has saved. With identifiers instead of objects.
    public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        public let context: NSManagedObjectContext
        /// The identifiers of the objects that were inserted.
        public let insertedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were updated.
        public let updatedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were deleted.
        public let deletedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were read again without being edited.
        public let refreshedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects whose store was removed.
        public let invalidatedIDs: Set<NSManagedObjectID>
        /// The position in the history of the stores after the save; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?
        /// The state that a pinned context reads after the save.
        public let queryGeneration: NSQueryGenerationToken?

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, insertedIDs: userInfo[.insertedObjectIDs], updatedIDs: userInfo[.updatedObjectIDs],
                deletedIDs: userInfo[.deletedObjectIDs], refreshedIDs: userInfo[.refreshedObjectIDs],
                invalidatedIDs: userInfo[.invalidatedObjectIDs], historyToken: userInfo.historyToken,
                queryGeneration: userInfo.queryGeneration)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo = UserInfo()
            userInfo[.insertedObjectIDs] = message.insertedIDs
            userInfo[.updatedObjectIDs] = message.updatedIDs
            userInfo[.deletedObjectIDs] = message.deletedIDs
            userInfo[.refreshedObjectIDs] = message.refreshedIDs
            userInfo[.invalidatedObjectIDs] = message.invalidatedIDs
            userInfo.historyToken = message.historyToken
            userInfo.queryGeneration = message.queryGeneration
            return Notification(name: name, object: message.context, userInfo: userInfo.values)
        }
    }

    /// Posted after a context of a private queue has saved. With identifiers instead of objects.
    public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        public let context: NSManagedObjectContext
        /// The identifiers of the objects that were inserted.
        public let insertedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were updated.
        public let updatedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were deleted.
        public let deletedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were read again without being edited.
        public let refreshedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects whose store was removed.
        public let invalidatedIDs: Set<NSManagedObjectID>
        /// The position in the history of the stores after the save; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?
        /// The state that a pinned context reads after the save.
        public let queryGeneration: NSQueryGenerationToken?

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, insertedIDs: userInfo[.insertedObjectIDs], updatedIDs: userInfo[.updatedObjectIDs],
                deletedIDs: userInfo[.deletedObjectIDs], refreshedIDs: userInfo[.refreshedObjectIDs],
                invalidatedIDs: userInfo[.invalidatedObjectIDs], historyToken: userInfo.historyToken,
                queryGeneration: userInfo.queryGeneration)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo = UserInfo()
            userInfo[.insertedObjectIDs] = message.insertedIDs
            userInfo[.updatedObjectIDs] = message.updatedIDs
            userInfo[.deletedObjectIDs] = message.deletedIDs
            userInfo[.refreshedObjectIDs] = message.refreshedIDs
            userInfo[.invalidatedObjectIDs] = message.invalidatedIDs
            userInfo.historyToken = message.historyToken
            userInfo.queryGeneration = message.queryGeneration
            return Notification(name: name, object: message.context, userInfo: userInfo.values)
        }
    }

    /// Posted after a context of the main queue has merged changes. With identifiers instead of objects.
    public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

        public let context: NSManagedObjectContext
        /// The identifiers of the objects that were inserted.
        public let insertedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were updated.
        public let updatedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were deleted.
        public let deletedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were read again without being edited.
        public let refreshedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects whose store was removed.
        public let invalidatedIDs: Set<NSManagedObjectID>
        /// The position in the history of the stores after the merge; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?
        /// The state that a pinned context reads after the merge.
        public let queryGeneration: NSQueryGenerationToken?

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, insertedIDs: userInfo[.insertedObjectIDs], updatedIDs: userInfo[.updatedObjectIDs],
                deletedIDs: userInfo[.deletedObjectIDs], refreshedIDs: userInfo[.refreshedObjectIDs],
                invalidatedIDs: userInfo[.invalidatedObjectIDs], historyToken: userInfo.historyToken,
                queryGeneration: userInfo.queryGeneration)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo = UserInfo()
            userInfo[.insertedObjectIDs] = message.insertedIDs
            userInfo[.updatedObjectIDs] = message.updatedIDs
            userInfo[.deletedObjectIDs] = message.deletedIDs
            userInfo[.refreshedObjectIDs] = message.refreshedIDs
            userInfo[.invalidatedObjectIDs] = message.invalidatedIDs
            userInfo.historyToken = message.historyToken
            userInfo.queryGeneration = message.queryGeneration
            return Notification(name: name, object: message.context, userInfo: userInfo.values)
        }
    }

    /// Posted after a context of a private queue has merged changes. With identifiers instead of objects.
    public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }

        public let context: NSManagedObjectContext
        /// The identifiers of the objects that were inserted.
        public let insertedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were updated.
        public let updatedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were deleted.
        public let deletedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects that were read again without being edited.
        public let refreshedIDs: Set<NSManagedObjectID>
        /// The identifiers of the objects whose store was removed.
        public let invalidatedIDs: Set<NSManagedObjectID>
        /// The position in the history of the stores after the merge; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?
        /// The state that a pinned context reads after the merge.
        public let queryGeneration: NSQueryGenerationToken?

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, insertedIDs: userInfo[.insertedObjectIDs], updatedIDs: userInfo[.updatedObjectIDs],
                deletedIDs: userInfo[.deletedObjectIDs], refreshedIDs: userInfo[.refreshedObjectIDs],
                invalidatedIDs: userInfo[.invalidatedObjectIDs], historyToken: userInfo.historyToken,
                queryGeneration: userInfo.queryGeneration)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo = UserInfo()
            userInfo[.insertedObjectIDs] = message.insertedIDs
            userInfo[.updatedObjectIDs] = message.updatedIDs
            userInfo[.deletedObjectIDs] = message.deletedIDs
            userInfo[.refreshedObjectIDs] = message.refreshedIDs
            userInfo[.invalidatedObjectIDs] = message.invalidatedIDs
            userInfo.historyToken = message.historyToken
            userInfo.queryGeneration = message.queryGeneration
            return Notification(name: name, object: message.context, userInfo: userInfo.values)
        }
    }
}
