import Foundation

/// Updates a program's `Progress` with the number of processed rows of a batch or fetch, and stops the work after a
/// cancellation. Called on the thread that does the work. A meter equals only itself.
///
/// The last row is counted when everything is committed, or read, because finished work cannot be cancelled.
package final class RowMeter: Sendable {
    private let progress: Progress
    private let counts = Locked(Counts())

    private struct Counts {
        var done = 0
        /// `nil` as long as it is unknown.
        var total: Int?
    }

    package init(_ progress: Progress) { self.progress = progress }

    package var isCancelled: Bool { progress.isCancelled }

    /// - Throws: `CancellationError`.
    package func check() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Adds to the expected number of rows.
    package func expect(_ rows: Int) {
        counts.withLock { $0.total = ($0.total ?? 0) + rows }
        publish()
    }

    /// Adds to the number of processed rows.
    /// - Throws: `CancellationError`.
    package func count(_ rows: Int = 1) throws {
        counts.withLock { $0.done += rows }
        publish()
        try check()
    }

    /// Completes the progress, after everything is committed or read. A batch without rows counts as one unit, so that
    /// the progress can finish.
    package func finish() {
        let done = Int64(max(1, counts.withLock { $0.done }))
        progress.setTotal(done)
        progress.completedUnitCount = done
    }

    /// As long as the total is unknown, the total set by the program is kept.
    private func publish() {
        let counts = counts.withLock { $0 }
        if let total = counts.total {
            progress.setTotal(Int64(total))
        } else if progress.totalUnitCount <= 0 {
            progress.setTotal(-1)
        }
        let total = progress.totalUnitCount
        progress.completedUnitCount = total > 0 ? min(Int64(counts.done), total - 1) : Int64(counts.done)
    }
}

extension RowMeter: Hashable {
    package static func == (first: RowMeter, second: RowMeter) -> Bool { first === second }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
