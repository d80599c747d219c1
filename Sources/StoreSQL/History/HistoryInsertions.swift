import ObjectGraph

/// The statements that write history.
package struct HistoryInsertions: Sendable {
    private typealias Change = HistoryTables.Change
    private typealias Names = HistoryTables.Transaction
    private typealias Text = HistoryTables.Text

    private let dialect: any Dialect
    /// Inserts a change. The parameters are its key, kind, entity number, the row's key, the transaction's number and the
    /// changed columns.
    package let change: String

    package init(_ dialect: any Dialect) {
        self.dialect = dialect
        let values = (2...6).map(dialect.placeholder).joined(separator: ", ")
        change =
            Self.head("", .given) + " VALUES (\(dialect.placeholder(1)), \(Change.entityNumber), \(values))"
    }

    /// How the rows of a list get their keys.
    package enum Numbering {
        case given
        /// The table assigns the keys.
        case next
    }

    // MARK: Transactions

    /// Inserts a transaction. The parameters are its number, its time, and the values of the columns.
    package func transaction(_ columns: [String]) -> String {
        let values = (2..<(columns.count + 3)).map(dialect.placeholder).joined(separator: ", ")
        return "INSERT INTO \(Names.table) (\(SystemTables.keyColumn), \(SystemTables.entityColumn), "
            + "\(Names.timestamp), \(columns.joined(separator: ", "))) "
            + "VALUES (\(dialect.placeholder(1)), \(Names.entityNumber), \(values))"
    }

    /// Selects the key of an interned text.
    package static func key(ofText text: String) -> SQLText {
        "SELECT \(SystemTables.keyColumn) FROM \(Text.table) WHERE \(Text.name) = \(.text(text))"
    }

    /// Interns a text.
    package static func text(_ text: String, key: Int64) -> SQLText {
        "INSERT INTO \(Text.table) (\(SystemTables.keyColumn), \(SystemTables.entityColumn), \(Text.name)) "
            + "VALUES (\(.integer(key)), \(Text.entityNumber), \(.text(text)))"
    }

    // MARK: Changes of many rows

    /// Like `change`, but the fourth parameter is a list of keys: inserts one change for each, numbered in their order.
    package func changes(_ numbering: Numbering) -> String {
        let rows = dialect.keyTable(4)
        return Self.head("", numbering)
            + " SELECT \(number(rows, numbering))\(Change.entityNumber), \(parameters(2, 3)), \(rows.key), "
            + "\(parameters(5, 6)) FROM \(rows.source)"
    }

    /// Inserts one change for each key in a list. The parameters are the first change's key, kind, entity number, the
    /// transaction's number, the changed columns and the list.
    /// - Parameter tombstones: The values that are kept of deleted rows, which must still exist.
    package func changes(_ numbering: Numbering, tombstones: HistoryLayout.Tombstones?) -> String {
        let rows = dialect.keyTable(6)
        let kept = tombstones?.columns.map { ", " + ($0.map(dialect.name) ?? "NULL") }.joined() ?? ""
        let join = tombstones.map {
            " \(dialect.joinInOrder) \(dialect.name($0.table)) ON \(SystemTables.keyColumn) = \(rows.key)"
        }
        return Self.head(tombstones?.names ?? "", numbering)
            + " SELECT \(number(rows, numbering))\(Change.entityNumber), \(parameters(2, 3)), \(rows.key), "
            + "\(parameters(4, 5))\(kept) FROM \(rows.source)\(join ?? "")"
    }

    private static func head(_ moreColumns: String, _ numbering: Numbering) -> String {
        let key = numbering == .given ? "\(SystemTables.keyColumn), " : ""
        return "INSERT INTO \(Change.table) (\(key)\(SystemTables.entityColumn), \(Change.changeType), "
            + "\(Change.entity), \(Change.key), \(Change.transaction), \(Change.columns)\(moreColumns))"
    }

    /// The key of a change; parameter 1 is that of the first one.
    private func number(_ rows: KeyTable, _ numbering: Numbering) -> String {
        numbering == .given ? "\(dialect.parameter(1)) + \(rows.position), " : ""
    }

    private func parameters(_ first: Int, _ second: Int) -> String {
        "\(dialect.parameter(first)), \(dialect.parameter(second))"
    }
}
