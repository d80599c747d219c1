import ObjectGraph

/// A state of a store's file that goes on being readable, whatever is written meanwhile: a connection of its own in a
/// transaction that only reads.
///
/// While it is open, the write-ahead log cannot be begun anew and grows with what is written. It keeps its store open: the
/// last connection to close must be one that may write.
package final class StoreGeneration: RowReading {
    private let store: SQLiteStore
    /// `nil` once it is closed.
    private let reader: Locked<Connection?>

    /// - Throws: `SQLiteError`.
    fileprivate init(_ store: SQLiteStore, _ connection: Connection) throws {
        self.store = store
        try connection.execute(TransactionKind.reading.rawValue)
        // A transaction sees the file as it is when it first reads.
        try connection.withStatement("SELECT count(*) FROM sqlite_master") { _ = try $0.step() }
        reader = Locked(connection)
    }

    deinit { close() }

    package var isOpen: Bool { reader.withLock { $0 != nil } }

    /// Lets go of the state. What is asked afterwards is answered by the store as it is then.
    package func close() {
        reader.withLock { $0 = nil }
    }

    package func fetch(_ query: Query) throws -> [Snapshot] {
        try reading { try store.fetchRunner.snapshots(query, $0) }
    }

    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try reading { try store.fetchRunner.ids(query, $0) }
    }

    package func count(_ query: Query) throws -> Int {
        try reading { try store.fetchRunner.count(query, $0) }
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        if ids.isEmpty { return [] }
        return try reading { try store.fetchRunner.snapshots(of: ids, $0) }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try reading {
            try store.fetchRunner.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners, $0)
        }
    }

    private func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let result = try reader.withLock { connection in try connection.map(body) }
        return try result ?? store.pool.withReader(body)
    }
}

extension SQLiteStore {
    /// Whether states of the store can be kept for reading.
    package func canKeepGenerations() throws -> Bool {
        guard case .file = location else { return false }
        return try pool.withReader { try $0.hasWriteAheadLog }
    }

    /// The store as it is now, to be read from then on.
    /// - Returns: `nil` for a store in memory, and for a file without a write-ahead log.
    /// - Throws: `SQLiteError`.
    package func currentGeneration() throws -> StoreGeneration? {
        guard case .file = location else { return nil }
        let connection = try pool.separateReader()
        guard try connection.hasWriteAheadLog else { return nil }
        return try StoreGeneration(self, connection)
    }
}

extension Connection {
    var hasWriteAheadLog: Bool {
        get throws {
            try withStatement("PRAGMA journal_mode") { try $0.step() && $0.text(at: 0) == "wal" }
        }
    }
}
