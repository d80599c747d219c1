import ObjectGraph

import Foundation

/// The texts of `CREATE` statements, spaced as Apple's files have them.
enum SchemaText {
    enum IndexKind {
        case plain
        case unique
    }

    /// A table that begins with key, entity number and row version.
    static func createTable(_ name: String, columns: [(String, String)]) -> String {
        let leading = [
            (SystemTables.keyColumn, "INTEGER PRIMARY KEY"), (SystemTables.entityColumn, "INTEGER"),
            (SystemTables.versionColumn, "INTEGER"),
        ]
        let list = (leading + columns).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "CREATE TABLE \(name) ( \(list) )"
    }

    /// The index of a key column.
    static func keyIndex(table: String, column: String) -> String {
        "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
    }

    /// The index of a model's uniqueness constraint, or one of all rows in ascending order.
    static func orderedIndex(
        _ name: String, on table: String, _ columns: [String], _ kind: IndexKind = .plain
    ) -> String {
        index(name, on: table, columns.map { ($0, true) }, kind)
    }

    /// The index of a model's fetch index.
    /// - Parameter condition: of the rows that are in it; `nil` for all.
    static func fetchIndex(
        _ name: String, on table: String, _ columns: [(name: String, isAscending: Bool)], where condition: String?
    ) -> String {
        index(name, on: table, columns, .plain) + (condition.map { " WHERE \($0)" } ?? "")
    }

    private static func index(
        _ name: String, on table: String, _ columns: [(name: String, isAscending: Bool)], _ kind: IndexKind
    ) -> String {
        let list = columns.map { "\($0.name) COLLATE BINARY \($0.isAscending ? "ASC" : "DESC")" }
        let head = "CREATE \(kind == .unique ? "UNIQUE INDEX" : "INDEX") \(quotedIfNeeded(name)) ON \(table)"
        return "\(head) (\(list.joined(separator: ", ")))"
    }

    static func uniqueIndexName(_ entity: String, _ properties: [String]) -> String {
        "Z_\(entity)_UNIQUE_" + properties.joined(separator: "_")
    }

    /// The name of an index as the statement that makes it spells it.
    static func indexName(_ statement: String) -> String? {
        guard let before = statement.range(of: "INDEX "),
            let after = statement.range(of: " ON ", range: before.upperBound..<statement.endIndex)
        else { return nil }
        return String(statement[before.upperBound..<after.lowerBound])
    }

    /// Names of indexes come from models unchecked; odd ones are quoted.
    static func quotedIfNeeded(_ name: String) -> String {
        PlainName.isValid(name) ? name : quoted(name)
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
