import ObjectGraph

/// The spellings in which databases differ. Code that makes statements asks its dialect for them. The defaults are
/// those of standard SQL, or else the most common ones. A store over another database, such as PostgreSQL, begins here.
package protocol Dialect: Sendable {
    // MARK: Text

    /// The placeholder of a statement's value, by its position from 1.
    func placeholder(_ number: Int) -> String

    /// The placeholder of a value by its number from 1, for statements that use a value twice or out of order.
    func parameter(_ number: Int) -> String

    /// The name of a table or column, quoted if the database requires it. Names in `SystemTables` and `HistoryTables`
    /// need no quotes in any database.
    func name(_ name: String) -> String

    // MARK: Tests

    func constant(_ test: Bool) -> SQLText

    /// The test with false in place of NULL.
    func sealed(_ test: SQLText) -> SQLText

    /// The test as a value: 1 or 0.
    func value(of test: SQLText) -> SQLText

    /// Whether two values are equal; NULL equals NULL.
    func areSame(_ left: SQLText, _ right: SQLText) -> SQLText

    /// Whether two values differ; NULL equals NULL.
    func differ(_ left: SQLText, _ right: SQLText) -> SQLText

    /// Whether a text contains another one, compared by bytes.
    func contains(_ text: SQLText, _ other: SQLText) -> SQLText

    /// Whether a value is in a list.
    func isAmong(_ cells: [Cell], _ value: SQLText) -> SQLText

    /// Whether a key is in a set.
    func isAmong(_ keys: KeySet, _ key: SQLText, by search: KeySearch) -> SQLText

    // MARK: Values

    /// A number as a real.
    func real(_ number: SQLText) -> SQLText

    /// A quotient of reals; NULL for a division by zero.
    func quotient(_ dividend: SQLText, _ divisor: SQLText) -> SQLText

    /// A value to be compared with one of another kind, so that neither is converted.
    func unconverted(_ value: SQLText) -> SQLText

    /// The value, or the other one if it is NULL.
    func value(_ value: SQLText, orIfNull other: SQLText) -> SQLText

    /// The name of a function; `nil` if the database does not have it, so that expressions with it are evaluated in
    /// memory.
    func name(of function: SQLFunction) -> String?

    // MARK: Selection

    /// A term of an ORDER BY that sorts NULL before all values, as in memory.
    func ordered(_ value: SQLText, ascending: Bool) -> SQLText

    /// The collation of an order of texts; `nil` if the database does not have it.
    func collation(of order: TextOrder) -> String?

    /// The end of a SELECT that skips rows, and limits their number; empty for all rows.
    func window(limit: Int?, offset: Int) -> SQLText

    /// A column that the database shall not look up in an index.
    func unindexed(_ column: SQLText) -> SQLText

    /// Written after a table that shall be read without an index.
    var scanHint: String { get }

    /// Joins two tables of which the first one shall be read in the outer loop.
    var joinInOrder: String { get }

    // MARK: Writing

    /// Inserts the selected rows into a table except for those that it has.
    /// - Parameters:
    ///   - target: The table and its columns: `t (a, b)`.
    ///   - rows: A SELECT.
    func insertion(ofMissing rows: String, into target: String) -> String

    /// An insertion that updates the existing row instead, if there is one with equal unique values.
    /// - Parameter assignments: Refer to the new values as columns of `excluded`; empty to leave the existing row as it is.
    func upsert(_ insertion: String, setting assignments: [String]) -> String

    /// A bound list of keys as a table.
    /// - Parameter number: The number of the list's parameter.
    func keyTable(_ number: Int) -> KeyTable
}

/// How the rows of a key set are found.
package enum KeySearch: Sendable, Hashable {
    /// Each key is looked up in an index.
    case lookUp
    /// Each row is read and tested.
    case scan
}

/// A list of keys as a table of a statement.
package struct KeyTable: Sendable, Hashable {
    /// The table with its alias.
    package let source: String
    package let key: String
    /// The position of a row in the list, from 0.
    package let position: String

    package init(source: String, key: String, position: String) {
        self.source = source
        self.key = key
        self.position = position
    }
}

extension Dialect {
    package func parameter(_ number: Int) -> String { placeholder(number) }

    package func constant(_ test: Bool) -> SQLText { test ? "TRUE" : "FALSE" }

    package func sealed(_ test: SQLText) -> SQLText { "coalesce(\(test), FALSE)" }

    package func value(of test: SQLText) -> SQLText { "CASE WHEN \(test) THEN 1 ELSE 0 END" }

    package func areSame(_ left: SQLText, _ right: SQLText) -> SQLText { "\(left) IS NOT DISTINCT FROM \(right)" }

    package func differ(_ left: SQLText, _ right: SQLText) -> SQLText { "\(left) IS DISTINCT FROM \(right)" }

    package func contains(_ text: SQLText, _ other: SQLText) -> SQLText { "position(\(other) IN \(text)) > 0" }

    package func real(_ number: SQLText) -> SQLText { "CAST(\(number) AS DOUBLE PRECISION)" }

    package func quotient(_ dividend: SQLText, _ divisor: SQLText) -> SQLText { "\(dividend) / nullif(\(divisor), 0)" }

    package func unconverted(_ value: SQLText) -> SQLText { value }

    package func value(_ value: SQLText, orIfNull other: SQLText) -> SQLText { "coalesce(\(value), \(other))" }

    package func ordered(_ value: SQLText, ascending: Bool) -> SQLText {
        ascending ? "\(value) NULLS FIRST" : "\(value) DESC NULLS LAST"
    }

    package func window(limit: Int?, offset: Int) -> SQLText {
        let limited: SQLText = limit.map { " LIMIT \(.integer(Int64($0)))" } ?? ""
        return offset > 0 ? limited + " OFFSET \(.integer(Int64(offset)))" : limited
    }

    package func upsert(_ insertion: String, setting assignments: [String]) -> String {
        let action = assignments.isEmpty ? "NOTHING" : "UPDATE SET \(assignments.joined(separator: ", "))"
        return "\(insertion) ON CONFLICT DO \(action)"
    }

    package func unindexed(_ column: SQLText) -> SQLText { column }

    package var scanHint: String { "" }

    package var joinInOrder: String { "JOIN" }
}
