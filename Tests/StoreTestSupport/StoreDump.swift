import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// The contents of a store's tables as plain values, to compare two ways of deleting.
package struct StoreDump {
    package typealias Row = [String: Cell]

    package private(set) var tables: [String: [Row]]

    /// Values that differ from store to store and from moment to moment.
    private static let left = [SystemTables.Metadata.table, SystemTables.ModelCache.table]

    package init(_ store: SQLiteStore) throws {
        tables = try store.pool.withReader { connection in
            var tables: [String: [Row]] = [:]
            for table in try Self.tableNames(connection) { tables[table] = try Self.rows(of: table, connection) }
            return tables
        }
    }

    package subscript(table: String) -> [Row] {
        get { tables[table] ?? [] }
        set { tables[table] = newValue }
    }

    /// Makes the store's tables hold exactly these contents. A store without history ignores history rows.
    package func load(into store: SQLiteStore) throws {
        try store.pool.withWriter { connection in
            let known = Set(try Self.tableNames(connection))
            try connection.inTransaction(.immediate) {
                for (table, rows) in tables where known.contains(table) {
                    try connection.execute("DELETE FROM \(table)")
                    for row in rows { try Self.insert(row, into: table, connection) }
                }
            }
        }
    }

    // MARK: Comparing

    /// A description of the first differences; `nil` if there are none.
    /// - Parameter tables: the tables to compare; all common tables if empty.
    package func difference(from other: StoreDump, tables wanted: [String] = []) -> String? {
        for table in wanted.isEmpty ? Set(tables.keys).intersection(other.tables.keys).sorted() : wanted {
            let (mine, theirs) = (Self.counted(table, self[table]), Self.counted(table, other[table]))
            if mine == theirs { continue }
            let extra = mine.filter { theirs[$0.key] != $0.value }.keys.map(Self.text).sorted()
            let missing = theirs.filter { mine[$0.key] != $0.value }.keys.map(Self.text).sorted()
            return "\(table): has \(extra.prefix(4)), and not \(missing.prefix(4))"
        }
        return nil
    }

    /// The order of changes within a transaction and the moment of the transaction are irrelevant.
    private static func counted(_ table: String, _ rows: [Row]) -> [Row: Int] {
        let ignored: Set<String> =
            switch table {
            case HistoryTables.Change.table: [SystemTables.keyColumn]
            case HistoryTables.Transaction.table: [HistoryTables.Transaction.timestamp]
            default: []
            }
        return rows.reduce(into: [:]) { counts, row in
            counts[ignored.isEmpty ? row : row.filter { !ignored.contains($0.key) }, default: 0] += 1
        }
    }

    private static func text(_ row: Row) -> String {
        row.filter { $0.value != .null }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }

    // MARK: Reading and writing

    private static func tableNames(_ connection: Connection) throws -> [String] {
        try connection.withStatement("SELECT name FROM sqlite_master WHERE type = 'table'") { statement in
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0)) }
            return names.filter { !left.contains($0) && !$0.hasPrefix("sqlite_") }
        }
    }

    private static func rows(of table: String, _ connection: Connection) throws -> [Row] {
        try connection.withStatement("SELECT * FROM \(table)") { statement in
            var rows: [Row] = []
            let names = (0..<statement.columnCount).map(statement.columnName)
            while try statement.step() {
                var row: Row = [:]
                for (column, name) in names.enumerated() { row[name] = cell(statement, column) }
                rows.append(row)
            }
            return rows
        }
    }

    private static func cell(_ statement: Statement, _ column: Int) -> Cell {
        switch statement.kind(at: column) {
        case .null: .null
        case .integer: .integer(statement.integer(at: column))
        case .real: .real(statement.real(at: column))
        case .text: .text(statement.text(at: column))
        case .blob: .bytes(statement.bytes(at: column))
        }
    }

    private static func insert(_ row: Row, into table: String, _ connection: Connection) throws {
        let cells = row.sorted { $0.key < $1.key }
        let sql =
            "INSERT INTO \(table) (\(cells.map(\.key).joined(separator: ", "))) "
            + "VALUES (\(cells.map { _ in "?" }.joined(separator: ", ")))"
        try connection.withStatement(sql) { statement in
            for (index, cell) in cells.enumerated() { try statement.bind(cell.value, at: index + 1) }
            try statement.run()
        }
    }
}
