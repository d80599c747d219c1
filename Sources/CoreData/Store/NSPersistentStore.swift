import AppleFormats
import Foundation
import ObjectGraph
import SQLiteStore

/// A store of a coordinator: a SQLite file, memory, or one of a program's own class, which derives from `NSAtomicStore` or
/// `NSIncrementalStore`.
nonisolated open class NSPersistentStore: NSObject, @unchecked Sendable {
    // What changes is under the lock.
    private let state: Locked<State>

    private struct State {
        weak var coordinator: NSPersistentStoreCoordinator?
        var engine: (any Store)?
        var type: String
        var url: URL?
        /// Notices what others save; `nil` once the store leaves its coordinator.
        var lookout: StoreLookout?
        /// What `OpenFiles` knows of the store.
        var openFile: String?
        var metadata: [String: Any] = [:]
    }

    /// A kind of store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }

    /// The configuration of the model that the store has; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
    public let configurationName: String
    public let options: [AnyHashable: Any]?

    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// What coordinators make stores of a program's own class with. A subclass that overrides it declares it `required`.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        self.options = options
        configurationName = name ?? Self.defaultConfigurationName
        state = Locked(State(coordinator: root, type: String(describing: Self.self), url: url))
    }

    convenience init(
        _ engine: SQLiteStore, type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
        coordinator: NSPersistentStoreCoordinator
    ) {
        self.init(
            persistentStoreCoordinator: coordinator, configurationName: configuration, at: url ?? Self.nowhere,
            options: options)
        state.withLock { $0.url = url }
        attach(engine, type: type)
        takeMetadata()
    }

    /// From now on saves of others are noticed. Called when the store is the coordinator's, and when it is at another place.
    final func didOpen() {
        if let sqlite, sqlite.isReadOnly, !isOn(NSReadOnlyPersistentStoreOption), sqlite.keepsHistory {
            CoreDataLog.logger.warning("\(self) keeps a history; set NSPersistentHistoryTrackingKey to write to it.")
        }
        let lookout = makeLookout()
        let openFile = hasPlace ? url.map(OpenFiles.name) : nil
        state.withLock { state in
            state.lookout = lookout
            state.openFile = openFile
        }
    }

    /// Whether other coordinators, or containers, may have the same store open: stores in memory are shared by name only.
    private var hasPlace: Bool {
        guard let sqlite, case .memory = sqlite.location else { return true }
        guard type == NSSQLiteStoreType, let url, case .named? = MemoryPlace(url) else { return false }
        return true
    }

    final var lookout: StoreLookout? { state.withLock { $0.lookout } }
    /// Name of the file, while the store is a coordinator's.
    final var openFile: String? { state.withLock { $0.openFile } }

    /// Stands for the place of a store that has none.
    static let nowhere = URL(fileURLWithPath: "/dev/null")

    final func attach(_ engine: any Store, type: String) {
        state.withLock { state in
            state.engine = engine
            state.type = type
        }
    }

    // MARK: What it is

    open weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        state.withLock { $0.coordinator }
    }

    final func leaveCoordinator() {
        state.withLock { state in
            state.coordinator = nil
            state.lookout = nil
            state.openFile = nil
        }
    }

    /// What the store below reads and writes; `nil` before a coordinator has added it.
    final package var engine: (any Store)? { state.withLock { $0.engine } }
    /// `nil` for a store of the program's own class.
    final package var sqlite: SQLiteStore? { engine as? SQLiteStore }
    /// What identifiers of the store's objects carry.
    final var storeIdentifier: String { engine?.identifier ?? "" }

    /// `NSSQLiteStoreType`, `NSInMemoryStoreType`, or what a program's own class was registered for.
    open var type: String { state.withLock { $0.type } }

    open var isReadOnly: Bool { engine?.isReadOnly ?? isOn(NSReadOnlyPersistentStoreOption) }

    open var url: URL? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// The store's UUID as upper-case text; of a program's own class, whatever text its metadata have for it.
    open var identifier: String! { engine?.identifier ?? metadata[NSStoreUUIDKey] as? String }

    /// Whether the option is set to true.
    final func isOn(_ option: String) -> Bool {
        StoreOptions.isOn(option, options)
    }

    // MARK: Metadata

    /// Type, UUID and version hashes, and what was set for this store. What is set is in the file after the next save; a value
    /// that no property list holds is not taken, which the log says.
    open var metadata: [String: Any]! {
        get { state.withLock { $0.metadata } }
        set {
            let own = engine?.metadataDictionary(type: type) ?? [:]
            let joined = writable(newValue ?? [:]).merging(own) { _, own in own }
            let changed = state.withLock { state in
                let keys = Set(state.metadata.keys).union(joined.keys).subtracting(own.keys)
                // The others stay in the file as they are, whatever they were made of.
                let changed = keys.filter { !Self.areSame(state.metadata[$0], joined[$0]) }
                state.metadata = joined
                return changed
            }
            writeWithNextSave(changed, of: joined)
        }
    }

    /// What a property list cannot hold, and what a program cannot set, stays in the file as it is.
    private func writeWithNextSave(_ keys: Set<String>, of metadata: [String: Any]) {
        guard !keys.isEmpty, let sqlite, !sqlite.isReadOnly, case .file = sqlite.location else { return }
        var own: [String: PropertyList] = [:]
        own.takeOwn(metadata.filter { keys.contains($0.key) })
        let removed = keys.subtracting(metadata.keys).subtracting(StoreMetadata.ownKeys)
        var entries: [String: PropertyList?] = own.mapValues(Optional.init)
        for key in removed { entries.updateValue(nil, forKey: key) }
        sqlite.changeMetadataWithNextSave(MetadataChange(entries))
    }

    /// With the former values of keys under which something is that does not go into a file.
    private func writable(_ metadata: [String: Any]) -> [String: Any] {
        guard let sqlite, case .file = sqlite.location else { return metadata }
        var writable = metadata
        for key in StoreMetadata.unwritableKeys(in: metadata) {
            writable[key] = state.withLock { $0.metadata[key] }
            CoreDataLog.logger.error("No property list holds what was set as '\(key)' of a store's metadata.")
        }
        return writable
    }

    private static func areSame(_ one: Any?, _ other: Any?) -> Bool {
        one.flatMap { PropertyList(any: $0) } == other.flatMap { PropertyList(any: $0) }
    }

    /// What the file says of itself, and what the store does.
    final func takeMetadata() {
        var metadata: [String: Any] = [:]
        if let sqlite, case .file(let url) = sqlite.location {
            // The file was opened just now. What it says beside what the store knows can be done without.
            metadata = (try? StoreFiles.metadata(at: url).dictionary(type: type)) ?? [:]
        }
        let joined = metadata.merging(engine?.metadataDictionary(type: type) ?? [:]) { _, own in own }
        state.withLock { $0.metadata = joined }
    }

    /// Sets `metadata`, before anything else is asked of a store of a program's own class: with what `NSStoreTypeKey` and
    /// `NSStoreUUIDKey` say. A store without is a new one.
    open func loadMetadata() throws {}

    /// What a file of this class says of itself.
    /// - Throws: `CocoaError` 134000, unless a subclass knows better.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CocoaError(
            .persistentStoreInvalidType, text: "\(self) does not read metadata of stores that are not open.")
    }

    /// Changes what a file of this class says of itself.
    /// - Throws: As `metadataForPersistentStore(with:)`.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CocoaError(
            .persistentStoreInvalidType, text: "\(self) does not write metadata of stores that are not open.")
    }

    // MARK: Coming and going

    /// Called once the store is one of the coordinator's.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store leaves the coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

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

    /// - Throws: `StorePragmaError`.
    static func engineOptions(_ options: [AnyHashable: Any]?) throws -> SQLiteStore.Options {
        var engine = SQLiteStore.Options()
        let keepsHistory = isOn(NSPersistentHistoryTrackingKey, options)
        engine.derivations = .mustBeComputed
        engine.history = keepsHistory ? .with : .without
        engine.existingHistory = keepsHistory ? .begun : .keptFromGaps
        engine.pragmas = try StorePragmas(pragmas(options))
        if let seconds = number(NSPersistentStoreTimeoutOption, options), seconds > 0 { engine.busyTimeout = seconds }
        if let count = number(NSPersistentStoreConnectionPoolMaxSizeKey, options), count >= 1, count <= 64 {
            engine.readerLimit = Int(count)
        }
        return engine
    }

    /// Values may be numbers; they are texts on Apple's systems.
    private static func pragmas(_ options: [AnyHashable: Any]?) -> [String: String] {
        let option = options?[NSSQLitePragmasOption]
        let settings = option as? [String: Any] ?? (option as? NSDictionary) as? [String: Any] ?? [:]
        return settings.mapValues { value in
            (value as? NSNumber)?.stringValue ?? (value as? NSString).map { String($0) } ?? "\(value)"
        }
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

extension Store {
    func metadataDictionary(type: String) -> [String: Any] {
        [
            NSStoreTypeKey: type, NSStoreUUIDKey: identifier,
            NSStoreModelVersionHashesKey: model.versionHashes.mapValues { Data($0.bytes) },
            NSStoreModelVersionIdentifiersKey: model.versionIdentifiers,
        ]
    }
}
