import ObjectGraph

/// The queries by which a plan finds the rows of a delete.
package struct DeleteQueries: Sendable {
    private let dialect: any Dialect

    package init(_ dialect: any Dialect) { self.dialect = dialect }

    /// Selects the rows of a table whose column has one of the keys. If that takes a scan, the database may read an index
    /// instead of the table, provided that the index has all columns.
    package func rows(
        _ columns: [String], of table: String, where column: String, isAmong keys: KeySet, _ strategy: DeleteStrategy
    ) -> SQLText {
        let condition = KeyCondition(column, keys, strategy, dialect: dialect)
        return "SELECT \(list(columns)) FROM \(dialect.name(table))\(condition.text)"
    }

    /// Selects the rows of a table that any row of another one refers to. Each is looked up among the keys of the column,
    /// with its index if there is one, rather than by all of those keys.
    package func rows(
        _ columns: [String], of table: String, referredToBy column: String, in source: String
    ) -> SQLText {
        "SELECT \(list(columns)) FROM \(dialect.name(table)) WHERE \(dialect.unindexed(SQLText(SystemTables.keyColumn))) "
            + "IN (SELECT \(dialect.name(column)) FROM \(dialect.name(source)))"
    }

    /// Selects the owners and members of links with one of the members.
    package func links(of table: String, owner: String, member: String, to keys: KeySet) -> SQLText {
        "SELECT \(list([owner, member])) FROM \(dialect.name(table)) "
            + "WHERE \(dialect.isAmong(keys, SQLText(dialect.name(member)), by: .lookUp)) "
            + "AND \(dialect.name(owner)) IS NOT NULL"
    }

    private func list(_ columns: [String]) -> String { columns.map(dialect.name).joined(separator: ", ") }
}
