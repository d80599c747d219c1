import ObjectGraph

/// The queries for rows that refer to others.
package struct LinkQueries {
    private static let key = SystemTables.keyColumn
    private let dialect: any Dialect

    package init(_ dialect: any Dialect) { self.dialect = dialect }

    /// Selects key and entity number of the rows that refer to a row.
    package func rows(of table: String, referringTo key: Int64, by column: String) -> SQLText {
        "SELECT \(Self.key), \(SystemTables.entityColumn) FROM \(dialect.name(table)) "
            + "WHERE \(dialect.name(column)) = \(.integer(key))"
    }

    /// Selects those of the rows that refer to a row that does not refer back.
    /// - Parameter back: The column in which the other row would refer back.
    package func rows(among keys: KeySet, of table: String, by columns: KeyColumns, notBackBy back: String) -> SQLText {
        let (own, other): (SQLText, SQLText) = ("t.\(Self.key)", "d.\(dialect.name(back))")
        let reference = "t.\(dialect.name(columns.key))"
        return "SELECT \(own) FROM \(dialect.name(table)) t LEFT JOIN \(dialect.name(columns.destinationTable)) d "
            + "ON d.\(Self.key) = \(reference) WHERE \(dialect.isAmong(keys, own, by: .lookUp)) "
            + "AND \(reference) IS NOT NULL AND \(dialect.differ(other, own))"
    }
}
