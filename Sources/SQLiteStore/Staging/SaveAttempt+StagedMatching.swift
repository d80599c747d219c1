import Foundation
import ObjectGraph

extension SaveAttempt {
    private static let matchedAtOnce = 1_000

    /// Finds the row each staged one belongs to, by the constraints of its entity, as if they were written one after the
    /// other: one in the file, or an earlier one of the staged rows. A row that has been taken has the values of whoever
    /// took it last. Only reads.
    /// - Parameter progress: told of rows looked at; throws to stop.
    /// - Throws: `ChangeSetError.keysExhausted`, `CellError`, `SQLiteError`, and what `progress` throws.
    /// - Complexity: One statement for each row that must be unique, and each of its constraints.
    mutating func match(_ staged: StagedRows, progress: (Int) throws -> Void) throws -> StagedReplacements {
        let plans = runner.plans
        var found = StagedReplacements(runner.map.model, firstKeys: try reserveKeys(for: staged))
        guard plans.contains(where: { !$0.storage.uniqueness.isEmpty && staged.count(of: $0.entity) > 0 }) else {
            return found
        }
        let claims = try StagedClaims(staged)
        let (spaces, places) = (runner.spaces, found)
        let id = { (row: StagedRows.Row) in spaces.id(entityIndex: row.entityIndex, key: places.ownKey(of: row)) }
        var done = 0
        try staged.forEachPiece(of: Self.matchedAtOnce, id: id) { rows, piece in
            for (row, insertion) in zip(rows, piece) {
                let plan = plans[row.entityIndex]
                // A row that another one leads to may have taken a place by now.
                let keys = plan.uniqueKeys(of: insertion.values, plan.storage.uniqueness) { value in
                    guard case .reference(let id) = value, let index = spaces.entityIndex(of: id) else { return value }
                    let key = found.key(of: found.row(owning: id.key, entityIndex: index))
                    return .reference(spaces.id(entityIndex: index, key: key))
                }
                let earlier = try claims.first(of: keys, where: found.isWritten)
                if let other = try earlier.map(found.key) ?? existingKey(keys, found) { found.take(other, for: row) }
                try claims.add(keys, of: row)
            }
            done += piece.count
            try progress(done)
        }
        return found
    }

    private func existingKey(_ keys: [UniqueKey], _ found: StagedReplacements) throws -> Int64? {
        for key in keys {
            if let row = try runner.existingRow(key, connection)?.key,
                !found.isTaken(row, entityIndex: key.entityIndex)
            {
                return row
            }
        }
        return nil
    }
}

/// The unique keys of staged rows that were looked at, and which of them had each last. They wait beside the rows.
private struct StagedClaims {
    private let connection: Connection

    /// - Throws: `SQLiteError`.
    init(_ staged: StagedRows) throws {
        connection = staged.connection
        for statement in StagingTables.createClaimStatements { try connection.execute(statement) }
    }

    func first(of keys: [UniqueKey], where isWanted: (StagedRows.Row) -> Bool) throws -> StagedRows.Row? {
        for key in keys {
            let found = try connection.withStatement(StagingTables.selectClaim) { statement in
                try statement.bind(Self.bytes(of: key), at: 1)
                return try statement.step() ? StagedRows.Row(number: statement.integer(at: 0)) : nil
            }
            if let found, isWanted(found) { return found }
        }
        return nil
    }

    /// What was claimed before is this row's from now on.
    func add(_ keys: [UniqueKey], of row: StagedRows.Row) throws {
        for key in keys {
            try connection.withStatement(StagingTables.insertClaim) { statement in
                try statement.bind(Self.bytes(of: key), at: 1)
                try statement.bind(row.number, at: 2)
                try statement.run()
            }
        }
    }

    private static func bytes(of key: UniqueKey) -> Data {
        var found = ValueBytes()
        found.append(.integer(Int64(key.entityIndex)))
        for name in key.uniqueness.columns { found.append(.text(name)) }
        for value in key.values {
            if case .reference(let id) = value { found.append(.integer(id.key)) } else { found.append(value) }
        }
        return found.bytes
    }
}

extension SQLiteStore {
    /// How many of rows that all are new would take the place of rows that are there, or of each other: what `save`
    /// comes to, told before anything is written.
    /// - Parameter progress: told of rows looked at; throws to stop.
    /// - Throws: `ChangeSetError.keysExhausted`, `CellError`, `SQLiteError`, and what `progress` throws.
    package func replacedCount(of staged: StagedRows, progress: (Int) throws -> Void = { _ in }) throws -> Int {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                var attempt = SaveAttempt(runner: saveRunner, changes: ChangeSet(), connection: connection)
                return try attempt.match(staged, progress: progress).count
            }
        }
    }
}
