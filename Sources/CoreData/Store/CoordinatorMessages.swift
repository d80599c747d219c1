import Foundation

// Messages of `NotificationCenter` that stand for a coordinator's notifications. Their properties are read from the
// notification's `userInfo`.

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NSPersistentStoreCoordinator {
    /// Posted after the stores of a coordinator have changed on the main queue.
    public struct StoresDidChangeMessage: NotificationCenter.MainActorMessage {
        public typealias Subject = NSPersistentStoreCoordinator

        public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        fileprivate let stores: ChangedStores

        public var addedStores: [NSPersistentStore] { stores.added }
        public var removedStores: [NSPersistentStore] { stores.removed }
        /// A store whose identifier has changed, before and after; `nil` if there is none.
        public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? { stores.changed }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSPersistentStoreCoordinator).map {
                Self(persistentStoreCoordinator: $0, stores: ChangedStores(notification))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.persistentStoreCoordinator, userInfo: message.stores.userInfo)
        }
    }

    /// Posted after the stores of a coordinator have changed on another queue.
    public struct StoresDidChangeAsyncMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSPersistentStoreCoordinator

        public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        fileprivate let stores: ChangedStores

        public var addedStores: [NSPersistentStore] { stores.added }
        public var removedStores: [NSPersistentStore] { stores.removed }
        /// A store whose identifier has changed, before and after; `nil` if there is none.
        public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? { stores.changed }

        public static func makeMessage(_ notification: Notification) -> Self? {
            (notification.object as? NSPersistentStoreCoordinator).map {
                Self(persistentStoreCoordinator: $0, stores: ChangedStores(notification))
            }
        }

        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.persistentStoreCoordinator, userInfo: message.stores.userInfo)
        }
    }

    /// Posted after a write to a store with the option `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, by this
    /// coordinator or any other.
    public struct RemoteChangeMessage: NotificationCenter.AsyncMessage {
        public typealias Subject = NSPersistentStoreCoordinator

        public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        public let storeUUID: String
        public let storeURL: URL
        /// The position in the history of the store after the write; `nil` without a history.
        public let historyToken: NSPersistentHistoryToken?

        /// - Returns: `nil` also for a store without a URL.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator,
                let identifier = notification.userInfo?[NSStoreUUIDKey] as? String,
                let url = notification.userInfo?[NSPersistentStoreURLKey] as? URL
            else { return nil }
            return Self(
                persistentStoreCoordinator: coordinator, storeUUID: identifier, storeURL: url,
                historyToken: notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }

        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo: [String: Any] = [
                NSStoreUUIDKey: message.storeUUID, NSPersistentStoreURLKey: message.storeURL,
            ]
            userInfo[NSPersistentHistoryTokenKey] = message.historyToken
            return Notification(name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
        }
    }
}

/// The `userInfo` of a notification of changed stores.
private struct ChangedStores: Sendable {
    let added: [NSPersistentStore]
    let removed: [NSPersistentStore]
    let changed: (oldValue: NSPersistentStore, newValue: NSPersistentStore)?

    init(_ notification: Notification) {
        func stores(_ key: String) -> [NSPersistentStore] { notification.userInfo?[key] as? [NSPersistentStore] ?? [] }
        added = stores(NSAddedPersistentStoresKey)
        removed = stores(NSRemovedPersistentStoresKey)
        let both = stores(NSUUIDChangedPersistentStoresKey)
        changed = both.first.flatMap { old in both.dropFirst().first.map { (old, $0) } }
    }

    var userInfo: [String: [NSPersistentStore]] {
        let all = [
            NSAddedPersistentStoresKey: added, NSRemovedPersistentStoresKey: removed,
            NSUUIDChangedPersistentStoresKey: changed.map { [$0.oldValue, $0.newValue] } ?? [],
        ]
        return all.filter { !$0.value.isEmpty }
    }
}

// MARK: - Names for observers

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeMessage> {
    public static var storesDidChange: Self { .init() }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage> {
    public static var storesDidChangeAsync: Self { .init() }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage> {
    public static var remoteChange: Self { .init() }
}

// MARK: - Posting

extension NSPersistentStoreCoordinator {
    /// Posts a notification of this coordinator, and then the message that stands for it: Foundation turns neither into the
    /// other except on Apple's systems.
    func post(_ name: Notification.Name, _ userInfo: [String: Any]) {
        let notification = Notification(name: name, object: self, userInfo: userInfo)
        NotificationCenter.default.post(notification)
        #if !canImport(Darwin)
        postMessage(for: notification)
        #endif
    }
}

#if !canImport(Darwin)
extension NSPersistentStoreCoordinator {
    private func postMessage(for notification: Notification) {
        switch notification.name {
        case .NSPersistentStoreRemoteChange: post(RemoteChangeMessage.makeMessage(notification))
        case .NSPersistentStoreCoordinatorStoresDidChange where !MainQueue.isCurrent:
            post(StoresDidChangeAsyncMessage.makeMessage(notification))
        case .NSPersistentStoreCoordinatorStoresDidChange:
            // It does not leave this thread, which runs the main actor.
            nonisolated(unsafe) let notification = notification
            MainActor.assumeIsolated {
                guard let message = StoresDidChangeMessage.makeMessage(notification) else { return }
                NotificationCenter.default.post(message, subject: self)
            }
        default: break
        }
    }

    private func post<Message: NotificationCenter.AsyncMessage>(_ message: Message?)
    where Message.Subject == NSPersistentStoreCoordinator {
        if let message { NotificationCenter.default.post(message, subject: self) }
    }
}
#endif
