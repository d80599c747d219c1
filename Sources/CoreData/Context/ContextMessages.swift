import Foundation

// Messages of `NotificationCenter` that stand for a context's notifications. Their properties are read from the notification's
// `userInfo`.

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSManagedObjectContext {
    /// Posted before a context of the main queue saves.
    public struct WillSaveMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextWillSave }

        public let context: NSManagedObjectContext

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSManagedObjectContext).map { Self(context: $0) }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context)
        }
    }

    /// Posted after a context of the main queue has saved.
    public struct DidSaveMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextDidSave }

        public let context: NSManagedObjectContext
        /// The position in the history of the stores after the save; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?
        /// The state that a pinned context reads after the save.
        public let queryGeneration: NSQueryGenerationToken?
        private let userInfo: UserInfo

        public var inserted: Set<NSManagedObject> { userInfo[.insertedObjects] }
        public var updated: Set<NSManagedObject> { userInfo[.updatedObjects] }
        public var deleted: Set<NSManagedObject> { userInfo[.deletedObjects] }

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, historyToken: userInfo.historyToken, queryGeneration: userInfo.queryGeneration,
                userInfo: userInfo)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.userInfo.values)
        }
    }

    /// Posted when the objects of a context of the main queue have changed.
    public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSManagedObjectContext

        public static var name: Notification.Name { .NSManagedObjectContextObjectsDidChange }

        public let context: NSManagedObjectContext
        /// Whether the context was reset, so that all its objects left it; `nil` otherwise.
        public let invalidatedAll: Bool?
        private let userInfo: UserInfo

        public var inserted: Set<NSManagedObject> { userInfo[.insertedObjects] }
        public var updated: Set<NSManagedObject> { userInfo[.updatedObjects] }
        public var deleted: Set<NSManagedObject> { userInfo[.deletedObjects] }
        /// The objects that were read again without being edited.
        public var refreshed: Set<NSManagedObject> { userInfo[.refreshedObjects] }
        /// The objects whose store was removed.
        public var invalidated: Set<NSManagedObject> { userInfo[.invalidatedObjects] }

        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext else { return nil }
            let userInfo = UserInfo(notification)
            return Self(
                context: context, invalidatedAll: userInfo.hasInvalidatedAll ? true : nil, userInfo: userInfo)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.userInfo.values)
        }
    }
}

// MARK: - Posting

extension NSManagedObjectContext {
    /// Posts a notification of this context, and then the message that stands for it: Foundation turns neither into the other
    /// except on Apple's systems.
    final func post(_ name: Notification.Name, _ userInfo: [String: Any]? = nil) {
        let notification = Notification(name: name, object: self, userInfo: userInfo)
        NotificationCenter.default.post(notification)
        #if !canImport(Darwin)
        postMessage(for: notification)
        #endif
    }
}

#if !canImport(Darwin)
extension NSManagedObjectContext {
    private func postMessage(for notification: Notification) {
        guard concurrencyType == .mainQueueConcurrencyType else { return postAsyncMessage(for: notification) }
        // Elsewhere, observers would run outside the main actor.
        guard MainQueue.isCurrent else { return }
        // It does not leave this thread, which runs the main actor.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated {
            switch notification.name {
            case .NSManagedObjectContextWillSave: post(WillSaveMessage.makeMessage(notification))
            case .NSManagedObjectContextDidSave: post(DidSaveMessage.makeMessage(notification))
            case .NSManagedObjectContextObjectsDidChange: post(ObjectsDidChangeMessage.makeMessage(notification))
            case .NSManagedObjectContextDidSaveObjectIDs: post(DidSaveObjectIDsMessage.makeMessage(notification))
            case .NSManagedObjectContextDidMergeChangesObjectIDs:
                post(DidMergeChangesMessage.makeMessage(notification))
            default: break
            }
        }
    }

    /// Contexts of private queues have messages with identifiers only.
    private func postAsyncMessage(for notification: Notification) {
        switch notification.name {
        case .NSManagedObjectContextDidSaveObjectIDs: post(DidSaveObjectIDsAsyncMessage.makeMessage(notification))
        case .NSManagedObjectContextDidMergeChangesObjectIDs:
            post(DidMergeChangesAsyncMessage.makeMessage(notification))
        default: break
        }
    }

    @MainActor
    private func post<Message: NotificationCenter.MainActorMessage>(_ message: Message?)
    where Message.Subject == NSManagedObjectContext {
        if let message { NotificationCenter.default.post(message, subject: self) }
    }

    private func post<Message: NotificationCenter.AsyncMessage>(_ message: Message?)
    where Message.Subject == NSManagedObjectContext {
        if let message { NotificationCenter.default.post(message, subject: self) }
    }
}
#endif
