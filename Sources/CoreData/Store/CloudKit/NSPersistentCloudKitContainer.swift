import Foundation
import ObjectGraph

/// A container that keeps its stores on this machine: there is no CloudKit here, and nothing is synchronized.
///
/// It is `NSPersistentContainer` under the name that programs with CloudKit use, so that they build and keep their data. This is
/// logged once for each process.
nonisolated open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    // Adds no state of its own.

    public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        LocalOnly.log()
    }

    /// - Throws: `CocoaError.featureUnsupported`, as there is no CloudKit to make a schema in.
    open func initializeCloudKitSchema(
        options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
    ) throws {
        throw CocoaError(
            .featureUnsupported,
            text: "There is no CloudKit on this platform, so its schema cannot be made; make it on an Apple system.")
    }

    /// Whether the object may be changed: where its store is not read-only.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        objectID.persistentStore.map(canModifyManagedObjects) ?? true
    }

    /// Whether the object may be deleted: where its store is not read-only.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        canUpdateRecord(forManagedObjectWith: objectID)
    }

    /// Whether objects of the store may be changed: where it is not read-only.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }

    // MARK: Events, of which there are none

    /// For observers; never posted, as there is nothing to import, export or set up.
    public static let eventChangedNotification =
        Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")

    /// The key of the event in the notification's `userInfo`.
    public static let eventNotificationUserInfoKey = "event"

    public enum EventType: Int, Sendable {
        case setup = 0
        case `import` = 1
        case export = 2
    }

    /// A step of synchronization. None is made here: the type is there for code that observes events.
    public final class Event: NSObject, NSCopying, Sendable {
        public let identifier = UUID()
        public let storeIdentifier = ""
        public let type = EventType.setup
        public let startDate = Date.distantPast
        public let endDate: Date? = nil
        public let succeeded = false
        public let error: (any Error)? = nil

        private override init() {}

        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    private enum LocalOnly {
        private static let isLogged = Locked(false)

        static func log() {
            let isFirst = isLogged.withLock { logged in
                defer { logged = true }
                return !logged
            }
            if isFirst {
                CoreDataLog.logger.notice(
                    "NSPersistentCloudKitContainer keeps its stores on this machine: there is no CloudKit on this platform."
                )
            }
        }
    }
}

/// What is done when a CloudKit schema is made.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 1)
    public static let printSchema = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 2)
}
