import Foundation
import ObjectGraph
import SQLiteStore

/// A store of a coordinator: a SQLite file, or memory.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    // What changes is under the lock.
    final package let engine: SQLiteStore
    private let state: Locked<State>

    private struct State {
        weak var coordinator: NSPersistentStoreCoordinator?
        var url: URL?
        var metadata: [String: Any]
        var identifier: String?
        /// Tells of what others write; gone when the store leaves its coordinator.
        var lookout: StoreLookout?
    }

    /// A kind of store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }

    /// `NSSQLiteStoreType` or `NSInMemoryStoreType`.
    public let type: String
    /// The configuration of the model that the store has; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
    public let configurationName: String
    public let options: [AnyHashable: Any]?
    open var isReadOnly: Bool { engine.isReadOnly }

    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    init(
        _ engine: SQLiteStore, type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
        coordinator: NSPersistentStoreCoordinator
    ) {
        self.engine = engine
        self.type = type
        self.options = options
        configurationName = configuration ?? Self.defaultConfigurationName
        state = Locked(
            State(coordinator: coordinator, url: url, metadata: engine.metadataDictionary(type: type), identifier: nil))
    }

    /// From now on writes of others are told of, if that was asked for.
    final func joinedCoordinator() {
        if engine.isReadOnly, !isOn(NSReadOnlyPersistentStoreOption), engine.keepsHistory {
            CoreDataLog.logger.warning("\(self) keeps a history; set NSPersistentHistoryTrackingKey to write to it.")
        }
        let lookout = makeLookout()
        state.withLock { $0.lookout = lookout }
    }

    final var lookout: StoreLookout? { state.withLock { $0.lookout } }

    open weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        state.withLock { $0.coordinator }
    }

    final func leaveCoordinator() {
        state.withLock { state in
            state.coordinator = nil
            state.lookout = nil
        }
    }

    open var url: URL? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// The store's UUID as upper-case text.
    open var identifier: String! { engine.identifier }

    /// Type, UUID and version hashes, and what was set for this store.
    open var metadata: [String: Any]! {
        get { state.withLock { $0.metadata } }
        set {
            let own = engine.metadataDictionary(type: type)
            let joined = (newValue ?? [:]).merging(own) { _, own in own }
            state.withLock { $0.metadata = joined }
        }
    }

    /// Whether the option is set to true.
    final func isOn(_ option: String) -> Bool {
        StoreOptions.isOn(option, options)
    }

    open override var description: String {
        "<\(Swift.type(of: self)): \(type) \(url?.path ?? "in memory")>"
    }
}

/// Options of a store, as programs give them.
enum StoreOptions {
    static func isOn(_ option: String, _ options: [AnyHashable: Any]?) -> Bool {
        switch options?[option] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        // A dictionary of settings switches on, too.
        case is [AnyHashable: Any], is NSDictionary: true
        default: false
        }
    }

    static func engineOptions(_ options: [AnyHashable: Any]?) -> SQLiteStore.Options {
        var engine = SQLiteStore.Options()
        let keepsHistory = isOn(NSPersistentHistoryTrackingKey, options)
        engine.history = keepsHistory ? .with : .without
        engine.existingHistory = keepsHistory ? .begun : .keptFromGaps
        if let seconds = number(NSPersistentStoreTimeoutOption, options), seconds > 0 { engine.busyTimeout = seconds }
        if let count = number(NSPersistentStoreConnectionPoolMaxSizeKey, options), count >= 1, count <= 64 {
            engine.readerLimit = Int(count)
        }
        return engine
    }

    private static func number(_ option: String, _ options: [AnyHashable: Any]?) -> Double? {
        switch options?[option] {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        default: nil
        }
    }
}

extension SQLiteStore {
    func metadataDictionary(type: String) -> [String: Any] {
        [
            NSStoreTypeKey: type, NSStoreUUIDKey: identifier,
            NSStoreModelVersionHashesKey: model.versionHashes.mapValues { Data($0.bytes) },
            NSStoreModelVersionIdentifiersKey: model.versionIdentifiers,
        ]
    }
}
