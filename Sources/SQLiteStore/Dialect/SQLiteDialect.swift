import ObjectGraph
import StoreSQL

/// SQLite's spellings, with the functions, collations and table functions that `Connection` adds to it.
struct SQLiteDialect: Dialect {
    func placeholder(_ number: Int) -> String { "?" }

    func parameter(_ number: Int) -> String { "?\(number)" }

    func name(_ name: String) -> String { SchemaText.quotedIfNeeded(name) }

    // MARK: Tests

    func constant(_ test: Bool) -> SQLText { test ? "1" : "0" }

    func sealed(_ test: SQLText) -> SQLText { "coalesce(\(test), 0)" }

    func value(of test: SQLText) -> SQLText { "(\(test))" }

    func areSame(_ left: SQLText, _ right: SQLText) -> SQLText { "\(left) IS \(right)" }

    func differ(_ left: SQLText, _ right: SQLText) -> SQLText { "\(left) IS NOT \(right)" }

    func contains(_ text: SQLText, _ other: SQLText) -> SQLText { "instr(\(text), \(other)) > 0" }

    /// The maximum number of values listed in the text; more are passed as one list.
    private static let listedLimit = 8

    func isAmong(_ cells: [Cell], _ value: SQLText) -> SQLText {
        let list: SQLText =
            cells.count <= Self.listedLimit
            ? cells.map(SQLText.parameter).joined(separator: ", ")
            : "SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(\(.list(cells)))"
        return "\(value) IN (\(list))"
    }

    func isAmong(_ keys: KeySet, _ key: SQLText, by search: KeySearch) -> SQLText {
        switch search {
        case .lookUp: "\(key) IN \(.listed(keys))"
        case .scan: "\(SQLNames.hasKey)(\(.filter(keys)), \(key))"
        }
    }

    // MARK: Values

    func real(_ number: SQLText) -> SQLText { "CAST(\(number) AS REAL)" }

    func quotient(_ dividend: SQLText, _ divisor: SQLText) -> SQLText { "\(dividend) / \(divisor)" }

    /// Without the plus, SQLite would apply the affinity of one column to the other value: 3 becomes '3' beside a column
    /// of texts.
    func unconverted(_ value: SQLText) -> SQLText { "+\(value)" }

    func value(_ value: SQLText, orIfNull other: SQLText) -> SQLText { "ifnull(\(value), \(other))" }

    func name(of function: SQLFunction) -> String? {
        switch function {
        case .test(let test): SQLNames.function(of: test)
        case .order(let order): SQLNames.function(of: order)
        case .textLength: SQLNames.textLength
        case .arithmetic(let operation): SQLNames.function(of: operation)
        case .scalar(let function): SQLNames.function(of: function)
        case .aggregate(let function, let numbers): SQLNames.function(of: function, with: numbers)
        }
    }

    // MARK: Selection

    func ordered(_ value: SQLText, ascending: Bool) -> SQLText { ascending ? value : "\(value) DESC" }

    func collation(of order: TextOrder) -> String? { SQLNames.collation(of: order) }

    /// SQLite has no OFFSET without a LIMIT.
    func window(limit: Int?, offset: Int) -> SQLText {
        guard limit != nil || offset > 0 else { return SQLText() }
        var sql: SQLText = " LIMIT \(.integer(Int64(limit ?? -1)))"
        if offset > 0 { sql += " OFFSET \(.integer(Int64(offset)))" }
        return sql
    }

    func unindexed(_ column: SQLText) -> SQLText { "+\(column)" }

    var scanHint: String { " NOT INDEXED" }

    var joinInOrder: String { "CROSS JOIN" }

    // MARK: Writing

    func insertion(ofMissing rows: String, into target: String) -> String { "INSERT OR IGNORE INTO \(target) \(rows)" }

    func keyTable(_ number: Int) -> KeyTable {
        KeyTable(
            source: "\(SQLNames.values)(\(parameter(number))) v", key: "v.\(SQLNames.valueColumn)", position: "v.rowid")
    }
}
