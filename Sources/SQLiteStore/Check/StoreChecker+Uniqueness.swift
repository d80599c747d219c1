import ObjectGraph
import StoreSQL

/// A uniqueness constraint of the model and the entity that declares it.
struct StoredUniqueness: Sendable {
    let entity: Entity
    let properties: [String]
    let rows: EqualRows

    var place: String { properties.joined(separator: ", ") }
}

extension StoreChecker {
    /// Finds uniqueness constraints without an index, and rows that violate one. Where a unique index exists, SQLite's
    /// integrity check has already looked for equal rows, as far as the index compares them.
    var uniquenessFaults: [CheckTask] {
        layout.uniqueness.map { constraint in
            CheckTask(constraint.rows.table) {
                let isKept = try hasIndex(constraint.rows)
                let missing = StoreFinding(
                    .missingUniqueIndex, .warning, entity: constraint.entity.name, property: constraint.place, count: 1)
                let equal =
                    !isKept || constraint.rows.uniqueness.missesEqualNulls
                    ? try equalRows(constraint).map { [$0] } ?? [] : []
                return equal + (isKept ? [] : [missing])
            }
        }
    }

    /// Counts every row that equals another one.
    private func equalRows(_ constraint: StoredUniqueness) throws -> StoreFinding? {
        let (primary, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        let columns = constraint.rows.uniqueness.columns.map { "r.\($0)" }.joined(separator: ", ")
        let (count, examples) = try sample(
            "SELECT m, e, count(*) OVER () FROM (SELECT r.\(primary) AS m, r.\(entity) AS e, "
                + "count(*) OVER (PARTITION BY \(columns)) AS n FROM \(constraint.rows.table) r "
                + "WHERE \(constraint.rows.binds("r"))) WHERE n > 1 ORDER BY m", constraint.entity)
        guard count > 0 else { return nil }
        return StoreFinding(
            .equalRows, .error, entity: constraint.entity.name, property: constraint.place, count: count,
            examples: examples)
    }

    /// Whether the file has a unique, non-partial index over the constraint's columns, in any order.
    private func hasIndex(_ rows: EqualRows) throws -> Bool {
        let sql =
            "SELECT list.name, column.name FROM pragma_index_list('\(rows.table)') AS list "
            + "JOIN pragma_index_info(list.name) AS column WHERE list.\"unique\" = 1 AND list.partial = 0"
        let indexes = try connection.withStatement(sql) { statement in
            var indexes: [String: Set<String>] = [:]
            while try statement.step() {
                indexes[statement.text(at: 0), default: []].insert(statement.text(at: 1).uppercased())
            }
            return indexes
        }
        return indexes.values.contains(Set(rows.uniqueness.columns.map { $0.uppercased() }))
    }
}
