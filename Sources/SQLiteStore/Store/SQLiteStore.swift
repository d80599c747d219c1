import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// A store in Apple's SQLite format: in a file, or in memory until it is released. `Options` has its settings, such as the
/// busy timeout.
package final class SQLiteStore: Store, SetDeleting, DeletionArchiving {
    package let identifier: String
    package let model: Model
    package let isReadOnly: Bool
    package var storesTransients: Bool { false }
    package let location: Connection.Location
    /// The file whose neighbours matter: the store's own, or the original of a private copy.
    let ownURL: URL?
    package let map: StorageMap
    package let openingWarnings: [DeleteRuleWarning]
    let spaces: EntitySpaces
    package let pool: ConnectionPool
    let fetchRunner: FetchRunner
    let saveRunner: SaveRunner
    /// `nil` for a file without history.
    let history: HistoryReader?
    let watcher: RemoteChangeDetector
    /// Metadata changes that wait for the next save.
    let metadataChange = Locked(MetadataChange([:]))

    /// Options for opening a store.
    package struct Options: Sendable {
        /// How long a call waits for another connection's lock, in seconds.
        package var busyTimeout: Double = 10
        /// The maximum number of concurrent reading connections.
        package var readerLimit = 4
        /// Whether a new file gets history tables.
        package var history: SchemaLayout.HistoryKind = .with
        /// How opening affects the history of an existing file.
        package var existingHistory = ExistingHistory.asInFile
        /// How reading connections are opened; `.immutable` for a file that is never written meanwhile.
        package var readAccess = Connection.Access.readOnly
        /// The original if the file is a private copy: the other files beside the original are used. `nil` for a file
        /// that is no copy.
        package var original: URL?
        /// Other settings that a program chose for the connections.
        package var pragmas = StorePragmas()
        /// Whether the version hashes of the model must match the file's.
        package var hashes = HashRule.mustAgree
        /// How to treat derived attributes that cannot be computed.
        package var derivations = DerivationRule.mayBeEmpty
        /// Called with every statement at its first step. For tests that count statements.
        package var onStatement: (@Sendable (String) -> Void)?

        package init() {}

        package enum ExistingHistory: Sendable, Hashable {
            /// A file with history continues it; a file without history stays so.
            case asInFile
            /// A file without history gets one if it is opened for writing.
            case begun
            /// A file with history is opened read-only: writes that are not recorded would be missing in its history.
            case openedReadOnly
        }

        package enum DerivationRule: Sendable, Hashable {
            /// Their values stay as they are.
            case mayBeEmpty
            /// A file with such an attribute is not opened for writing.
            case mustBeComputed
        }

        package enum HashRule: Sendable, Hashable {
            case mustAgree
            /// The model is the one stored in the file, so it fits the file whatever the hashes are.
            case areNotAsked
        }
    }

    /// Opens a store. Creates an absent or empty file, unless read-only.
    ///
    /// A file of another model is refused before anything in it is changed.
    /// - Throws: `IncompatibleStoreError`, `StoreOpeningError`, `StoreMetadataError`, `StorageMapError`,
    ///   `DerivationError`, `SQLiteError`, `SQLiteVersionError`.
    package init(
        model: Model, location: Connection.Location, isReadOnly: Bool = false, options: Options = Options()
    ) throws {
        let location = location.followingLinks
        let opened = try StoreOpening(model: model, location: location, isReadOnly: isReadOnly, options: options).open()
        self.model = model
        self.location = location
        self.isReadOnly = isReadOnly || opened.writer == nil
        identifier = opened.identifier
        map = opened.map
        openingWarnings = opened.warnings
        let fileURL: URL? = if case .file(let url) = location { url } else { nil }
        ownURL = options.original ?? fileURL
        let externalData = fileURL.map { ExternalData(storeURL: $0) }
        let spaces = EntitySpaces(model: model, storeIdentifier: opened.identifier)
        self.spaces = spaces
        fetchRunner = FetchRunner(map: opened.map, spaces: spaces, externalData: externalData)
        let historyLayout = HistoryLayout(map: opened.map, tables: opened.tables)
        saveRunner = SaveRunner(map: opened.map, spaces: spaces, externalData: externalData, history: historyLayout)
        let history = historyLayout.map { layout in
            HistoryReader(
                layout: layout,
                queries: HistoryQueries(map: opened.map, tables: opened.tables, dialect: SQLiteDialect()),
                spaces: spaces,
                storeIdentifier: opened.identifier, externalData: externalData)
        }
        self.history = history
        let prepare: @Sendable (Connection) throws -> Void = {
            $0.busyTimeout = options.busyTimeout
            try options.pragmas.apply(to: $0)
            $0.onStatement = options.onStatement
        }
        watcher = try Self.watcher(location, opened, history, options.readAccess, prepare)
        pool = try ConnectionPool(
            location: location, writer: opened.writer, readerLimit: options.readerLimit,
            readAccess: options.readAccess, prepare: prepare)
        // This comes last, because a setting may drop temporary objects.
        try opened.writer?.addTemporary(opened.derivationStatements)
    }

    private static func watcher(
        _ location: Connection.Location, _ opened: StoreOpening.Opened, _ history: HistoryReader?,
        _ readAccess: Connection.Access, _ prepare: @escaping @Sendable (Connection) throws -> Void
    ) throws -> RemoteChangeDetector {
        guard case .file = location else {
            return RemoteChangeDetector(reader: history, newest: 0, writerVersion: nil, openConnection: nil)
        }
        let writerVersion = history == nil ? try opened.writer?.dataVersion() : nil
        return RemoteChangeDetector(reader: history, newest: opened.newestTransaction, writerVersion: writerVersion) {
            let connection = try Connection(location, access: readAccess)
            try prepare(connection)
            return connection
        }
    }

    deinit { watcher.close() }

    // MARK: Reading

    package func fetch(_ query: Query) throws -> [Snapshot] {
        try pool.withReader { try fetchRunner.snapshots(query, $0) }
    }

    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try pool.withReader { try fetchRunner.forEachSnapshot(query, $0, body) }
    }

    package func fetchPartialRows(_ query: Query) throws -> [Snapshot]? {
        try pool.withReader { try fetchRunner.parts(query, $0) }
    }

    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try pool.withReader { try fetchRunner.ids(query, $0) }
    }

    package func count(_ query: Query) throws -> Int {
        try pool.withReader { try fetchRunner.count(query, $0) }
    }

    package func groups(_ query: GroupQuery) throws -> [RowGroup]? {
        try pool.withReader { try fetchRunner.groups(query, $0) }
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        if ids.isEmpty { return [] }
        return try pool.withReader { try fetchRunner.snapshots(of: ids, $0) }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try pool.withReader {
            try fetchRunner.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners, $0)
        }
    }

    // MARK: Writing

    /// From this number of written rows on, a save releases the readers' caches.
    private static let manyRows = 10_000

    /// Saves changes. Pending changes of the file's metadata are written in the same transaction.
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if changes.rowCount >= Self.manyRows { pool.releaseCaches() }
        return try withMetadataChange { metadata in
            try pool.withWriter { connection in
                try watcher.recordingSave { willCommit in
                    try saveRunner.save(changes, connection, fetch: fetchRunner) { rows in
                        if !metadata.isEmpty { try StoreMetadata.change(connection, metadata.apply) }
                        try beforeCommit()
                        willCommit(rows.transactionNumber)
                    }
                }
            }
        }
    }

    /// Returns a commit marker. Two equal ones prove that this store committed nothing in between.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`.
    package func commitMark() throws -> UInt32 { try pool.withWriter { try $0.commitMark() } }

    /// Interrupts all running operations of the store, from any thread; their calls throw. An interrupted save writes
    /// nothing.
    package func interrupt() { pool.interrupt() }

    /// Runs a body that reads the store's file on this thread, and interrupts it when the meter is cancelled. Does not nest.
    /// - Throws: `CancellationError`, and the errors of `body`.
    package func reading<Result>(until meter: RowMeter, _ body: () throws -> Result) throws -> Result {
        try pool.reading(until: meter, body)
    }
}

extension SQLiteStore: WritingEnding {
    /// See `ConnectionPool.endWriting(after:)`.
    package func endWriting<Result>(after body: () throws -> Result) throws -> Result {
        try pool.endWriting(after: body)
    }
}
