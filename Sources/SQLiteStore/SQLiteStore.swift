import Foundation
import ObjectGraph

/// A store in Apple's SQLite layout: in a file, or in memory for as long as it lives.
package final class SQLiteStore: Store, SetDeleting, DeletionArchiving {
    package let identifier: String
    package let model: Model
    package let isReadOnly: Bool
    package var keepsTransients: Bool { false }
    package let location: Connection.Location
    /// The file whose neighbours are this store's: its own, or that which it is a private copy of.
    let ownURL: URL?
    package let map: StorageMap
    package let openingWarnings: [DeleteRuleWarning]
    let spaces: EntitySpaces
    let pool: ConnectionPool
    let fetchRunner: FetchRunner
    let saveRunner: SaveRunner
    /// `nil` for a file without history.
    let history: HistoryReader?
    let watcher: StoreWatcher
    /// Waits for a save.
    let metadataChange = Locked(MetadataChange([:]))

    /// What one may choose when opening a store.
    package struct Options: Sendable {
        /// How long a call waits for another connection's lock, in seconds.
        package var busyTimeout: Double = 10
        /// How many connections may read at once.
        package var readerLimit = 4
        /// Whether a new file gets history tables.
        package var history: SchemaLayout.HistoryKind = .with
        /// What opening means for the history of an existing file.
        package var existingHistory = ExistingHistory.goesOn
        /// How connections that only read are opened; `.immutable` for a file that nobody writes meanwhile.
        package var readAccess = Connection.Access.readOnly
        /// The file that the one opened is a private copy of: what lies beside that counts. `nil` for a file that is none.
        package var original: URL?
        /// What else a program chose for the connections.
        package var pragmas = StorePragmas()
        /// Whether the version hashes of the model must be those of the file.
        package var hashes = HashRule.mustAgree
        /// What opening means for derived attributes that nobody can compute.
        package var derivations = DerivationRule.mayBeEmpty
        /// Told of every statement as it first steps. For tests that count statements.
        package var onStatement: (@Sendable (String) -> Void)?

        package init() {}

        package enum ExistingHistory: Sendable, Hashable {
            /// A file that has one goes on with it; one that has none stays as it is.
            case goesOn
            /// A file that has none, opened for writing, gets one.
            case begun
            /// A file that has one is opened for reading only: what would be written by somebody who keeps none would be
            /// missing in it.
            case keptFromGaps
        }

        package enum DerivationRule: Sendable, Hashable {
            /// They stay as they are.
            case mayBeEmpty
            /// A file that is to be written is not opened with one.
            case mustBeComputed
        }

        package enum HashRule: Sendable, Hashable {
            case mustAgree
            /// The model is the file's own, as it carries it: what else the file claims does not matter for reading it.
            case areNotAsked
        }
    }

    /// Opens a store; a file that is absent or empty is made, unless read-only.
    ///
    /// A file written with another model is refused before anything in it is touched.
    /// - Throws: `IncompatibleStoreError`, `StoreOpeningError`, `StoreMetadataError`, `StorageMapError`, `DerivationError`,
    ///   `SQLiteError`, `SQLiteVersionError`.
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
                layout: layout, queries: HistoryQueries(map: opened.map, tables: opened.tables), spaces: spaces,
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
        // Last, as a setting may drop what is temporary.
        try opened.writer?.addTemporary(opened.derivationStatements)
    }

    private static func watcher(
        _ location: Connection.Location, _ opened: StoreOpening.Opened, _ history: HistoryReader?,
        _ readAccess: Connection.Access, _ prepare: @escaping @Sendable (Connection) throws -> Void
    ) throws -> StoreWatcher {
        guard case .file = location else {
            return StoreWatcher(reader: history, newest: 0, writerVersion: nil, openConnection: nil)
        }
        let writerVersion = history == nil ? try opened.writer?.dataVersion() : nil
        return StoreWatcher(reader: history, newest: opened.newestTransaction, writerVersion: writerVersion) {
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

    package func fetchParts(_ query: Query) throws -> [Snapshot]? {
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

    /// Pending changes of the file's metadata are written in the same transaction.
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
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

    /// Two equal ones: this store committed nothing in between.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`.
    package func commitMark() throws -> UInt32 { try pool.withWriter { try $0.commitMark() } }

    /// Runs a body while nothing is written to the store, and ends writing to it: see `ConnectionPool.endWriting(after:)`.
    package func endWriting<Result>(after body: () throws -> Result) throws -> Result {
        try pool.endWriting(after: body)
    }

    /// Stops whatever the store is doing now, from any thread; the calls throw. A save that is stopped writes nothing.
    package func interrupt() { pool.interrupt() }

    /// Runs a body that reads the store's file on this thread, and stops it once the meter is cancelled. Does not nest.
    /// - Throws: `CancellationError`, and what `body` throws.
    package func reading<Result>(until meter: RowMeter, _ body: () throws -> Result) throws -> Result {
        try pool.reading(until: meter, body)
    }
}
