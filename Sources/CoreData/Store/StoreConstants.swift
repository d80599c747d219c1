import Foundation

/// A store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// A store in memory, for as long as it is open.
public let NSInMemoryStoreType = "InMemory"

// Keys of a store's metadata.
public let NSStoreTypeKey = "NSStoreType"
public let NSStoreUUIDKey = "NSStoreUUID"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

// Options of a store.

/// Whether the store is only read.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Seconds to wait for a lock that somebody else holds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// SQLite's own settings, as a dictionary of texts by name. Those that would harm a store, and values that there are not,
/// keep it from being opened.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Whether a SQLite store counts, as it is opened, what is in its tables, for SQLite to choose indexes by.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Whether a SQLite store gives free pages back as it is opened, which needs room for a second copy meanwhile.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Whether the store keeps a history. A new file gets the tables for it; an existing one has them or not.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Whether `.NSPersistentStoreRemoteChange` is posted after every write.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// How many connections may read at once.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Accepted, as there is nothing to protect here.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Whether a store is destroyed although somebody uses it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

// Keys of the notifications of a coordinator.

public let NSAddedPersistentStoresKey = "added"
public let NSRemovedPersistentStoresKey = "removed"
public let NSUUIDChangedPersistentStoresKey = "changed"
public let NSPersistentStoreURLKey = "storeURL"
public let NSPersistentHistoryTokenKey = "historyToken"

extension Notification.Name {
    /// The stores of a coordinator changed.
    public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChange")
    public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Somebody wrote to a store, whoever it was.
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}
