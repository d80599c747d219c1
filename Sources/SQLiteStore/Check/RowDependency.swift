import ObjectGraph
import StoreSQL

/// A reason why a row can be deleted only together with another: that row refers to it, has it as a member, or would be
/// deleted with it by a delete rule.
struct RowDependency {
    let row: ObjectID
    /// `nil` for a row of an unknown entity, which always survives.
    let other: ObjectID?
    /// The key that causes the dependency; `nil` for a join row.
    let place: LinkRepair.Place?
}

extension StoredKey {
    /// Whether deleting a row with the key cascades to its destination, or is denied while the destination exists.
    var dependsOnDestination: Bool {
        kind != .owned && relationship.dependsOnDestinations
    }
}

extension StoreChecker {
    /// Returns all dependencies of the rows: keys and join rows that refer to them, and destinations that a delete rule
    /// involves.
    func dependencies(of rows: Set<ObjectID>) throws -> [RowDependency] {
        var byTable: [String: [Int64: ObjectID]] = [:]
        for row in rows {
            guard let index = spaces.entityIndex(of: row) else { continue }
            byTable[map.entities[index].table, default: [:]][row.key] = row
        }
        var dependencies: [RowDependency] = []
        for (position, key) in layout.keys.enumerated() {
            if let rows = byTable[key.targetTable] { dependencies += try references(position, to: rows) }
            if key.dependsOnDestination, let rows = byTable[key.table] {
                dependencies += try destinations(position, of: rows)
            }
            if key.makesMember, let rows = byTable[key.table] { dependencies += try owners(position, of: rows) }
        }
        for join in layout.joins {
            for (end, other) in zip(join.ends, join.ends.reversed()) {
                guard let rows = byTable[end.table] else { continue }
                dependencies += try joinRows(join, end, other, of: rows)
            }
        }
        return dependencies
    }

    private func references(_ position: Int, to rows: [Int64: ObjectID]) throws -> [RowDependency] {
        let key = layout.keys[position]
        let sql =
            "SELECT r.\(key.column), r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn) FROM \(key.table) r "
            + "WHERE r.\(key.column) IN \(Self.listed)"
        return try pairs(sql, rows).map { row, other in
            RowDependency(row: row, other: other, place: other.map { LinkRepair.Place(key: position, row: $0) })
        }
    }

    private func destinations(_ position: Int, of rows: [Int64: ObjectID]) throws -> [RowDependency] {
        let key = layout.keys[position]
        let sql =
            "SELECT r.\(SystemTables.keyColumn), t.\(SystemTables.keyColumn), t.\(SystemTables.entityColumn) "
            + "FROM \(key.table) r JOIN \(key.targetTable) t ON t.\(SystemTables.keyColumn) = r.\(key.column) "
            + "WHERE \(key.hasKey) AND r.\(SystemTables.keyColumn) IN \(Self.listed)"
        return try pairs(sql, rows).map { row, other in
            RowDependency(row: row, other: other, place: LinkRepair.Place(key: position, row: row))
        }
    }

    /// Returns the rows that would lose the given rows as members.
    private func owners(_ position: Int, of rows: [Int64: ObjectID]) throws -> [RowDependency] {
        let key = layout.keys[position]
        let sql =
            "SELECT r.\(SystemTables.keyColumn), t.\(SystemTables.keyColumn), t.\(SystemTables.entityColumn) "
            + "FROM \(key.table) r JOIN \(key.targetTable) t ON t.\(SystemTables.keyColumn) = r.\(key.column) "
            + "AND coalesce(t.\(SystemTables.entityColumn), 0) NOT IN \(SQLList(key.foreignNumbers)) "
            + "WHERE \(key.hasKey) AND r.\(SystemTables.keyColumn) IN \(Self.listed)"
        return try pairs(sql, rows).map { row, other in
            RowDependency(row: row, other: other, place: LinkRepair.Place(key: position, row: row))
        }
    }

    private func joinRows(
        _ join: StoredJoin, _ end: StoredJoin.End, _ other: StoredJoin.End, of rows: [Int64: ObjectID]
    ) throws -> [RowDependency] {
        let sql =
            "SELECT j.\(end.column), t.\(SystemTables.keyColumn), t.\(SystemTables.entityColumn) FROM \(join.table) j "
            + "JOIN \(other.table) t ON t.\(SystemTables.keyColumn) = j.\(other.column) "
            + "WHERE NOT (\(join.isStray)) AND j.\(end.column) IN \(Self.listed)"
        return try pairs(sql, rows).map { RowDependency(row: $0, other: $1, place: nil) }
    }

    private static var listed: String { "(SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))" }

    /// - Parameter sql: A statement that selects the key of one of the rows, and the key and entity number of another row.
    private func pairs(_ sql: String, _ rows: [Int64: ObjectID]) throws -> [(row: ObjectID, other: ObjectID?)] {
        try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(rows.keys.sorted()), at: 1)
            var pairs: [(row: ObjectID, other: ObjectID?)] = []
            while try statement.step() {
                guard let row = rows[statement.integer(at: 0)] else { continue }
                let other = entityIndex(statement.integer(at: 2)).map {
                    spaces.id(entityIndex: $0, key: statement.integer(at: 1))
                }
                pairs.append((row, other))
            }
            return pairs
        }
    }
}
