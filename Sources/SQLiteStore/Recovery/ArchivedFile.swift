import Foundation
import ObjectGraph
import StoreSQL

/// An external file that an archived row refers to.
struct ArchivedFile {
    /// The table of the row.
    let table: String
    let key: Int64
    let name: String
    /// The row's cell, which names the file.
    let cell: Data

    private typealias File = RecoveryTables.File

    /// Returns the files of these deletions. Skips cells that name no file.
    static func files(of numbers: KeySet, _ connection: Connection) throws -> [ArchivedFile] {
        let sql: SQLText =
            """
            SELECT \(File.rowTable), \(File.key), \(File.cell) FROM \(File.table) \
            WHERE \(RecoveryTables.number) IN \(.listed(numbers))
            """
        return try connection.withStatement(sql) { statement in
            var files: [ArchivedFile] = []
            while try statement.step() {
                let cell = statement.bytes(at: 2)
                guard let name = ExternalData.fileName(in: cell) else { continue }
                files.append(
                    ArchivedFile(table: statement.text(at: 0), key: statement.integer(at: 1), name: name, cell: cell))
            }
            return files
        }
    }
}

extension ArchivedFile {
    /// Returns the names of all files that archived rows refer to. They are needed although no row of the store refers to
    /// them.
    static func allNames(_ connection: Connection) throws -> Set<String> {
        guard try ArchiveTables(connection).exist else { return [] }
        return try connection.withStatement("SELECT \(File.cell) FROM \(File.table)") { statement in
            var names: Set<String> = []
            while try statement.step() {
                if let name = ExternalData.fileName(in: statement.bytes(at: 0)) { names.insert(name) }
            }
            return names
        }
    }
}
