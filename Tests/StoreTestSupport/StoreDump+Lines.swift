import Foundation
import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// A store as lines that are the same for the same rows, versions and history.
extension StoreDump {
    /// One line for each row, sorted within its table. Times, identifiers that are new in every run, and the name of the
    /// process are left out, as are the keys of changes: their order within a transaction says nothing.
    package var lines: [String] {
        tables.keys.sorted().flatMap { table in self[table].map { "\(table) \(Self.line($0, of: table))" }.sorted() }
    }

    private static func line(_ row: Row, of table: String) -> String {
        let left = columnsLeftOut(of: table)
        return row.filter { $0.value != .null && !left.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(text($0.value))" }.joined(separator: " ")
    }

    private static func columnsLeftOut(of table: String) -> Set<String> {
        switch table {
        case HistoryTables.Change.table: [SystemTables.keyColumn]
        case HistoryTables.Transaction.table: [HistoryTables.Transaction.timestamp]
        case RecoveryTables.Delete.table: [RecoveryTables.Delete.token, RecoveryTables.Delete.time]
        case JobTables.table: [JobTables.id, JobTables.created]
        default: []
        }
    }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .null: "-"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): value == ProcessInfo.processInfo.processName ? "<process>" : value
        case .bytes(let value): "x" + value.map { String($0, radix: 16) }.joined(separator: ".")
        }
    }
}

extension BehaviourDigest {
    package mutating func add(_ heading: String, tablesOf store: SQLiteStore?) {
        guard let store else { return add(heading, ["no store"]) }
        do { add(heading, try StoreDump(store).lines) } catch { addFailure(error) }
    }
}
