import AppleFormats
import Foundation
import ObjectGraph

/// A store of a coordinator: a SQLite file, a store in memory, or one of a program's own class, which is a subclass of
/// `NSAtomicStore` or `NSIncrementalStore`.
nonisolated open class NSPersistentStore: NSObject, @unchecked Sendable {
    // Mutable state is guarded by the lock.
    private let state: Locked<State>

    private struct State {
        weak var coordinator: NSPersistentStoreCoordinator?
        var engine: (any Store)?
        var type: String
        var url: URL?
        /// Detects saves of others; `nil` once the store has left its coordinator.
        var poller: RemoteChangePoller?
        /// The store's name in `OpenStoreRegistry`.
        var openFile: OpenFile?
        var metadata: [String: Any] = [:]
    }

    /// A type of stores.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The name of the type.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A store in a SQLite file.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A store in memory, which exists while it is open.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// Apple's binary format, which is not supported.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Apple's XML format, which is not supported.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }

    /// The name of the model's configuration that the store has; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
    public let configurationName: String
    /// The options that the store was opened with.
    public let options: [AnyHashable: Any]?

    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Creates a store of a program's own class; coordinators call it. A subclass that overrides it declares it `required`.
    /// - Parameters:
    ///   - root: the coordinator.
    ///   - name: the name of a configuration of the model; `nil` for all entities.
    ///   - url: the URL of the store.
    ///   - options: the options of the store.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        self.options = options
        configurationName = name ?? Self.defaultConfigurationName
        state = Locked(State(coordinator: root, type: String(describing: Self.self), url: url))
    }

    convenience init(
        _ engine: any Store, type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
        coordinator: NSPersistentStoreCoordinator
    ) {
        self.init(
            persistentStoreCoordinator: coordinator, configurationName: configuration, at: url ?? Self.nowhere,
            options: options)
        state.withLock { $0.url = url }
        attach(engine, type: type)
        readMetadata()
    }

    /// Starts detecting saves of others. Called when the store was added to the coordinator, and when its URL has changed.
    final func didOpen() {
        if let engine, engine.isReadOnly, !isOn(NSReadOnlyPersistentStoreOption), engine.historyRecording != nil {
            CoreDataLog.logger.warning("\(self) keeps a history; set NSPersistentHistoryTrackingKey to write to it.")
        }
        let poller = makePoller()
        let openFile = hasPlace ? url.map { OpenFile(OpenStoreRegistry.name(of: $0)) } : nil
        replace(poller, openFile)
        if let openFile, let coordinator = persistentStoreCoordinator {
            OpenStoreRegistry.add(openFile, of: coordinator)
        }
    }

    /// Whether other coordinators or containers may have the same store open. Stores in memory are shared only if they have a name.
    private var hasPlace: Bool {
        guard let metadataKeeping, metadataKeeping.fileURL == nil else { return true }
        guard type == NSSQLiteStoreType, let url, case .named? = MemoryPlace(url) else { return false }
        return true
    }

    final var poller: RemoteChangePoller? { state.withLock { $0.poller } }
    /// The file's name in `OpenStoreRegistry` while the store belongs to a coordinator.
    final var openFile: OpenFile? { state.withLock { $0.openFile } }

    /// The URL of a store without a place.
    static let nowhere = URL(fileURLWithPath: "/dev/null")

    final func attach(_ engine: any Store, type: String) {
        state.withLock { state in
            state.engine = engine
            state.type = type
        }
    }

    // MARK: Properties

    /// The coordinator of the store; `nil` once it was removed.
    open weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        state.withLock { $0.coordinator }
    }

    final func detachFromCoordinator() {
        state.withLock { $0.coordinator = nil }
        replace(nil, nil)
    }

    /// Releases the former poller outside the lock, because it waits for a poll in progress, which may ask for the coordinator.
    private final func replace(_ poller: RemoteChangePoller?, _ openFile: OpenFile?) {
        let former = state.withLock { state in
            defer { (state.poller, state.openFile) = (poller, openFile) }
            return state.poller
        }
        withExtendedLifetime(former) {}
    }

    /// The engine's store; `nil` before a coordinator has added it.
    final package var engine: (any Store)? { state.withLock { $0.engine } }
    /// The store as one with metadata in Apple's format; `nil` for a store of a program's own class.
    final var metadataKeeping: (any MetadataKeeping)? { engine?.metadataKeeping }
    private var hasFile: Bool { metadataKeeping?.fileURL != nil }
    /// The store's identifier in those of its objects.
    final var storeIdentifier: String { engine?.identifier ?? "" }

    /// The type of the store: `NSSQLiteStoreType`, `NSInMemoryStoreType`, or the type that a program's own class was registered
    /// for.
    open var type: String { state.withLock { $0.type } }

    /// A Boolean value that states whether the store was opened for reading only.
    open var isReadOnly: Bool { engine?.isReadOnly ?? isOn(NSReadOnlyPersistentStoreOption) }

    /// The URL of the store.
    open var url: URL? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// The identifier of the store: a UUID as upper-case text; for a program's own class, the text in its metadata.
    open var identifier: String! { engine?.identifier ?? metadata[NSStoreUUIDKey] as? String }

    /// Whether an option is set to true.
    final func isOn(_ option: String) -> Bool {
        StoreOptions.isOn(option, options)
    }

    // MARK: Metadata

    /// The metadata of the store: type, UUID and version hashes, and values that a program has set.
    ///
    /// New values are written to the file by the next save. A value that a property list cannot contain is ignored, which is
    /// logged.
    open var metadata: [String: Any]! {
        get { state.withLock { $0.metadata } }
        set {
            let own = engine?.metadataDictionary(type: type) ?? [:]
            let joined = writable(newValue ?? [:]).merging(own) { _, own in own }
            let changed = state.withLock { state in
                let keys = Set(state.metadata.keys).union(joined.keys).subtracting(own.keys)
                // Unchanged entries stay in the file as they are, whatever their type.
                let changed = keys.filter { !Self.areSame(state.metadata[$0], joined[$0]) }
                state.metadata = joined
                return changed
            }
            writeWithNextSave(changed, of: joined)
        }
    }

    /// Entries that a property list cannot contain, or that a program cannot set, stay in the file as they are.
    private func writeWithNextSave(_ keys: Set<String>, of metadata: [String: Any]) {
        guard !keys.isEmpty, let metadataKeeping, hasFile, !isReadOnly else { return }
        var own: [String: PropertyList] = [:]
        own.takeOwn(metadata.filter { keys.contains($0.key) })
        let removed = keys.subtracting(metadata.keys).subtracting(StoreMetadata.ownKeys)
        var entries: [String: PropertyList?] = own.mapValues(Optional.init)
        for key in removed { entries.updateValue(nil, forKey: key) }
        metadataKeeping.changeMetadataWithNextSave(MetadataChange(entries))
    }

    /// The metadata with the former values of keys whose new values cannot be written to a file.
    private func writable(_ metadata: [String: Any]) -> [String: Any] {
        guard hasFile else { return metadata }
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

    /// Reads the metadata of the file, and adds those of the open store.
    final func readMetadata() {
        // The file has just been opened; its further entries are optional.
        let stored = try? metadataKeeping?.storedMetadata()
        let metadata = stored?.dictionary(type: type) ?? [:]
        let joined = metadata.merging(engine?.metadataDictionary(type: type) ?? [:]) { _, own in own }
        state.withLock { $0.metadata = joined }
    }

    /// Sets `metadata`; called first for a store of a program's own class, which sets at least `NSStoreTypeKey` and
    /// `NSStoreUUIDKey`. A store without metadata is a new one.
    /// - Throws: Any error; the store is not added then.
    open func loadMetadata() throws {}

    /// Returns the metadata of a file of this class.
    /// - Parameter url: the URL of the file.
    /// - Throws: `CocoaError` 134000, unless a subclass overrides this.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CocoaError(
            .persistentStoreInvalidType, text: "\(self) does not read metadata of stores that are not open.")
    }

    /// Writes the metadata of a file of this class.
    /// - Parameters:
    ///   - metadata: the metadata.
    ///   - url: the URL of the file.
    /// - Throws: `CocoaError` 134000, unless a subclass overrides this.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CocoaError(
            .persistentStoreInvalidType, text: "\(self) does not write metadata of stores that are not open.")
    }

    // MARK: Adding and removing

    /// Called after the store was added to a coordinator.
    /// - Parameter coordinator: the coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed from its coordinator.
    /// - Parameter coordinator: the coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// A text with the class, type and path of the store.
    open override var description: String {
        "<\(Swift.type(of: self)): \(type) \(url?.path ?? "in memory")>"
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
