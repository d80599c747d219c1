import ObjectGraph

extension SaveAttempt {
    /// The number of rows written at once, to limit memory. Within one piece, a statement's position in the table is
    /// found once for many rows.
    private static let pieceSize = 5_000

    /// Writes new rows like `run` writes those of one change set, with the author of `changes`.
    /// - Parameters:
    ///   - matching: By constraints, rows replace others; trusting, such a row ends the attempt.
    ///   - progress: Receives the number of written rows; an error thrown here stops the attempt.
    /// - Returns: The result of the last piece only, and the number of rows that replaced another one.
    /// - Throws: `CollidingInsertion`, and the errors of `SaveRunner.save`.
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
            try checkConstraintsWithNulls()
            done += piece.count
            try progress(done)
        }
        if places.count > 0 { try unlinkFormerDestinations(of: staged, places, id: id) }
        try staged.forEachLinkChange(id: id) { try write($0) }
        try finishBookkeeping()
        return (saved, places.count)
    }

    /// - Returns: The positions of insertions whose rows exist in the file.
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

    /// Runs after all rows are written, because any of them may refer to a replaced row.
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

    /// Returns the first key of the new rows of each hierarchy, at its root; a number above all keys for hierarchies
    /// without new rows.
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
    /// - Returns: The number of existing rows that were replaced.
    /// - Throws: The errors of `save`.
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
                // The files of replaced values are removed after the commit, so the commit must not be lost.
                try connection.withDurableCommits { try attempt(.byConstraints) }
            } catch let collision as CollidingInsertion {
                throw collision.violation
            }
        }
        return replacedCount
    }
}
