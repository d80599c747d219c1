import Foundation
import ObjectGraph
import StoreSQL

/// The archived deletions of a file.
enum ArchivedDeletes {
    private typealias Delete = RecoveryTables.Delete

    struct Entry {
        let number: Int64
        let delete: ArchivedDelete
    }

    /// Returns all archived deletions, oldest first.
    static func all(_ connection: Connection) throws -> [Entry] {
        guard try ArchiveTables(connection).exist else { return [] }
        let columns = [
            Delete.number, Delete.token, Delete.time, Delete.author, Delete.summary, Delete.rowCount,
            Delete.linkCount, Delete.byteCount,
        ]
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(Delete.table) ORDER BY \(Delete.number)"
        return try connection.withStatement(sql) { statement in
            var entries: [Entry] = []
            while try statement.step() {
                guard let token = RecoveryToken(statement.text(at: 1)) else { continue }
                let delete = ArchivedDelete(
                    token: token, date: Date(timeIntervalSinceReferenceDate: statement.real(at: 2)),
                    author: statement.optionalText(at: 3), summary: statement.text(at: 4),
                    rowCount: Int(clamping: max(0, statement.integer(at: 5))),
                    linkCount: Int(clamping: max(0, statement.integer(at: 6))),
                    byteCount: max(0, statement.integer(at: 7)))
                entries.append(Entry(number: statement.integer(at: 0), delete: delete))
            }
            return entries
        }
    }

    /// - Returns: The discarded deletions, and the files to remove after the commit.
    static func purge(_ rule: PurgeRule, _ connection: Connection) throws -> (
        deletes: [ArchivedDelete], files: [String]
    ) {
        let entries = try all(connection)
        let chosen = rule.chosen(of: entries.map(\.delete))
        guard !chosen.isEmpty else { return ([], []) }
        let tokens = Set(chosen.map(\.token))
        let numbers = KeySet(entries.filter { tokens.contains($0.delete.token) }.map(\.number))
        let files = try ArchivedFile.files(of: numbers, connection).map(\.name)
        try ArchiveTables(connection).remove(numbers, connection)
        return (chosen, files)
    }
}
