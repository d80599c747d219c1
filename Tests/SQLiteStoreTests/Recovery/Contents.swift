import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// The contents of a file's tables, without history and row versions: texts to compare. Blobs and reals are quoted, so that equal
/// texts mean equal cells.
struct Contents: Equatable {
    /// The schema statements, in the file's order.
    let schema: [String]
    /// By table.
    let rows: [String: [String]]

    init(_ store: SQLiteStore) throws {
        let history = [HistoryTables.Change.table, HistoryTables.Transaction.table, HistoryTables.Text.table]
        (schema, rows) = try store.pool.withWriter { connection in
            let tables = try Self.texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", connection)
            var rows: [String: [String]] = [:]
            for table in tables where !history.contains(table) && !table.hasPrefix("sqlite_") {
                let columns = try Self.texts(
                    "SELECT name FROM pragma_table_info('\(table)') WHERE name <> '\(SystemTables.versionColumn)'",
                    connection)
                let list = columns.map { "quote(\(SchemaText.quoted($0)))" }.joined(separator: " || ',' || ")
                let condition = table == "Z_PRIMARYKEY" ? " WHERE Z_ENT < 16000" : ""
                rows[table] = try Self.texts("SELECT \(list) AS row FROM \(table)\(condition) ORDER BY row", connection)
            }
            let schema = try Self.texts(
                "SELECT type || ' ' || name || ' ' || rootpage || ' ' || coalesce(sql, '') FROM sqlite_master "
                    + "ORDER BY rowid", connection)
            return (schema, rows)
        }
    }

    private static func texts(_ sql: String, _ connection: Connection) throws -> [String] {
        let statement = try connection.prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(at: 0)) }
        return texts
    }

    /// Tables that are not this library's.
    var appleRows: [String: [String]] { rows.filter { !$0.key.hasPrefix(RecoveryTables.prefix) } }

    /// The differences, for messages.
    func difference(from other: Contents) -> String {
        var lines = schema.filter { !other.schema.contains($0) }.map { "+ \($0)" }
        lines += other.schema.filter { !schema.contains($0) }.map { "- \($0)" }
        if lines.isEmpty, schema != other.schema { lines.append("order of the schema") }
        for table in Set(rows.keys).union(other.rows.keys).sorted() {
            let (mine, others) = (Set(rows[table] ?? []), Set(other.rows[table] ?? []))
            lines += mine.subtracting(others).sorted().map { "+ \(table) \($0)" }
            lines += others.subtracting(mine).sorted().map { "- \(table) \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}

extension ZooStore {
    func contents() throws -> Contents { try Contents(store) }

    /// Deletes rows with an archive.
    func deleteKept(_ ids: ObjectID...) throws -> RecoveryToken {
        try deleteKept(DeleteRequest(.rows(RowSet(ids))))
    }

    func deleteKept(_ request: DeleteRequest) throws -> RecoveryToken {
        var request = request
        let token = RecoveryToken()
        request.recovery = .archived(token)
        _ = try store.delete(request)
        return token
    }
}
