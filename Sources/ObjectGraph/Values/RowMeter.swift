import Foundation

/// Tells a program's progress how many rows of a batch or fetch are done, and stops it once that is cancelled. Called on the
/// thread that carries it out. A meter equals itself only.
///
/// The last row counts as done when everything is committed, or read: what is finished cannot be taken back any more.
package final class RowMeter: Sendable {
    private let progress: Progress
    private let counts = Locked(Counts())

    private struct Counts {
        var done = 0
        /// `nil` while nobody knows.
        var total: Int?
    }

    package init(_ progress: Progress) { self.progress = progress }

    package var isCancelled: Bool { progress.isCancelled }

    /// - Throws: `CancellationError`.
    package func check() throws {
        if isCancelled { throw CancellationError() }
    }

    /// So many more rows are to come.
    package func expect(_ rows: Int) {
        counts.withLock { $0.total = ($0.total ?? 0) + rows }
        publish()
    }

    /// So many more rows are done.
    /// - Throws: `CancellationError`.
    package func count(_ rows: Int = 1) throws {
        counts.withLock { $0.done += rows }
        publish()
        try check()
    }

    /// Everything is committed, or read. A batch without rows counts as one, so that whoever waits for it gets on.
    package func finish() {
        let done = Int64(max(1, counts.withLock { $0.done }))
        progress.setTotal(done)
        progress.completedUnitCount = done
    }

    /// What the program expects stays where nobody knows better.
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
