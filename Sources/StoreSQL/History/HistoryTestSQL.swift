import ObjectGraph

/// Translates a `HistoryTest` to an SQL condition. `HistoryTest.holds` defines its meaning.
struct HistoryTestSQL {
    private typealias Change = HistoryTables.Change

    package let storeIdentifier: String
    package let entityNumbers: [String: Int64]
    /// The SQL expressions of a transaction's texts.
    package let texts: [HistoryText: String]
    package let number: String
    package let time: SQLText
    package let dialect: any Dialect

    package func condition(_ test: HistoryTest) -> SQLText {
        switch test {
        case .constant(let answer): dialect.constant(answer)
        case .and(let parts): joined(parts, " AND ", empty: true)
        case .or(let parts): joined(parts, " OR ", empty: false)
        case .not(let part): "NOT (\(condition(part)))"
        case .number(let comparison, let value): compare(SQLText(number), comparison, .integer(value))
        case .token(let comparison, let token):
            compare(SQLText(number), comparison, .integer(token.place(in: storeIdentifier)))
        case .time(let comparison, let value): compare(time, comparison, .real(value))
        case .text(let text, let wanted):
            dialect.areSame(SQLText(texts[text] ?? "NULL"), .cell(wanted.map(Cell.text) ?? .null))
        case .store(let identifier): dialect.constant(identifier == storeIdentifier)
        case .changed(let id): changed(id)
        }
    }

    private func changed(_ id: ObjectID) -> SQLText {
        guard id.storeIdentifier == storeIdentifier, let entityNumber = entityNumbers[id.entityName] else {
            return dialect.constant(false)
        }
        return "EXISTS (SELECT 1 FROM \(Change.table) WHERE \(Change.transaction) = \(number) "
            + "AND \(Change.entity) = \(.integer(entityNumber)) AND \(Change.key) = \(.integer(id.key)))"
    }

    private func joined(_ parts: [HistoryTest], _ separator: String, empty: Bool) -> SQLText {
        parts.isEmpty ? dialect.constant(empty) : parts.map { "(\(condition($0)))" }.joined(separator: separator)
    }

    private func compare(_ column: SQLText, _ comparison: ComparisonOperator, _ value: Cell) -> SQLText {
        "\(column) \(comparison.symbol) \(.parameter(value))"
    }
}
