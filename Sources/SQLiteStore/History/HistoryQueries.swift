import ObjectGraph
import StoreSQL

/// The statements that read and prune the history of one file. Pure texts, made once per store; they use only columns
/// that the file has.
struct HistoryQueries: Sendable {
    private typealias Change = HistoryTables.Change
    private typealias Names = HistoryTables.Transaction
    private typealias Text = HistoryTables.Text
    private static let key = SystemTables.keyColumn

    /// Selects number, time, then the texts in the order of `HistoryTables.Transaction.texts`, without a condition.
    private let transactionsHead: String
    /// Joins of the interned texts.
    private let joins: String
    /// The SQL expression for each text of a transaction.
    private let texts: [HistoryText: String]
    /// Entity numbers by entity name.
    private let entityNumbers: [String: Int64]
    /// A condition for changes of known kinds and of entities in the model.
    private let isKnown: SQLText
    /// Selects the columns of `ChangeColumn`, then the tombstones. Parameters: first number (excluded), last number
    /// (included).
    let changes: String
    /// Like `changes`, for listed transactions. Parameter: a `ValueList`.
    let changesListed: String
    private let changesHead: String
    let tombstoneCount: Int
    /// Removes texts that no transaction refers to; `nil` if texts are not interned.
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

    init(map: StorageMap, tables: FileTables) {
        entityNumbers = Dictionary(
            zip(map.model.entities.map(\.name), map.entities.map { Int64($0.entityNumber) })
        ) { first, _ in first }
        let kinds = HistoryLayout.ChangeKind.allCases.map { String($0.rawValue) }.joined(separator: ", ")
        let numbers = Set(entityNumbers.values).sorted().map(String.init).joined(separator: ", ")
        isKnown = SQLText("\(Change.changeType) IN (\(kinds)) AND \(Change.entity) IN (\(numbers))")
        let hasTexts = tables.table(Text.table) != nil
        let found = tables.table(Names.table)
        let columnsOfTexts = Names.texts.map { text in
            TextColumns(
                plain: found?.column(text.plain), interned: hasTexts ? found?.column(text.interned) : nil)
        }
        tombstoneCount = tables.tombstoneCount
        let expressions = columnsOfTexts.enumerated().map { $1.expression($0) }
        texts = Dictionary(zip(Self.textOrder, expressions)) { first, _ in first }
        joins = Self.joins(columnsOfTexts)
        let head = ["t.\(Self.key)", "t.\(Names.timestamp)"] + expressions
        transactionsHead = "SELECT \(head.joined(separator: ", ")) FROM \(Names.table) AS t\(joins)"
        let tombstones = (0..<tombstoneCount).map(Change.tombstone)
        let columns = [Self.key, Change.transaction, Change.changeType, Change.entity, Change.key, Change.columns]
        changesHead = "SELECT \((columns + tombstones).joined(separator: ", ")) FROM \(Change.table) "
        changes = changesHead + "WHERE \(Self.inRange) ORDER BY \(Self.order)"
        changesListed = changesHead + "WHERE \(Self.inList) ORDER BY \(Self.order)"
        pruneTexts = hasTexts ? Self.pruneTexts(columnsOfTexts.compactMap(\.interned)) : nil
    }

    // MARK: Transactions

    /// The order of `HistoryTables.Transaction.texts`.
    private static let textOrder: [HistoryText] = [.author, .contextName, .processID, .bundleID]

    /// The columns that may hold one text of a transaction.
    private struct TextColumns {
        let plain: String?
        let interned: String?

        /// - Parameter index: The position of the text, by which the joined table is named.
        func expression(_ index: Int) -> String {
            let plain = plain.map { "t.\($0)" } ?? "NULL"
            return interned == nil ? plain : "coalesce(s\(index).\(Text.name), \(plain))"
        }
    }

    private static func joins(_ texts: [TextColumns]) -> String {
        texts.enumerated().reduce(into: "") { joins, text in
            guard let interned = text.element.interned else { return }
            let alias = "s\(text.offset)"
            joins += " LEFT JOIN \(Text.table) AS \(alias) ON \(alias).\(key) = t.\(interned)"
        }
    }

    /// Selects the next transactions that pass a test, in order.
    func transactions(
        after number: Int64, where test: HistoryTest, limit: Int, storeIdentifier: String
    ) -> SQLText {
        "\(transactionsHead) WHERE t.\(Self.key) > \(.integer(number)) AND \(condition(test, storeIdentifier)) "
            + "ORDER BY t.\(Self.key) LIMIT \(.integer(Int64(limit)))"
    }

    /// Selects the transactions before a number that pass a test, newest first.
    func newest(
        before number: Int64, where test: HistoryTest, limit: Int, storeIdentifier: String
    ) -> SQLText {
        "\(transactionsHead) WHERE t.\(Self.key) > 0 AND t.\(Self.key) < \(.integer(number)) "
            + "AND \(condition(test, storeIdentifier)) ORDER BY t.\(Self.key) DESC LIMIT \(.integer(Int64(limit)))"
    }

    private func condition(_ test: HistoryTest, _ storeIdentifier: String) -> SQLText {
        let condition = HistoryTestSQL(
            storeIdentifier: storeIdentifier, entityNumbers: entityNumbers, texts: texts, number: "t.\(Self.key)",
            time: "ifnull(t.\(Names.timestamp), 0)"
        ).condition(test)
        return "(\(condition))"
    }

    // MARK: Changes

    /// Selects the changes of one transaction in order, with the columns of `ChangeColumn`.
    /// - Parameters:
    ///   - previous: The number of the last known change; 0 for none.
    ///   - skipped: The number of changes to skip.
    func changes(
        of transaction: Int64, object: ObjectID?, after previous: Int64, skipping skipped: Int, limit: Int
    ) -> SQLText {
        "\(changesHead) WHERE \(Change.transaction) = \(.integer(transaction)) AND \(Self.key) > \(.integer(previous)) "
            + "AND \(objectCondition(object)) ORDER BY \(Self.key) LIMIT \(.integer(Int64(limit))) OFFSET \(.integer(Int64(skipped)))"
    }

    /// Selects kind and entity number of each change of one transaction.
    func kinds(of transaction: Int64, object: ObjectID?) -> SQLText {
        "SELECT \(Change.changeType), \(Change.entity) FROM \(Change.table) "
            + "WHERE \(Change.transaction) = \(.integer(transaction)) AND \(objectCondition(object))"
    }

    /// A condition for changes that can be reported, of one object if there is one: their kinds are known and their
    /// entities are in the model.
    private func objectCondition(_ object: ObjectID?) -> SQLText {
        guard let object else { return isKnown }
        guard let entityNumber = entityNumbers[object.entityName] else { return "0" }
        return isKnown + " AND \(Change.entity) = \(.integer(entityNumber)) AND \(Change.key) = \(.integer(object.key))"
    }

    // MARK: Any file

    private static let inRange = "\(Change.transaction) > ? AND \(Change.transaction) <= ?"
    private static let inList =
        "\(Change.transaction) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"
    private static let order = "\(Change.transaction), \(key)"

    /// Selects the oldest number, the newest number, and the counter of numbers.
    static let bounds =
        "SELECT (SELECT min(\(key)) FROM \(Names.table)), (SELECT max(\(key)) FROM \(Names.table)), "
        + "(SELECT \(SystemTables.PrimaryKey.highestKey) FROM \(SystemTables.PrimaryKey.table) "
        + "WHERE \(SystemTables.PrimaryKey.entity) = \(Names.entityNumber))"

    /// Counts those of the listed transactions that exist. Parameter: a `ValueList`.
    static let countListed =
        "SELECT count(*) FROM \(Names.table) "
        + "WHERE \(key) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"

    private static let keysHead = "SELECT \(Change.changeType), \(Change.entity), \(Change.key) FROM \(Change.table)"

    /// Selects kind, entity number and key. Parameters: first number (excluded), last number (included).
    static let keysInRange = "\(keysHead) WHERE \(inRange) ORDER BY \(order)"

    /// Like `keysInRange`, for listed transactions. Parameters: a `ValueList`, the maximum number of rows.
    static let keysListed = "\(keysHead) WHERE \(inList) ORDER BY \(order) LIMIT ?"

    // MARK: Pruning

    /// Selects the numbers of the transactions that pass a test, ascending.
    func numbers(where test: HistoryTest, storeIdentifier: String) -> SQLText {
        "SELECT t.\(Self.key) FROM \(Names.table) AS t\(joins) WHERE \(condition(test, storeIdentifier)) "
            + "ORDER BY t.\(Self.key)"
    }

    /// Selects the first transaction since a time.
    static let firstSince =
        "SELECT \(key) FROM \(Names.table) WHERE \(Names.timestamp) >= ? ORDER BY \(key) LIMIT 1"

    static let pruneChanges = "DELETE FROM \(Change.table) WHERE \(Change.transaction) < ?"
    static let pruneTransactions = "DELETE FROM \(Names.table) WHERE \(key) < ?"

    /// Deletes the changes of listed transactions. Parameter: a `ValueList`.
    static let pruneListedChanges = "DELETE FROM \(Change.table) WHERE \(inList)"
    static let pruneListed =
        "DELETE FROM \(Names.table) WHERE \(key) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"

    private static func pruneTexts(_ columns: [String]) -> String? {
        guard !columns.isEmpty else { return nil }
        let unused = columns.map { column in
            "NOT EXISTS (SELECT 1 FROM \(Names.table) WHERE \(column) = \(Text.table).\(key))"
        }
        return "DELETE FROM \(Text.table) WHERE \(unused.joined(separator: " AND "))"
    }
}
