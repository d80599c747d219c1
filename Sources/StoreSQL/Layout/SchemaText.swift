import ObjectGraph

import Foundation

/// The texts of `CREATE` statements, with the spacing of Apple's files.
package enum SchemaText {
    package enum IndexKind {
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
    package static func keyIndex(table: String, column: String) -> String {
        "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
    }

    /// The index of a uniqueness constraint, or an ascending index of all rows.
    package static func orderedIndex(
        _ name: String, on table: String, _ columns: [String], _ kind: IndexKind = .plain
    ) -> String {
        index(name, on: table, columns.map { ($0, true) }, kind)
    }

    /// The index of a model's fetch index.
    /// - Parameter condition: Selects the indexed rows; `nil` for all.
    package static func fetchIndex(
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

    package static func fetchIndexName(_ entity: String, _ index: String) -> String { "Z_\(entity)_\(index)" }

    package static func uniqueIndexName(_ entity: String, _ properties: [String]) -> String {
        "Z_\(entity)_UNIQUE_" + properties.joined(separator: "_")
    }

    /// Returns the name of an index as spelled in its `CREATE` statement.
    package static func indexName(_ statement: String) -> String? {
        guard let before = statement.range(of: "INDEX "),
            let after = statement.range(of: " ON ", range: before.upperBound..<statement.endIndex)
        else { return nil }
        return String(statement[before.upperBound..<after.lowerBound])
    }

    /// Quotes a name if needed. Names of indexes come unchecked from models.
    package static func quotedIfNeeded(_ name: String) -> String {
        PlainName.isValid(name) ? name : quoted(name)
    }

    package static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
