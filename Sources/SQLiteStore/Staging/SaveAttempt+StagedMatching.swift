import Foundation
import ObjectGraph
import StoreSQL

extension SaveAttempt {
    private static let matchedAtOnce = 1_000

    /// Finds the row that each staged one replaces by the constraints of its entity, as if they were written one after
    /// the other: one in the file, or an earlier staged row. A replaced row has the values of its last replacement. Only
    /// reads.
    /// - Parameter progress: Receives the number of examined rows; an error thrown here stops the search.
    /// - Throws: `ChangeSetError.keysExhausted`, `CellError`, `SQLiteError`, and the errors of `progress`.
    /// - Complexity: One statement for each row with a constraint, and each of its constraints.
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
                // The destination may itself have replaced a row and so have that row's key.
                let keys = plan.uniqueKeys(of: insertion.values) { value in
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

    private func existingKey(_ keys: [UniqueKey<Uniqueness>], _ found: StagedReplacements) throws -> Int64? {
        for key in keys {
            if let row = try runner.existingRow(key, connection)?.key,
                !found.isReplaced(row, entityIndex: key.entityIndex)
            {
                return row
            }
        }
        return nil
    }
}

/// The unique keys of the staged rows examined so far, and the last row with each. Stored in the database of staged rows.
private struct StagedClaims {
    private let connection: Connection

    /// - Throws: `SQLiteError`.
    init(_ staged: StagedRows) throws {
        connection = staged.connection
        for statement in StagingTables.createClaimStatements { try connection.execute(statement) }
    }

    func first(of keys: [UniqueKey<Uniqueness>], where isWanted: (StagedRows.Row) -> Bool) throws -> StagedRows.Row? {
        for key in keys {
            let found = try connection.withStatement(StagingTables.selectClaim) { statement in
                try statement.bind(Self.bytes(of: key), at: 1)
                return try statement.step() ? StagedRows.Row(number: statement.integer(at: 0)) : nil
            }
            if let found, isWanted(found) { return found }
        }
        return nil
    }

    /// Makes this row the last one with the keys.
    func add(_ keys: [UniqueKey<Uniqueness>], of row: StagedRows.Row) throws {
        for key in keys {
            try connection.withStatement(StagingTables.insertClaim) { statement in
                try statement.bind(Self.bytes(of: key), at: 1)
                try statement.bind(row.number, at: 2)
                try statement.run()
            }
        }
    }

    private static func bytes(of key: UniqueKey<Uniqueness>) -> Data {
        var found = ValueBytes()
        found.append(.integer(Int64(key.entityIndex)))
        for name in key.constraint.columns { found.append(.text(name)) }
        for value in key.values {
            if case .reference(let id) = value { found.append(.integer(id.key)) } else { found.append(value) }
        }
        return found.bytes
    }
}
