import Foundation
import ObjectGraph

/// A container that keeps its stores on this machine: there is no CloudKit here, and nothing is synchronized.
///
/// It is `NSPersistentContainer` under the name that programs with CloudKit use, so that they build and keep their data. This is
/// logged once for each process.
nonisolated open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    // Adds no state of its own.

    /// Creates a container with a model, like ``NSPersistentContainer``.
    /// - Parameters:
    ///   - name: the name of the container, and of its store's file.
    ///   - model: the model.
    public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        LocalOnly.log()
    }

    /// Throws an error, because there is no CloudKit.
    /// - Parameter options: have no effect.
    /// - Throws: `CocoaError.featureUnsupported` (3328).
    open func initializeCloudKitSchema(
        options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
    ) throws {
        throw CocoaError(
            .featureUnsupported,
            text: "There is no CloudKit on this platform, so its schema cannot be made; make it on an Apple system.")
    }

    /// Returns whether the object may be changed, which is so unless its store was opened for reading only.
    /// - Parameter objectID: the identifier of the object.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        objectID.persistentStore.map(canModifyManagedObjects) ?? true
    }

    /// Returns whether the object may be deleted, which is so unless its store was opened for reading only.
    /// - Parameter objectID: the identifier of the object.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        canUpdateRecord(forManagedObjectWith: objectID)
    }

    /// Returns whether objects of the store may be changed, which is so unless it was opened for reading only.
    /// - Parameter store: a store of the container.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }

    // MARK: Events, which never occur

    /// The name of a notification that is never posted, because nothing is imported, exported or set up.
    public static let eventChangedNotification =
        Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")

    /// The key of the event in the notification's `userInfo`.
    public static let eventNotificationUserInfoKey = "event"

    /// The kinds of synchronization events.
    public enum EventType: Int, Sendable {
        /// Setting up synchronization.
        case setup = 0
        /// Importing changes.
        case `import` = 1
        /// Exporting changes.
        case export = 2
    }

    /// A step of synchronization. None is ever made here: the type exists for code that observes events.
    public final class Event: NSObject, NSCopying, Sendable {
        /// The identifier of the event.
        public let identifier = UUID()
        /// The identifier of the store; always empty.
        public let storeIdentifier = ""
        /// The kind of event; always `.setup`.
        public let type = EventType.setup
        /// The time at which the event began; always the distant past.
        public let startDate = Date.distantPast
        /// The time at which the event ended; always `nil`.
        public let endDate: Date? = nil
        /// A Boolean value that states whether the event succeeded; always `false`.
        public let succeeded = false
        /// The error of the event; always `nil`.
        public let error: (any Error)? = nil

        private override init() {}

        /// Returns the event itself, which is constant.
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

/// Options for making a CloudKit schema, which have no effect here.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    /// The number of the options.
    public let rawValue: UInt

    /// Creates options from their number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Validates without making the schema.
    public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 1)
    /// Prints the schema.
    public static let printSchema = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 1 << 2)
}
