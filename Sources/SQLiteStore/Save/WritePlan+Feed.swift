import ObjectGraph
import StoreSQL

/// Insertions from a `RowFeed`.
extension WritePlan {
    /// How primary keys are assigned.
    enum KeyAllocation {
        /// By the table: the highest existing key plus one.
        case table
        /// By the row itself.
        case row
    }

    /// Whether a feed has enough columns for the key and the others.
    var fitsFeed: Bool { columns.reduce(1) { $0 + $1.names.count } <= SQLNames.feedColumnCount }

    /// Returns a statement that inserts the rows of a feed, whose first column is the key. The columns must fit.
    func feedText(_ keys: KeyAllocation) -> String {
        let names = columns.flatMap(\.names)
        let key = keys == .row ? [(SystemTables.keyColumn, SQLNames.feedColumn(0))] : []
        let fixed = [(SystemTables.entityColumn, "\(storage.entityNumber)"), (SystemTables.versionColumn, "1")]
        let all = key + fixed + names.enumerated().map { ($1, SQLNames.feedColumn($0 + 1)) }
        return "INSERT INTO \(storage.table) (\(all.map(\.0).joined(separator: ", "))) "
            + "SELECT \(all.map(\.1).joined(separator: ", ")) FROM \(SQLNames.feed)(?)"
    }
}
