/// The statements that read and prune the history of one file. Pure texts, made once per store: they name only columns
/// that the file has.
struct HistoryQueries: Sendable {
    private typealias Change = HistoryTables.Change
    private typealias Names = HistoryTables.Transaction
    private typealias Text = HistoryTables.Text
    private static let key = SystemTables.keyColumn

    /// Columns: number, time, then the texts in the order of `HistoryTables.Transaction.texts`.
    /// Parameters: the number to read on from, the most rows.
    let transactions: String
    /// Columns: as `ChangeColumn`, then the tombstones. Parameters: first number (excluded), last number (included).
    let changes: String
    let tombstoneCount: Int
    /// Removes texts that no transaction refers to; `nil` where texts are not interned.
    let pruneTexts: String?

    enum ChangeColumn {
        static let number = 0
        static let transaction = 1
        static let kind = 2
        static let entity = 3
        static let key = 4
        static let columns = 5
        static let firstTombstone = 6
    }

    init(tables: FileTables) {
        let hasTexts = tables.table(Text.table) != nil
        let found = tables.table(Names.table)
        let texts = Names.texts.map { text in
            TextColumns(
                plain: found?.column(text.plain), interned: hasTexts ? found?.column(text.interned) : nil)
        }
        tombstoneCount = tables.tombstoneCount
        transactions = Self.transactions(texts)
        let tombstones = (0..<tombstoneCount).map(Change.tombstone)
        let columns = [Self.key, Change.transaction, Change.changeType, Change.entity, Change.key, Change.columns]
        changes =
            "SELECT \((columns + tombstones).joined(separator: ", ")) FROM \(Change.table) "
            + "WHERE \(Self.inRange) ORDER BY \(Self.order)"
        pruneTexts = hasTexts ? Self.pruneTexts(texts.compactMap(\.interned)) : nil
    }

    /// Where a file has one text of a transaction.
    private struct TextColumns {
        let plain: String?
        let interned: String?
    }

    private static func transactions(_ texts: [TextColumns]) -> String {
        var columns = ["t.\(key)", "t.\(Names.timestamp)"]
        var joins = ""
        for (index, text) in texts.enumerated() {
            let plain = text.plain.map { "t.\($0)" } ?? "NULL"
            guard let interned = text.interned else {
                columns.append(plain)
                continue
            }
            columns.append("coalesce(s\(index).\(Text.name), \(plain))")
            joins += " LEFT JOIN \(Text.table) AS s\(index) ON s\(index).\(key) = t.\(interned)"
        }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(Names.table) AS t\(joins) "
            + "WHERE t.\(key) > ? ORDER BY t.\(key) LIMIT ?"
    }

    // MARK: Any file

    private static let inRange = "\(Change.transaction) > ? AND \(Change.transaction) <= ?"
    private static let inList =
        "\(Change.transaction) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"
    private static let order = "\(Change.transaction), \(key)"

    /// Oldest number, newest number, the counter of numbers.
    static let bounds =
        "SELECT (SELECT min(\(key)) FROM \(Names.table)), (SELECT max(\(key)) FROM \(Names.table)), "
        + "(SELECT \(SystemTables.PrimaryKey.highestKey) FROM \(SystemTables.PrimaryKey.table) "
        + "WHERE \(SystemTables.PrimaryKey.entity) = \(Names.entityNumber))"

    /// The newest number below one. Parameter: that number.
    static let newestBefore = "SELECT max(\(key)) FROM \(Names.table) WHERE \(key) > 0 AND \(key) < ?"

    /// How many of the listed transactions there are. Parameter: a `ValueList`.
    static let countListed =
        "SELECT count(*) FROM \(Names.table) "
        + "WHERE \(key) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"

    private static let keysHead = "SELECT \(Change.changeType), \(Change.entity), \(Change.key) FROM \(Change.table)"

    /// Columns: kind, entity number, key. Parameters: first number (excluded), last number (included).
    static let keysInRange = "\(keysHead) WHERE \(inRange) ORDER BY \(order)"

    /// The same of listed transactions. Parameters: a `ValueList`, the most rows.
    static let keysListed = "\(keysHead) WHERE \(inList) ORDER BY \(order) LIMIT ?"

    // MARK: Pruning

    /// The first transaction not before a time.
    static let firstSince =
        "SELECT \(key) FROM \(Names.table) WHERE \(Names.timestamp) >= ? ORDER BY \(key) LIMIT 1"

    static let pruneChanges = "DELETE FROM \(Change.table) WHERE \(Change.transaction) < ?"
    static let pruneTransactions = "DELETE FROM \(Names.table) WHERE \(key) < ?"

    private static func pruneTexts(_ columns: [String]) -> String? {
        guard !columns.isEmpty else { return nil }
        let unused = columns.map { column in
            "NOT EXISTS (SELECT 1 FROM \(Names.table) WHERE \(column) = \(Text.table).\(key))"
        }
        return "DELETE FROM \(Text.table) WHERE \(unused.joined(separator: " AND "))"
    }
}
