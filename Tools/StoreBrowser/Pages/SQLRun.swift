import SQLiteStore
import StoreInspection
import StoreSQL

/// Runs a read-only SQL statement with a time limit.
struct SQLRun {
    private let store: SQLiteStore

    /// The time limit of one statement.
    static let mostSeconds = 10.0

    init(_ store: SQLiteStore) { self.store = store }

    /// - Parameter row: returns false to stop.
    /// - Throws: `ReadOnlySQLError`, `SQLiteError`, `Problem` on a timeout, and errors of the closures.
    func forEachRow(
        of statement: String, columns: ([String]) throws -> Void, row: ([Cell]) throws -> Bool
    ) throws {
        struct Enough: Error {}
        do {
            try store.runReadOnly(statement, seconds: Self.mostSeconds, columns: columns) { cells in
                guard try row(cells) else { throw Enough() }
            }
        } catch is Enough {}
    }

    static func exact(_ cell: Cell) -> InspectedValue {
        switch cell {
        case .null: .none
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .bytes(let data): .text(data.base64EncodedString())
        }
    }

    static func readable(_ cell: Cell) -> InspectedValue {
        if case .bytes(let data) = cell { BytesText.readable(data) } else { exact(cell) }
    }
}
