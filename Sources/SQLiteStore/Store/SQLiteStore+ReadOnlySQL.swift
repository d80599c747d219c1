import ObjectGraph
import StoreSQL

/// A table of the file, as SQLite describes it.
package struct FileTable: Sendable, Hashable {
    package let name: String
    package let columns: [String]
}

extension SQLiteStore {
    /// Runs a read-only statement like `Connection.runReadOnly`, on a separate connection, with a time limit and a limit
    /// for the size of values.
    /// - Throws: `ReadOnlySQLError`, `SQLTextError`, `SQLiteError`, and the errors of the bodies.
    package func runReadOnly(
        _ sql: String, seconds: Double, columns: ([String]) throws -> Void, row: ([Cell]) throws -> Void
    ) throws {
        try pool.withSeparateReader { connection in
            connection.limitValues(to: Self.largestValue)
            let isDone: Void? = try connection.within(seconds: seconds) {
                try connection.runReadOnly(sql, columns: columns, row: row)
            }
            guard isDone != nil else { throw ReadOnlySQLError.tooLong(seconds: seconds) }
        }
    }

    /// The size limit of a value, in bytes.
    private static var largestValue: Int32 { 64 << 20 }

    /// Returns the tables in the order in which they were created.
    /// - Throws: `SQLiteError`.
    package func tables() throws -> [FileTable] {
        try pool.withReader { connection in
            let sql =
                "SELECT master.name, info.name FROM sqlite_master AS master "
                + "JOIN pragma_table_info(master.name) AS info "
                + "WHERE master.type = 'table' AND master.rootpage > 0 ORDER BY master.rowid, info.cid"
            var tables: [FileTable] = []
            try connection.withStatement(sql) { statement in
                while try statement.step() {
                    let (table, column) = (statement.text(at: 0), statement.text(at: 1))
                    if tables.last?.name == table, let last = tables.popLast() {
                        tables.append(FileTable(name: table, columns: last.columns + [column]))
                    } else {
                        tables.append(FileTable(name: table, columns: [column]))
                    }
                }
            }
            return tables
        }
    }
}
