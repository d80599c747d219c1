import ObjectGraph

/// Finds rows of a table that violate a uniqueness constraint together. Because the file's index detects them only in
/// part (`Uniqueness`, 3), the rows are compared here, found with the index, NULLs included.
package struct EqualRows {
    package let table: String
    package let uniqueness: Uniqueness
    private let dialect: any Dialect

    package init(table: String, uniqueness: Uniqueness, dialect: any Dialect) {
        self.table = table
        self.uniqueness = uniqueness
        self.dialect = dialect
    }

    private var tableName: String { dialect.name(table) }
    private var columns: [String] { uniqueness.columns.map(dialect.name) }

    /// A condition that is true if the constraint applies to the first row and the second one equals it. Both are
    /// aliases, possibly of the same row.
    package func areEqual(_ row: String, _ other: String) -> SQLText {
        let agreements = columns.map { dialect.areSame("\(other).\($0)", "\(row).\($0)") }
        return ([SQLText(binds(row))] + agreements).joined(separator: " AND ")
    }

    /// A condition that is true if the constraint applies to the row with this alias.
    package func binds(_ row: String) -> String {
        uniqueness.parts.map { part in
            "(" + part.columns.map { "\(row).\(dialect.name($0)) IS NOT NULL" }.joined(separator: " OR ") + ")"
        }.joined(separator: " AND ")
    }

    /// Returns a row if any two rows of the table are equal.
    package var anywhere: SQLText {
        SQLText(
            "SELECT 1 FROM \(tableName) a WHERE \(binds("a")) "
                + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1")
    }

    /// Selects the first of the rows with these keys that another row of the table equals.
    package func first(among keys: KeySet) -> SQLText {
        let key = SystemTables.keyColumn
        return """
            SELECT a.\(key) FROM \(tableName) a \(dialect.joinInOrder) \(tableName) b ON b.\(key) <> a.\(key) \
            AND \(areEqual("a", "b")) WHERE \(dialect.isAmong(keys, "a.\(key)", by: .lookUp)) LIMIT 1
            """
    }

    /// Selects an existing row that a row with these values would equal. The constraint must apply to the values.
    /// - Parameters:
    ///   - cells: One cell for each of the constraint's columns.
    ///   - entityNumber: The entity number of the compared rows; `nil` for all.
    package func key(of cells: [Cell], entityNumber: Int? = nil) -> SQLText {
        var tests = zip(columns, cells).map { dialect.areSame(SQLText($0), .cell($1)) }
        // In the index of entities, all rows may be alike.
        if let entityNumber {
            tests.append("\(dialect.unindexed(SQLText(SystemTables.entityColumn))) = \(entityNumber)")
        }
        return "SELECT \(SystemTables.keyColumn) FROM \(tableName) WHERE \(tests.joined(separator: " AND ")) LIMIT 1"
    }
}
