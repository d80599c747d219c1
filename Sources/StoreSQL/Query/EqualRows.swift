import ObjectGraph

/// Finds rows of a table that violate a uniqueness constraint together. Because the file's index detects them only in
/// part (`Uniqueness`, 3), the rows are compared here, found with the index, NULLs included.
package struct EqualRows {
    package let table: String
    package let uniqueness: Uniqueness

    package init(table: String, uniqueness: Uniqueness) {
        self.table = table
        self.uniqueness = uniqueness
    }

    /// A condition that is true if the constraint applies to the first row and the second one equals it. Both are
    /// aliases, possibly of the same row.
    package func areEqual(_ row: String, _ other: String) -> SQLText {
        let agreements = uniqueness.columns.map { "\(other).\($0) IS \(row).\($0)" }
        return SQLText(([binds(row)] + agreements).joined(separator: " AND "))
    }

    /// A condition that is true if the constraint applies to the row with this alias.
    package func binds(_ row: String) -> String {
        uniqueness.parts.map { part in
            "(" + part.columns.map { "\(row).\($0) IS NOT NULL" }.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }

    /// Returns a row if any two rows of the table are equal.
    package var anywhere: SQLText {
        SQLText(
            "SELECT 1 FROM \(table) a WHERE \(binds("a")) "
                + "GROUP BY \(uniqueness.columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1")
    }

    /// Selects the first of the rows with these keys that another row of the table equals.
    package func first(among keys: KeySet) -> SQLText {
        let key = SystemTables.keyColumn
        return """
            SELECT a.\(key) FROM \(table) a CROSS JOIN \(table) b ON b.\(key) <> a.\(key) AND \(areEqual("a", "b")) \
            WHERE a.\(key) IN \(.listed(keys)) LIMIT 1
            """
    }

    /// Selects an existing row that a row with these values would equal. The constraint must apply to the values.
    /// - Parameters:
    ///   - cells: One cell for each of the constraint's columns.
    ///   - entityNumber: The entity number of the compared rows; `nil` for all.
    package func key(of cells: [Cell], entityNumber: Int? = nil) -> SQLText {
        var tests = zip(uniqueness.columns, cells).map { "\($0) IS \(.cell($1))" as SQLText }
        // Keeps SQLite from using the index of entities, in which all rows may be alike.
        if let entityNumber { tests.append("+\(SystemTables.entityColumn) = \(entityNumber)") }
        return "SELECT \(SystemTables.keyColumn) FROM \(table) WHERE \(tests.joined(separator: " AND ")) LIMIT 1"
    }
}
