import ObjectGraph

extension SaveAttempt {
    /// Rows a few at a time: what is in memory of them does not grow with their number, and one statement's place in the
    /// table is found once for many.
    private static let pieceSize = 5_000

    /// Writes rows that all are new, as `run` does with those of one change set, whose author is that of `changes`.
    /// - Parameters:
    ///   - matching: by constraints, rows take the place of others; trusting, such a row ends the attempt.
    ///   - progress: told of rows written; throws to stop.
    /// - Returns: of the rows, those written last only; and how many took another one's place.
    /// - Throws: `CollidingInsertion`, and what `SaveRunner.save` throws.
    mutating func run(
        _ staged: StagedRows, _ matching: Matching, progress: (Int) throws -> Void
    ) throws -> (rows: SavedRows, replacedCount: Int) {
        try beginHistory(changeCount: staged.count)
        let places =
            try matching == .byConstraints
            ? match(staged) { _ in } : StagedReplacements(runner.map.model, firstKeys: reserveKeys(for: staged))
        let spaces = runner.spaces
        let id = { (row: StagedRows.Row) in spaces.id(entityIndex: row.entityIndex, key: places.key(of: row)) }
        var done = 0
        try staged.forEachPiece(of: Self.pieceSize, id: id, where: places.isWritten) { _, piece in
            changes.insertions = piece
            saved.inserted.removeAll(keepingCapacity: true)
            try allocateKeys()
            try insert(replacing: adoptStored(places), without: [])
            try checkBlindConstraints()
            done += piece.count
            try progress(done)
        }
        if places.count > 0 { try unlinkFormerDestinations(of: staged, places, id: id) }
        try staged.forEachLinkChange(id: id) { try write($0) }
        try finishBookkeeping()
        return (saved, places.count)
    }

    /// - Returns: positions of the insertions whose rows are in the file.
    private mutating func adoptStored(_ places: StagedReplacements) -> Set<Int> {
        if places.count == 0 { return [] }
        var stored: Set<Int> = []
        for (index, insertion) in changes.insertions.enumerated()
        where places.isStored(insertion.id.key, entityIndex: insertion.entityIndex) {
            saved.inserted[index].replaced = true
            stored.insert(index)
        }
        return stored
    }

    /// When all rows are written, as any of them may lead to one whose place was taken.
    private mutating func unlinkFormerDestinations(
        of staged: StagedRows, _ places: StagedReplacements, id: (StagedRows.Row) -> ObjectID
    ) throws {
        let spaces = runner.spaces
        isStagedRow = { row in
            spaces.entityIndex(of: row).map { !places.isStored(row.key, entityIndex: $0) } ?? false
        }
        defer { isStagedRow = nil }
        try staged.forEachPiece(of: Self.pieceSize, id: id, where: places.replaces) { _, piece in
            changes.insertions = piece
            saved.inserted = piece.map { SavedRows.Inserted(id: $0.id, version: 1, replaced: true) }
            try unlinkFormerDestinations(except: [])
        }
    }

    /// The first key of each hierarchy's rows, at its root; above all keys where there are none.
    mutating func reserveKeys(for staged: StagedRows) throws -> PerEntity<Int64> {
        try PerEntity(runner.map.model) { entity in
            let count = staged.count(below: entity)
            if count == 0 { return .max }
            let storage = runner.map.entities[entity.index]
            return try keys.keys(count, number: storage.rootNumber, table: storage.table, connection).lowerBound
        }
    }
}

extension SaveRunner {
    /// - Returns: how many rows took the place of rows that were there.
    /// - Throws: as `save`.
    func save(
        _ staged: StagedRows, author: String?, _ connection: Connection, progress: (Int) throws -> Void,
        beforeCommit: (SavedRows) throws -> Void
    ) throws -> Int {
        var changes = ChangeSet()
        changes.author = author
        var replacedCount = 0
        func attempt(_ matching: SaveAttempt.Matching) throws {
            _ = try self.attempt(
                changes, connection,
                writing: { attempt in
                    let result = try attempt.run(staged, matching, progress: progress)
                    replacedCount = result.replacedCount
                    return result.rows
                }, beforeCommit: beforeCommit)
        }
        do {
            try attempt(.trusting)
        } catch is CollidingInsertion {
            do {
                // Files of values that are replaced are removed after the commit, which must not be lost then.
                try connection.withDurableCommits { try attempt(.byConstraints) }
            } catch let collision as CollidingInsertion {
                throw collision.violation
            }
        }
        return replacedCount
    }
}

extension SQLiteStore {
    /// Writes rows that all are new, all of them or none. Rows that must be unique and are there already get the values of
    /// the new ones.
    /// - Parameter progress: told of rows written so far; throws to stop.
    /// - Returns: how many rows took the place of rows that were there, or of each other.
    /// - Throws: `StoreAccessError.readOnly`, what saving throws, and what `progress` throws; nothing is written then.
    package func save(_ staged: StagedRows, author: String?, progress: (Int) throws -> Void) throws -> Int {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if staged.count == 0 { return 0 }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                try saveRunner.save(staged, author: author, connection, progress: progress) {
                    willCommit($0.transactionNumber)
                }
            }
        }
    }
}
