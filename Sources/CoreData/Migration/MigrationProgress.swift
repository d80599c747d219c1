import Foundation
import ObjectGraph

/// Reports to the `Progress` that was current when the migration began, and stops when it is cancelled.
struct MigrationProgress {
    private let progress: Progress?

    /// One unit of the current progress, if there is one.
    static var current: MigrationProgress {
        guard Progress.current() != nil else { return MigrationProgress(progress: nil) }
        return MigrationProgress(progress: Progress(totalUnitCount: 1))
    }

    init(progress: Progress?) { self.progress = progress }

    /// - Throws: `CocoaError` 134120.
    func report(done: Int, of total: Int) throws {
        guard let progress else { return }
        try checkCancellation()
        progress.setTotal(Int64(total))
        progress.completedUnitCount = Int64(done)
    }

    /// - Throws: `CocoaError` 134120.
    func checkCancellation() throws {
        guard progress?.isCancelled ?? false else { return }
        throw CocoaError(.migrationCancelled, text: "The migration was cancelled; the store is as it was.")
    }
}
