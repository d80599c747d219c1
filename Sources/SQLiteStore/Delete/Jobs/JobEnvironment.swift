import Foundation
import ObjectGraph

/// What a long delete asks the system, so that tests can answer instead.
struct JobEnvironment: Sendable {
    /// Since some moment.
    var milliseconds: @Sendable () -> Double = {
        let elapsed = ContinuousClock.now - JobEnvironment.start
        return Double(elapsed.components.seconds) * 1e3 + Double(elapsed.components.attoseconds) / 1e15
    }
    /// Bytes free for files beside this one; `nil` when nobody knows.
    var freeBytes: @Sendable (URL) -> Int64? = { url in
        let folder = url.absoluteURL.deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    private static let start = ContinuousClock.now

    /// - Parameters:
    ///   - rows: how many will go.
    ///   - keptBytes: what is written to bring them back by.
    /// - Throws: `DeleteJobError.notEnoughDisk`.
    func checkDisk(
        _ location: Connection.Location, _ options: DeleteJobOptions, rows: Int, keptBytes: Int64, keepsHistory: Bool
    ) throws {
        guard case .file(let url) = location, options.freeDiskFactor > 0, let available = freeBytes(url) else { return }
        let log = Double(options.budget.bytes) * options.freeDiskFactor
        let history = keepsHistory ? Double(rows) * Self.historyBytesPerRow : 0
        let needed = Int64(min(log + history + Double(keptBytes), 1e18))
        guard available >= needed else {
            throw DeleteJobError.notEnoughDisk(needed: needed, available: available)
        }
    }

    /// A row of the changes table with its entry in one index, rounded up. The file grows by them before the pages of the
    /// deleted rows are free.
    private static let historyBytesPerRow: Double = 64
}
