import ObjectGraph

/// The statements that read and write the counters of assigned keys.
package struct KeyCounters: Sendable {
    private typealias Names = SystemTables.PrimaryKey

    /// Sets the highest assigned key of a counter. The parameters are the key and the counter's entity number.
    package let setHighestKey: String
    private let highestKey: String

    package init(_ dialect: any Dialect) {
        let (first, second) = (dialect.placeholder(1), dialect.placeholder(2))
        setHighestKey = "UPDATE \(Names.table) SET \(Names.highestKey) = \(first) WHERE \(Names.entity) = \(second)"
        highestKey = "SELECT \(Names.highestKey) FROM \(Names.table) WHERE \(Names.entity) = \(first)"
    }

    /// Selects the highest assigned key of a counter, which is NULL without a row, and the highest key of a table. The
    /// parameter is the counter's entity number.
    package func highestKeys(table: String) -> String {
        "SELECT (\(highestKey)), (SELECT max(\(SystemTables.keyColumn)) FROM \(table))"
    }

    /// Selects all rows by number, with the columns of `PrimaryKeyRow`.
    package static let rows =
        "SELECT \(Names.entity), \(Names.name), \(Names.superentity), \(Names.highestKey) FROM \(Names.table) "
        + "ORDER BY \(Names.entity)"
}
