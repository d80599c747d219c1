import Foundation

/// Detects writes to a database, even while another connection of the process holds all locks on it.
struct ChangeWatch {
    let connection: Connection
    private let start: Mark

    private enum Mark: Equatable {
        /// With a write-ahead log, where readers do not wait for writers.
        case version(Int64)
        /// Without one, the file's own counter, which is read without a lock.
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
