import ObjectGraph
import StoreSQL

/// Translates a `HistoryTest` to an SQL condition. `HistoryTest.holds` defines its meaning.
struct HistoryTestSQL {
    private typealias Change = HistoryTables.Change

    let storeIdentifier: String
    let entityNumbers: [String: Int64]
    /// The SQL expressions of a transaction's texts.
    let texts: [HistoryText: String]
    let number: String
    let time: String

    func condition(_ test: HistoryTest) -> SQLText {
        switch test {
        case .constant(let answer): SQLText(answer ? "1" : "0")
        case .and(let parts): joined(parts, " AND ", empty: "1")
        case .or(let parts): joined(parts, " OR ", empty: "0")
        case .not(let part): "NOT (\(condition(part)))"
        case .number(let comparison, let value): compare(number, comparison, .integer(value))
        case .token(let comparison, let token):
            compare(number, comparison, .integer(token.place(in: storeIdentifier)))
        case .time(let comparison, let value): compare(time, comparison, .real(value))
        case .text(let text, let wanted):
            "\(texts[text] ?? "NULL") IS \(.parameter(wanted.map(Cell.text) ?? .null))"
        case .store(let identifier): SQLText(identifier == storeIdentifier ? "1" : "0")
        case .changed(let id): changed(id)
        }
    }

    private func changed(_ id: ObjectID) -> SQLText {
        guard id.storeIdentifier == storeIdentifier, let entityNumber = entityNumbers[id.entityName] else { return "0" }
        return "EXISTS (SELECT 1 FROM \(Change.table) WHERE \(Change.transaction) = \(number) "
            + "AND \(Change.entity) = \(.integer(entityNumber)) AND \(Change.key) = \(.integer(id.key)))"
    }

    private func joined(_ parts: [HistoryTest], _ separator: String, empty: String) -> SQLText {
        parts.isEmpty ? SQLText(empty) : parts.map { "(\(condition($0)))" }.joined(separator: separator)
    }

    private func compare(_ column: String, _ comparison: ComparisonOperator, _ value: Cell) -> SQLText {
        "\(column) \(comparison.symbol) \(.parameter(value))"
    }
}
