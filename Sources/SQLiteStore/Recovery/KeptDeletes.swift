import Foundation
import ObjectGraph

/// The list of kept deletes in a file.
enum KeptDeletes {
    private typealias Delete = RecoveryTables.Delete

    struct Entry {
        let number: Int64
        let delete: KeptDelete
    }

    /// The oldest first.
    static func all(_ connection: Connection) throws -> [Entry] {
        guard try KeptTables(connection).exist else { return [] }
        let columns = [
            Delete.number, Delete.token, Delete.time, Delete.author, Delete.summary, Delete.rowCount,
            Delete.linkCount, Delete.byteCount,
        ]
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(Delete.table) ORDER BY \(Delete.number)"
        return try connection.withStatement(sql) { statement in
            var entries: [Entry] = []
            while try statement.step() {
                guard let token = RecoveryToken(statement.text(at: 1)) else { continue }
                let delete = KeptDelete(
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

    /// - Returns: what was given up, and the files to remove after the commit.
    static func purge(_ rule: PurgeRule, _ connection: Connection) throws -> (deletes: [KeptDelete], files: [String]) {
        let entries = doomed(try all(connection), rule)
        guard !entries.isEmpty else { return ([], []) }
        let numbers = KeySet(entries.map(\.number))
        let files = try KeptFile.files(of: numbers, connection).map(\.name)
        try KeptTables(connection).remove(numbers, connection)
        return (entries.map(\.delete), files)
    }

    /// The chunks of one delete go together: one alone would bring back what hangs in the air.
    private static func doomed(_ entries: [Entry], _ rule: PurgeRule) -> [Entry] {
        let deletes = deletes(entries)
        switch rule {
        case .everything: return entries
        case .token(let token): return entries.filter { $0.delete.token.delete == token.delete }
        case .olderThan(let date): return deletes.filter { $0.allSatisfy { $0.delete.date < date } }.flatMap { $0 }
        case .downTo(let limit):
            // Counted from the newest, as a sum of all may come to more than any number.
            var sum: Int64 = 0
            let stay = deletes.reversed().prefix { chunks in
                sum = ([sum] + chunks.map(\.delete.byteCount)).saturatingSum()
                return sum <= limit
            }
            return deletes.dropLast(stay.count).flatMap { $0 }
        }
    }

    /// The entries delete by delete, in the order of their last chunks.
    private static func deletes(_ entries: [Entry]) -> [[Entry]] {
        Dictionary(grouping: entries, by: \.delete.token.delete).values
            .sorted { ($0.last?.number ?? 0) < ($1.last?.number ?? 0) }
    }
}
