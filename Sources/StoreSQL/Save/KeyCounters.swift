import ObjectGraph

/// The statements that read and write the counters of assigned keys.
package enum KeyCounters {
    private typealias Names = SystemTables.PrimaryKey

    /// Selects the highest assigned key of a counter, which is NULL without a row, and the highest key of a table.
    /// - Parameter number: The entity number of the counter.
    package static func highestKeys(_ number: Int, table: String) -> SQLText {
        "SELECT (SELECT \(Names.highestKey) FROM \(Names.table) WHERE \(Names.entity) = \(.integer(Int64(number)))), "
            + "(SELECT max(\(SystemTables.keyColumn)) FROM \(table))"
    }

    /// Sets the highest assigned key of a counter.
    package static func setHighestKey(_ key: Int64, of number: Int) -> SQLText {
        "UPDATE \(Names.table) SET \(Names.highestKey) = \(.integer(key)) "
            + "WHERE \(Names.entity) = \(.integer(Int64(number)))"
    }

    /// Selects all rows by number, with the columns of `PrimaryKeyRow`.
    package static let rows =
        "SELECT \(Names.entity), \(Names.name), \(Names.superentity), \(Names.highestKey) FROM \(Names.table) "
        + "ORDER BY \(Names.entity)"
}
