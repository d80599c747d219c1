import Foundation
import StoreSQL

/// The external files that the rows of a database refer to. Works without a model, by reading the cells of all tables.
/// Includes rows of archived deletions, but not those of the history.
enum FileReferences {
    /// - Throws: `SQLiteError`.
    static func all(at store: URL) throws -> Set<String> {
        let connection = try Connection(.file(store), access: .readOnly)
        return try connection.inTransaction(.reading) { try all(connection) }
    }

    /// - Throws: `SQLiteError`.
    /// - Complexity: Scans each table that has columns for data once.
    static func all(_ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for (table, columns) in try dataColumns(connection) {
            let cells = columns.map { cell(SchemaText.quoted($0)) }.joined(separator: ", ")
            try connection.withStatement("SELECT \(cells) FROM \(SchemaText.quoted(table))") { statement in
                while try statement.step() {
                    for place in columns.indices {
                        guard let cell = statement.optionalBytes(at: place) else { continue }
                        if let name = ExternalData.fileName(in: cell) { names.insert(name) }
                    }
                }
            }
        }
        return names
    }

    /// Tests the length first, so that SQLite does not read the rest of a long cell.
    private static func cell(_ column: String) -> String {
        "CASE WHEN length(\(column)) <= \(ExternalData.longestFileCell) "
            + "AND substr(\(column), 1, 1) = \(ExternalData.fileTagLiteral) THEN \(column) END"
    }

    /// Returns the columns, by table, whose declared type keeps blobs unchanged: types that contain the word BLOB, and
    /// columns without a type.
    private static func dataColumns(_ connection: Connection) throws -> [(table: String, columns: [String])] {
        let sql =
            "SELECT master.name, info.name FROM sqlite_master AS master "
            + "JOIN pragma_table_info(master.name) AS info "
            + "WHERE master.type = 'table' AND master.rootpage > 0 AND (info.type = '' OR info.type LIKE '%BLOB%') "
            + "ORDER BY master.name, info.cid"
        var columns: [String: [String]] = [:]
        try connection.withStatement(sql) { statement in
            while try statement.step() {
                columns[statement.text(at: 0), default: []].append(statement.text(at: 1))
            }
        }
        return columns.filter { !HistoryTables.names.contains($0.key.uppercased()) }
            .sorted { $0.key < $1.key }.map { (table: $0.key, columns: $0.value) }
    }
}

extension ExternalData {
    /// Returns the files that a store's rows refer to and that this folder does not have.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func missingFiles(of store: URL) throws -> Set<String> {
        try FileReferences.all(at: store).subtracting(storedFileNames())
    }
}
