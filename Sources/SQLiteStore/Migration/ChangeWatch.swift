import Foundation

/// Detects writes to a database, even while another connection of the process holds all locks on it.
struct ChangeWatch {
    let connection: Connection
    private let start: Mark

    private enum Mark: Equatable {
        /// The data version. Used with a write-ahead log, where readers do not wait for writers.
        case version(Int64)
        /// The file's change counter, which is read without a lock. Used without a write-ahead log.
        case counter([UInt8])
    }

    /// - Throws: `SQLiteError`.
    init(_ url: URL, busyTimeout: Double) throws {
        connection = try Connection(.file(url), access: .readOnly)
        connection.busyTimeout = busyTimeout
        start =
            try connection.usesWriteAheadLog()
            ? .version(connection.dataVersion()) : .counter(connection.changeCounter())
    }

    /// - Throws: `SQLiteError`.
    func hasChanged() throws -> Bool {
        switch start {
        case .version(let version): try connection.dataVersion() != version
        case .counter(let counter): try connection.changeCounter() != counter
        }
    }
}
