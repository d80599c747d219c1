import ObjectGraph

/// A state of a store's file that stays readable, whatever is written later: a separate connection in a read transaction.
///
/// While it is open, the write-ahead log cannot be restarted and grows with every write. It retains its store, because
/// the last connection to close must be able to write.
package final class StoreGeneration: StoreState {
    /// `nil` once it is closed.
    private let reading: Locked<Reading?>

    private struct Reading {
        let connection: Connection
        let store: SQLiteStore
    }

    /// - Throws: `SQLiteError`.
    fileprivate init(_ store: SQLiteStore, _ connection: Connection) throws {
        try connection.execute(TransactionKind.reading.rawValue)
        // A transaction sees the file in the state of its first read.
        try connection.withStatement("SELECT count(*) FROM sqlite_master") { _ = try $0.step() }
        reading = Locked(Reading(connection: connection, store: store))
    }

    deinit { close() }

    package var isOpen: Bool { reading.withLock { $0 != nil } }

    /// Releases the state and the store.
    package func close() {
        reading.withLock { reading in
            let store = reading?.store
            withExtendedLifetime(store) { reading = nil }
        }
    }

    package func fetch(_ query: Query) throws -> [Snapshot] { try read { try $0.snapshots(query, $1) } }
    /// The body must not use this generation, because its connection is busy.
    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try forEachFetchedRow(of: query, body)
    }

    package func fetchPartialRows(_ query: Query) throws -> [Snapshot]? { try read { try $0.parts(query, $1) } }
    package func fetchIDs(_ query: Query) throws -> [ObjectID] { try read { try $0.ids(query, $1) } }
    package func count(_ query: Query) throws -> Int { try read { try $0.count(query, $1) } }
    package func groups(_ query: GroupQuery) throws -> [RowGroup]? { try read { try $0.groups(query, $1) } }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        if ids.isEmpty { return [] }
        return try read { try $0.snapshots(of: ids, $1) }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try read { try $0.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners, $1) }
    }

    /// - Throws: `StoreAccessError.generationClosed`, and errors of the read.
    private func read<Result>(_ body: (FetchRunner, Connection) throws -> Result) throws -> Result {
        try reading.withLock { reading in
            guard let reading else { throw StoreAccessError.generationClosed }
            return try body(reading.store.fetchRunner, reading.connection)
        }
    }
}

extension SQLiteStore: StatePreserving {
    /// Whether the store supports generations.
    package func supportsGenerations() throws -> Bool {
        guard case .file = location else { return false }
        return try pool.withReader { try $0.hasWriteAheadLog }
    }

    /// Returns the current state of the store, for later reads.
    /// - Returns: `nil` for a store in memory, and for a file without a write-ahead log.
    /// - Throws: `SQLiteError`.
    package func currentGeneration() throws -> (any StoreState)? {
        guard case .file = location else { return nil }
        let connection = try pool.separateReader()
        guard try connection.hasWriteAheadLog else { return nil }
        return try StoreGeneration(self, connection)
    }
}
