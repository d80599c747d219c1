import Foundation

/// The `userInfo` of a context's notification, by the keys of `NSManagedObjectContext.NotificationKey`.
struct UserInfo {
    private(set) var values: [AnyHashable: Any] = [:]

    init() {}
    init(_ notification: Notification) { values = notification.userInfo ?? [:] }

    subscript<Element>(key: NSManagedObjectContext.NotificationKey) -> Set<Element> {
        get { values[key.rawValue] as? Set<Element> ?? [] }
        set { values[key.rawValue] = newValue.isEmpty ? nil : newValue }
    }

    var hasInvalidatedAll: Bool { values[NSInvalidatedAllObjectsKey] != nil }

    var historyToken: NSPersistentHistoryToken? {
        get { values[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken }
        set { values[NSPersistentHistoryTokenKey] = newValue }
    }

    var queryGeneration: NSQueryGenerationToken? {
        get { values[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken }
        set { values[NSManagedObjectContextQueryGenerationKey] = newValue }
    }
}
