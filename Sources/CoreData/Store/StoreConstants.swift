import Foundation

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store in memory, which exists while it is open.
public let NSInMemoryStoreType = "InMemory"
/// The type of Apple's binary format, which is not published: such stores are refused with `CocoaError` 134000.
public let NSBinaryStoreType = "Binary"
/// The type of Apple's XML format, which is not published: such stores are refused with `CocoaError` 134000.
public let NSXMLStoreType = "XML"

// Keys of a store's metadata.
/// The metadata key of the store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of the store's identifier.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of the store's entities.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the version identifiers of the store's model.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The metadata key of the operating systems that a store is compatible with, which Apple's frameworks write.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// The metadata key of the version checksum of the store's model.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

// Options of a store.

/// The option to open the store for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option with the number of seconds to wait for a lock that another connection holds: 10, unless set.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite's settings, as a dictionary of texts by name.
///
/// Settings that would harm a store, and values that do not exist, prevent the store from being opened (134080).
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option to collect the statistics of a SQLite store's tables when it is opened, by which SQLite chooses indexes.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option to return free pages of a SQLite store to the file system when it is opened, which temporarily needs space for a
/// second copy.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option to keep a history of the store.
///
/// A file without a history gets one when it is opened for writing. Every program that writes the file must set the option from
/// its next opening on. Without the option, a file that has a history is opened for reading only, because writes would be
/// missing in the history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option to post `.NSPersistentStoreRemoteChange` after every write to the store: of this coordinator, of others in the
/// process, and of other processes, which are detected within about a quarter of a second.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The option with the maximum number of connections that read at the same time, from 1 to 64.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// An option of Apple's for protecting files, which has no effect here.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The option to migrate a file of an older model when it is opened.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// The option to infer the mapping of a migration from the two models, if there is no mapping model.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option with the `NSStagedMigrationManager` that migrates older files to the model.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// An option of Apple's for deferred migration, which has no effect here: stores are migrated completely when they are opened.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// An option of Apple's that has no effect here: the versions of a store and its model are always compared.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
// Options of binary and XML stores, which are not supported.
/// An option of XML stores, which are not supported.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// An option of binary stores, which are not supported.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// An option of binary stores, which are not supported.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// The option to destroy or replace a store even if another coordinator has it open.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

// Keys of the notifications of a coordinator.

/// The `userInfo` key of the added stores in a coordinator's notification.
public let NSAddedPersistentStoresKey = "added"
/// The `userInfo` key of the removed stores in a coordinator's notification.
public let NSRemovedPersistentStoresKey = "removed"
/// The `userInfo` key, in a coordinator's notification, of a store whose identifier has changed, as former and new store.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The `userInfo` key of the store's URL in a notification of a remote change.
public let NSPersistentStoreURLKey = "storeURL"
/// The `userInfo` key of the history token in notifications of remote changes and saves.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The key under which programs look up the history token in a did-save notification.
let newChangeTokenKey = "newChangeToken"

extension Notification.Name {
    /// Posted after the stores of a coordinator have changed; the object is the coordinator.
    public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChange")
    /// A notification of Apple's that this library never posts.
    public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted before a store is removed from its coordinator, while it can still be written; the object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted after a write to a store with the option `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, by this
    /// coordinator or any other; the object is the coordinator.
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}
