import Foundation
import ObjectGraph
import StoreSQL

/// One attempt to write a change set, within a transaction.
struct SaveAttempt {
    let runner: SaveRunner
    /// Variable, because staged rows have several change sets.
    var changes: ChangeSet
    let connection: Connection
    /// The state of the store before this attempt; `nil` if it is not needed.
    var commitMarker: CommitMarker?
    var keys = KeyAllocator()
    var writer: RowWriter
    var history: HistoryWriter?
    var saved = SavedRows()
    /// Files without a reference from any row, to be removed after the commit.
    var obsoleteFiles: [String] = []
    /// Rows whose version the bulk delete incremented.
    var raisedRows = RowSet()
    /// The inserted rows; created at the first use.
    private var newRows: Set<ObjectID>?
    /// Whether a row was inserted, if the insertions are in several change sets.
    var isStagedRow: ((ObjectID) -> Bool)?

    enum Matching {
        /// Insertions are treated as new rows.
        case trusting
        /// Insertions update rows with equal unique values. If a replacement is not allowed, nothing is inserted; the
        /// error lists all violations of the first violated constraint.
        case byConstraints
    }

    init(runner: SaveRunner, changes: ChangeSet, connection: Connection) {
        self.runner = runner
        self.changes = changes
        self.connection = connection
        writer = RowWriter(spaces: runner.spaces, map: runner.map, externalData: runner.externalData)
    }

    /// - Throws: `StaleRow`, `CollidingInsertion`, and the errors of `SaveRunner.save`.
    mutating func run(_ matching: Matching) throws -> SavedRows {
        try compareWatched()
        if changes.writesNothing { return saved }
        if try deletesNothing() { return saved }
        try beginHistory(changeCount: changes.rowCount)
        try delete()
        try deleteBulk()
        try changes.refuseLinks(to: saved.plan.deleted, model)
        try allocateKeys()
        try update()
        try insert(matching)
        try maintainInverses()
        try checkConstraintsWithNulls()
        for link in changes.links { try write(link) }
        try finishBookkeeping()
        return saved
    }

    /// - Parameter changeCount: The maximum number of changes, apart from those of the bulk delete.
    mutating func beginHistory(changeCount: Int) throws {
        guard let layout = runner.history else { return }
        history = try HistoryWriter(
            layout, author: changes.author, contextName: changes.contextName, changeCount: changeCount, keys: &keys,
            connection)
        saved.transactionNumber = history?.number
    }

    func write(_ link: ChangeSet.LinkChange) throws {
        try JoinWriter(map: runner.map, writer: writer, connection: connection).write(link)
    }

    /// Call this once, after all rows are written.
    mutating func finishBookkeeping() throws {
        try history?.writePending()
        try keys.write(names: runner.counterNames, connection)
    }

    // MARK: Rows that are not written

    private func compareWatched() throws {
        for group in changes.watched.chunked(by: \.entityIndex) {
            guard let entityIndex = group.first?.entityIndex else { continue }
            try connection.withStatement(runner.plans[entityIndex].watchText) { statement in
                for watch in group {
                    try statement.bind(watch.id.key, at: 1)
                    try statement.bind(watch.expectedVersion, at: 2)
                    guard try statement.step() else { throw StaleRow() }
                    statement.reset()
                }
            }
        }
    }

    // MARK: Deletions

    private mutating func delete() throws {
        let deletions = changes.deletions.byEntity()
        try deleteJoinRows(deletions)
        for deleted in deletions {
            let plan = runner.plans[deleted.entityIndex]
            if plan.hasExternal {
                var files = RowSet()
                files.insert(deleted.keys, in: runner.spaces.spaces[deleted.entityIndex])
                obsoleteFiles += try runner.deleteRunner.files(of: files, connection)
            }
            try history?.willDelete(deleted.entityIndex, counted: deleted.keys)
            for (version, keys) in deleted.keysByVersion { try delete(keys, at: version, plan) }
        }
    }

    /// For fewer rows, the size of their table is not determined.
    private static let fewRows = 64

    /// Deletes rows with the same expected version.
    private func delete(_ rows: KeySet, at version: RowVersion, _ plan: WritePlan) throws {
        let strategist = DeleteStrategist(sizes: connection, forced: nil)
        let table = plan.storage.table
        let strategy = rows.count < Self.fewRows ? .lookUp : try strategist.toFind(referringTo: rows, of: table)
        let condition = KeyCondition(SystemTables.keyColumn, rows, strategy, dialect: SQLiteDialect())
        try connection.run(
            "DELETE FROM \(table)\(condition.text) AND \(SystemTables.storedVersion) = \(.integer(version))")
        // Optimistic locking, as for updates.
        guard connection.changeCount == rows.count else { throw StaleRow() }
    }

    /// Runs one statement for each join table and side.
    private func deleteJoinRows(_ deletions: [DeletedRows]) throws {
        var keysByJoin: [WritePlan.JoinColumn: KeySet] = [:]
        for deleted in deletions {
            for join in runner.plans[deleted.entityIndex].joins {
                keysByJoin[join, default: KeySet()].formUnion(deleted.keys)
            }
        }
        for (join, keys) in keysByJoin { try connection.run(join.deletion(keys, SQLiteDialect())) }
    }

    /// Records the files in a row's external columns before these are overwritten or deleted.
    mutating func noteFiles(of key: Int64, _ plan: WritePlan, _ columns: [WriteColumn]) throws {
        let names = columns.filter { $0.writer == .external }.map(\.name)
        guard !names.isEmpty else { return }
        obsoleteFiles += try connection.withStatement(plan.selectText(names)) { statement in
            try statement.bind(key, at: 1)
            guard try statement.step() else { return [] }
            return names.indices.compactMap { statement.optionalBytes(at: $0).flatMap(ExternalData.fileName(in:)) }
        }
    }

    /// Plans the bulk delete in the transaction, over its state.
    private mutating func deleteBulk() throws {
        guard let request = changes.bulkRequest(model) else { return }
        // The rules must not follow links that this transaction removes.
        for link in changes.lostLinks { try write(link) }
        let plan = try known(request) ?? runner.deleteRunner.plan(request, connection)
        let archiving = plan.isEmpty ? nil : runner.archiveOptions(request)
        obsoleteFiles += try runner.deleteRunner.run(
            plan, archiving: archiving, history: &history, keys: &keys, connection)
        try request.observer?.willCommit(pagesOf: plan.deleted)
        saved.plan = plan
        raisedRows = plan.updated
    }

    private func deletesNothing() throws -> Bool {
        guard let request = changes.bulkDelete, known(request) == nil else { return false }
        return try changes.deletesNothing(runner.deleteRunner.reader(connection))
    }

    /// Returns the plan made earlier, if nothing has been written since, including by this save.
    private func known(_ request: DeleteRequest) -> DeletePlan? {
        guard let known = request.known, known.commitMarker != nil, known.commitMarker == commitMarker,
            changes.deletions.isEmpty,
            request.rewrittenLinks.isEmpty
        else { return nil }
        return known.plan
    }

    // MARK: Keys

    /// Whether this attempt inserted the row. Call this after all insertions.
    mutating func isNew(_ row: ObjectID) -> Bool {
        if let isStagedRow { return isStagedRow(row) }
        if changes.insertions.isEmpty { return false }
        let known = newRows ?? Set(saved.inserted.lazy.filter { !$0.replaced }.map(\.id))
        newRows = known
        return known.contains(row)
    }

    /// Assigns a key to every insertion, in order, from the counter of its hierarchy.
    mutating func allocateKeys() throws {
        saved.inserted.reserveCapacity(changes.insertions.count)
        for run in changes.insertions.chunked(by: \.entityIndex) {
            guard let entityIndex = run.first?.entityIndex else { continue }
            let storage = runner.map.entities[entityIndex]
            let newCount = run.reduce(0) { $0 + ($1.id.isTemporary ? 1 : 0) }
            let newKeys =
                newCount == 0
                ? 0..<0 : try keys.keys(newCount, number: storage.rootNumber, table: storage.table, connection)
            var nextKey = newKeys.lowerBound
            for insertion in run {
                var id = insertion.id
                // Other insertions have a reserved identity.
                if id.isTemporary {
                    id = runner.spaces.id(entityIndex: entityIndex, key: nextKey)
                    nextKey += 1
                }
                saved.inserted.append(SavedRows.Inserted(id: id, version: 1, replaced: false))
            }
        }
        writer.permanent = PermanentIDs(of: changes.insertions, in: saved.inserted)
    }
}

extension Array {
    /// Returns consecutive elements with an equal property.
    func chunked<Key: Equatable>(by key: (Element) -> Key) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index > start && key(self[index]) != key(self[start]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}

/// Rows of one entity that a save deletes.
private struct DeletedRows {
    let entityIndex: Int
    /// By expected version, in its order.
    let keysByVersion: [(version: RowVersion, keys: KeySet)]

    var keys: KeySet { keysByVersion.dropFirst().reduce(keysByVersion.first?.keys ?? KeySet()) { $0.union($1.keys) } }
}

extension ChangeSet.Deletion {
    fileprivate struct Group: Equatable {
        let entityIndex: Int
        let version: RowVersion
    }

    fileprivate var group: Group { Group(entityIndex: entityIndex, version: expectedVersion) }
}

extension [ChangeSet.Deletion] {
    /// Returns the rows by entity, in the order of the entities.
    fileprivate func byEntity() -> [DeletedRows] {
        var keys: [Int: [RowVersion: [Int64]]] = [:]
        for run in chunked(by: \.group) {
            guard let group = run.first?.group else { continue }
            keys[group.entityIndex, default: [:]][group.version, default: []] += run.lazy.map(\.id.key)
        }
        return keys.sorted { $0.key < $1.key }.map { entityIndex, keys in
            let sorted = keys.sorted { $0.key < $1.key }
            return DeletedRows(entityIndex: entityIndex, keysByVersion: sorted.map { ($0.key, KeySet($0.value)) })
        }
    }
}
