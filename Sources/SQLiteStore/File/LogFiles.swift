import Foundation

/// The write-ahead log of a file and its index, which SQLite makes as soon as a file with such a log is read, and which only
/// a connection that may write removes again.
package struct LogFiles {
    private let url: URL
    private let wereThere: Bool

    /// - Parameter url: of the database, before it is opened.
    package init(of url: URL) {
        self.url = url
        wereThere = Self.exist(url)
    }

    private static func exist(_ url: URL) -> Bool {
        ["-wal", "-shm"].contains { FileManager.default.fileExists(atPath: url.path + $0) }
    }

    /// Removes them unless they were there before, or others have the file open. Nothing is written to the file.
    package func removeIfMade() {
        guard !wereThere, Self.exist(url), let connection = try? Connection(.file(url), access: .readWrite) else {
            return
        }
        connection.busyTimeout = 0
        // Closing removes them where the connection has read; what keeps it from reading keeps them.
        _ = try? connection.dataVersion()
    }
}
