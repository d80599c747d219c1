import ObjectGraph

/// The statements that read and prune the history of one store, with only those columns that it has. Made once per store.
package struct HistoryQueries: Sendable {
    private typealias Change = HistoryTables.Change
    private typealias Names = HistoryTables.Transaction
    private typealias Text = HistoryTables.Text
    private static let key = SystemTables.keyColumn

    private let dialect: any Dialect
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
    /// Selects the columns of `ChangeColumn`, then the tombstones.
    private let changesHead: String
    package let tombstoneCount: Int
    /// Removes texts that no transaction refers to; `nil` if texts are not interned.
    package let pruneTexts: String?

    package enum ChangeColumn {
        package static let number = 0
        package static let transaction = 1
        package static let kind = 2
        package static let entity = 3
        package static let key = 4
        package static let columns = 5
        package static let firstTombstone = 6
    }

    package init(map: StorageMap, tables: FileTables, dialect: any Dialect) {
        self.dialect = dialect
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
    package func transactions(
        after number: Int64, where test: HistoryTest, limit: Int, storeIdentifier: String
    ) -> SQLText {
        "\(transactionsHead) WHERE t.\(Self.key) > \(.integer(number)) AND \(condition(test, storeIdentifier)) "
            + "ORDER BY t.\(Self.key) LIMIT \(.integer(Int64(limit)))"
    }

    /// Selects the transactions before a number that pass a test, newest first.
    package func newest(
        before number: Int64, where test: HistoryTest, limit: Int, storeIdentifier: String
    ) -> SQLText {
        "\(transactionsHead) WHERE t.\(Self.key) > 0 AND t.\(Self.key) < \(.integer(number)) "
            + "AND \(condition(test, storeIdentifier)) ORDER BY t.\(Self.key) DESC LIMIT \(.integer(Int64(limit)))"
    }

    private func condition(_ test: HistoryTest, _ storeIdentifier: String) -> SQLText {
        let condition = HistoryTestSQL(
            storeIdentifier: storeIdentifier, entityNumbers: entityNumbers, texts: texts, number: "t.\(Self.key)",
            time: dialect.value("t.\(Names.timestamp)", orIfNull: "0"), dialect: dialect
        ).condition(test)
        return "(\(condition))"
    }

    // MARK: Changes

    /// Selects the changes of the transactions after one number, up to and including another.
    package func changes(after first: Int64, through last: Int64) -> SQLText {
        "\(changesHead)WHERE \(Self.inRange(first, last)) ORDER BY \(Self.order)"
    }

    /// Selects the changes of listed transactions.
    package func changes(listed numbers: KeySet) -> SQLText {
        "\(changesHead)WHERE \(isListed(numbers)) ORDER BY \(Self.order)"
    }

    /// Selects the changes of one transaction in order, with the columns of `ChangeColumn`.
    /// - Parameters:
    ///   - previous: The number of the last known change; 0 for none.
    ///   - skipped: The number of changes to skip.
    package func changes(
        of transaction: Int64, object: ObjectID?, after previous: Int64, skipping skipped: Int, limit: Int
    ) -> SQLText {
        "\(changesHead) WHERE \(Change.transaction) = \(.integer(transaction)) AND \(Self.key) > \(.integer(previous)) "
            + "AND \(objectCondition(object)) ORDER BY \(Self.key) LIMIT \(.integer(Int64(limit))) OFFSET \(.integer(Int64(skipped)))"
    }

    /// Selects kind and entity number of each change of one transaction.
    package func kinds(of transaction: Int64, object: ObjectID?) -> SQLText {
        "SELECT \(Change.changeType), \(Change.entity) FROM \(Change.table) "
            + "WHERE \(Change.transaction) = \(.integer(transaction)) AND \(objectCondition(object))"
    }

    /// A condition for changes that can be reported, of one object if there is one: their kinds are known and their
    /// entities are in the model.
    private func objectCondition(_ object: ObjectID?) -> SQLText {
        guard let object else { return isKnown }
        guard let entityNumber = entityNumbers[object.entityName] else { return dialect.constant(false) }
        return isKnown + " AND \(Change.entity) = \(.integer(entityNumber)) AND \(Change.key) = \(.integer(object.key))"
    }

    // MARK: Any file

    private static func inRange(_ first: Int64, _ last: Int64) -> SQLText {
        "\(Change.transaction) > \(.integer(first)) AND \(Change.transaction) <= \(.integer(last))"
    }

    /// Whether a change is of a listed transaction.
    private func isListed(_ numbers: KeySet) -> SQLText {
        dialect.isAmong(numbers, SQLText(Change.transaction), by: .lookUp)
    }

    private static let order = "\(Change.transaction), \(key)"

    /// Selects the oldest number, the newest number, and the counter of numbers.
    package static let bounds =
        "SELECT (SELECT min(\(key)) FROM \(Names.table)), (SELECT max(\(key)) FROM \(Names.table)), "
        + "(SELECT \(SystemTables.PrimaryKey.highestKey) FROM \(SystemTables.PrimaryKey.table) "
        + "WHERE \(SystemTables.PrimaryKey.entity) = \(Names.entityNumber))"

    /// Counts those of the listed transactions that exist.
    package func count(listed numbers: KeySet) -> SQLText {
        "SELECT count(*) FROM \(Names.table) WHERE \(dialect.isAmong(numbers, SQLText(Self.key), by: .lookUp))"
    }

    private static let keysHead = "SELECT \(Change.changeType), \(Change.entity), \(Change.key) FROM \(Change.table)"

    /// Selects kind, entity number and key of the changes after one number, up to and including another.
    package func keys(after first: Int64, through last: Int64) -> SQLText {
        "\(Self.keysHead) WHERE \(Self.inRange(first, last)) ORDER BY \(Self.order)"
    }

    /// Like `keys(after:through:)`, for listed transactions.
    package func keys(listed numbers: KeySet, limit: Int) -> SQLText {
        "\(Self.keysHead) WHERE \(isListed(numbers)) ORDER BY \(Self.order) LIMIT \(.integer(Int64(limit)))"
    }

    // MARK: Pruning

    /// Selects the numbers of the transactions that pass a test, ascending.
    package func numbers(where test: HistoryTest, storeIdentifier: String) -> SQLText {
        "SELECT t.\(Self.key) FROM \(Names.table) AS t\(joins) WHERE \(condition(test, storeIdentifier)) "
            + "ORDER BY t.\(Self.key)"
    }

    /// Selects the first transaction since a time.
    package static func first(since time: Double) -> SQLText {
        "SELECT \(key) FROM \(Names.table) WHERE \(Names.timestamp) >= \(.cell(.real(time))) ORDER BY \(key) LIMIT 1"
    }

    /// Deletes the changes before a transaction, then the transactions.
    package static func pruning(before number: Int64) -> [SQLText] {
        [
            "DELETE FROM \(Change.table) WHERE \(Change.transaction) < \(.integer(number))",
            "DELETE FROM \(Names.table) WHERE \(key) < \(.integer(number))",
        ]
    }

    /// Deletes the changes of listed transactions, then the transactions.
    package func pruning(_ numbers: KeySet) -> [SQLText] {
        [
            "DELETE FROM \(Change.table) WHERE \(isListed(numbers))",
            "DELETE FROM \(Names.table) WHERE \(dialect.isAmong(numbers, SQLText(Self.key), by: .lookUp))",
        ]
    }

    private static func pruneTexts(_ columns: [String]) -> String? {
        guard !columns.isEmpty else { return nil }
        let unused = columns.map { column in
            "NOT EXISTS (SELECT 1 FROM \(Names.table) WHERE \(column) = \(Text.table).\(key))"
        }
        return "DELETE FROM \(Text.table) WHERE \(unused.joined(separator: " AND "))"
    }
}
