import Foundation

/// A store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// A store in memory, for as long as it is open.
public let NSInMemoryStoreType = "InMemory"
/// Apple's own format in one file, which is not published: such stores are refused with `CocoaError` 134000.
public let NSBinaryStoreType = "Binary"
/// As `NSBinaryStoreType`.
public let NSXMLStoreType = "XML"

// Keys of a store's metadata.
public let NSStoreTypeKey = "NSStoreType"
public let NSStoreUUIDKey = "NSStoreUUID"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Written by Apple's frameworks: the systems that a store is good for.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
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
/// Whether the store keeps a history. A file without one gets it when it is opened for writing; every program that writes
/// the file sets the option, at the latest when it next opens it. A file that has a history is opened for reading only
/// without the option: what was written would be missing there.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Whether `.NSPersistentStoreRemoteChange` is posted after every write to the store: of this coordinator, of others, and
/// of other processes, which are noticed within a quarter of a second or so.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// How many connections may read at once.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Accepted, as there is nothing to protect here.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Whether a file of an older model is made one of this model when it is opened.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Whether what becomes of its rows may be told from the two models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The `NSStagedMigrationManager` that brings older files to this model.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Accepted; nothing of a migration is put off.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Accepted; the versions of a store and of its model are always compared.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
// Options of binary and XML stores, which there are not.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Whether a store is destroyed although somebody uses it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

// Keys of the notifications of a coordinator.

public let NSAddedPersistentStoresKey = "added"
public let NSRemovedPersistentStoresKey = "removed"
public let NSUUIDChangedPersistentStoresKey = "changed"
public let NSPersistentStoreURLKey = "storeURL"
public let NSPersistentHistoryTokenKey = "historyToken"
/// The key that programs use for the history token in a did-save notification.
let newChangeTokenKey = "newChangeToken"

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
