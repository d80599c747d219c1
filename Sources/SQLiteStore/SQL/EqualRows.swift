import ObjectGraph

/// Rows of a table that a uniqueness constraint does not let stand beside each other. The file's index answers that in part
/// only (`Uniqueness`, 3); here the rows themselves are asked. They are looked up in the index, nulls included.
struct EqualRows {
    let table: String
    let uniqueness: Uniqueness

    /// True where the constraint binds the one row and the other agrees with it. Both are given by their aliases, and may be
    /// the same row.
    func areEqual(_ row: String, _ other: String) -> SQLText {
        let tests = binding(row) + uniqueness.columns.map { "\(other).\($0) IS \(row).\($0)" }
        return SQLText(tests.joined(separator: " AND "))
    }

    private func binding(_ row: String) -> [String] {
        uniqueness.parts.map { part in
            "(" + part.columns.map { "\(row).\($0) IS NOT NULL" }.joined(separator: " OR ") + ")"
        }
    }

    /// Gives a row if any two of the table are equal.
    var anywhere: SQLText {
        SQLText(
            "SELECT 1 FROM \(table) a WHERE \(binding("a").joined(separator: " AND ")) "
                + "GROUP BY \(uniqueness.columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1")
    }

    /// One of the rows with these keys that another row of the table equals; `nil` where there is none.
    /// - Complexity: One statement; one lookup for each key.
    func first(among keys: KeySet, _ connection: Connection) throws -> Int64? {
        let key = SystemTables.keyColumn
        let text: SQLText =
            """
            SELECT a.\(key) FROM \(table) a CROSS JOIN \(table) b ON b.\(key) <> a.\(key) AND \(areEqual("a", "b")) \
            WHERE a.\(key) IN \(.listed(keys)) LIMIT 1
            """
        return try connection.withStatement(text) { try $0.step() ? $0.integer(at: 0) : nil }
    }

    /// A row that a row of these values, to which the constraint applies, would equal.
    /// - Parameters:
    ///   - cells: one for each of the constraint's columns.
    ///   - entityNumber: whose rows are looked at; `nil` for all.
    func key(of cells: [Cell], entityNumber: Int? = nil, _ connection: Connection) throws -> Int64? {
        var tests = zip(uniqueness.columns, cells).map { "\($0) IS \(.cell($1))" as SQLText }
        // Not by the index of entities, in which all rows may be alike.
        if let entityNumber { tests.append("+\(SystemTables.entityColumn) = \(entityNumber)") }
        let text: SQLText =
            "SELECT \(SystemTables.keyColumn) FROM \(table) WHERE \(tests.joined(separator: " AND ")) LIMIT 1"
        return try connection.withStatement(text) { try $0.step() ? $0.integer(at: 0) : nil }
    }
}
