import Foundation
import ObjectGraph

/// The system calls of a long delete, which tests can replace.
struct JobEnvironment: Sendable {
    /// The time since a fixed moment.
    var milliseconds: @Sendable () -> Double = {
        let elapsed = ContinuousClock.now - JobEnvironment.start
        return Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) / 1e15
    }
    /// The number of bytes free for files beside this one; `nil` if unknown.
    var freeBytes: @Sendable (URL) -> Int64? = { url in
        let folder = url.absoluteURL.deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    private static let start = ContinuousClock.now

    /// Checks that the disk has enough free space for the delete.
    /// - Parameters:
    ///   - rows: The number of rows to delete.
    ///   - archiveSize: The size of the deletion archive.
    /// - Throws: `DeleteJobError.notEnoughDisk`.
    func checkDisk(
        _ location: Connection.Location, _ options: DeleteJobOptions, rows: Int, archiveSize: Int64,
        recordsHistory: Bool
    ) throws {
        guard case .file(let url) = location, options.freeDiskFactor > 0, let available = freeBytes(url) else { return }
        let log = Double(options.budget.bytes) * options.freeDiskFactor
        let history = recordsHistory ? Double(rows) * Self.historyBytesPerRow : 0
        let needed = Int64(min(log + history + Double(archiveSize), 1e18))
        guard available >= needed else {
            throw DeleteJobError.notEnoughDisk(needed: needed, available: available)
        }
    }

    /// The size of a row in the changes table with its entry in one index, rounded up. The file grows by them before the
    /// pages of the deleted rows are free.
    private static let historyBytesPerRow: Double = 64
}
