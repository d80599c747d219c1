import ObjectGraph

extension SaveAttempt {
    /// Rows a few at a time: what is in memory of them does not grow with their number, and one statement's place in the
    /// table is found once for many.
    private static let pieceSize = 5_000

    /// Writes rows that all are new, as `run` does with those of one change set, whose author is that of `changes`.
    /// - Parameter progress: told of rows written; throws to stop.
    /// - Returns: of the rows, those written last only.
    /// - Throws: `CollidingInsertion`, and what `SaveRunner.save` throws.
    mutating func run(_ staged: StagedRows, progress: (Int) throws -> Void) throws -> SavedRows {
        try beginHistory(changeCount: staged.count)
        let firstKeys = try reserveKeys(for: staged)
        let (model, spaces) = (runner.map.model, runner.spaces)
        let id = { (row: StagedRows.Row) -> ObjectID in
            let first = firstKeys[model[row.entityIndex].rootIndex]
            return spaces.id(entityIndex: row.entityIndex, key: first + row.place)
        }
        var done = 0
        try staged.forEachPiece(of: Self.pieceSize, id: id) { piece in
            changes.insertions = piece
            saved.inserted.removeAll(keepingCapacity: true)
            try allocateKeys()
            try insert(.trusting)
            try checkBlindConstraints()
            done += piece.count
            try progress(done)
        }
        try staged.forEachLinkChange(id: id) { try write($0) }
        try finishBookkeeping()
        return saved
    }

    /// The first key of each hierarchy's rows, by the position of its root.
    private mutating func reserveKeys(for staged: StagedRows) throws -> [Int64] {
        try runner.map.model.entities.map { entity in
            let count = staged.count(below: entity)
            if count == 0 { return 0 }
            let storage = runner.map.entities[entity.index]
            return try keys.keys(count, number: storage.rootNumber, table: storage.table, connection).lowerBound
        }
    }
}

extension SaveRunner {
    /// - Returns: how many rows took the place of rows that were there.
    /// - Throws: as `save`.
    func save(
        _ staged: StagedRows, author: String?, _ connection: Connection, fetch: FetchRunner,
        progress: (Int) throws -> Void, beforeCommit: (SavedRows) throws -> Void
    ) throws -> Int {
        var changes = ChangeSet()
        changes.author = author
        do {
            _ = try attempt(
                changes, connection, writing: { try $0.run(staged, progress: progress) }, beforeCommit: beforeCommit)
            return 0
        } catch is CollidingInsertion {
            // Who leads where depends on which rows take whose place, and so on all of them.
            let result = try save(
                try staged.changes(author: author), connection, fetch: fetch, beforeCommit: beforeCommit)
            guard case .saved(let saved) = result else { return 0 }
            return saved.inserted.count(where: \.replaced)
        }
    }
}

extension SQLiteStore {
    /// Writes rows that all are new, all of them or none. Rows that must be unique and are there already get the values of
    /// the new ones; only then all are in memory at once.
    /// - Parameter progress: told of rows written so far; throws to stop.
    /// - Returns: how many rows took the place of rows that were there, or of each other.
    /// - Throws: `StoreAccessError.readOnly`, what saving throws, and what `progress` throws; nothing is written then.
    package func save(_ staged: StagedRows, author: String?, progress: (Int) throws -> Void) throws -> Int {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if staged.count == 0 { return 0 }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                try saveRunner.save(staged, author: author, connection, fetch: fetchRunner, progress: progress) {
                    willCommit($0.transactionNumber)
                }
            }
        }
    }
}
