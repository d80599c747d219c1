import Foundation

/// The write-ahead log of a file and its index. SQLite makes both when a file with such a log is first read, and only a
/// connection that may write removes them again.
package struct LogFiles {
    private let url: URL
    private let wereThere: Bool

    /// - Parameter url: The URL of the database, before it is opened.
    package init(of url: URL) {
        self.url = url
        wereThere = Self.exist(url)
    }

    private static func exist(_ url: URL) -> Bool {
        ["-wal", "-shm"].contains { FileManager.default.fileExists(atPath: url.path + $0) }
    }

    /// Removes the files unless they existed before or another connection has the database open. Does not write to the
    /// database.
    package func removeIfMade() {
        guard !wereThere, Self.exist(url), let connection = try? Connection(.file(url), access: .readWrite) else {
            return
        }
        connection.busyTimeout = 0
        // Closing a connection that has read removes the files. If it cannot read, they stay.
        _ = try? connection.dataVersion()
    }
}
