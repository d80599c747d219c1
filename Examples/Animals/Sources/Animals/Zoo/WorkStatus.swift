import Foundation

/// The progress of a long task, and the actions that are possible.
struct WorkStatus: Sendable, Equatable, Identifiable {
    enum Kind: Sendable, Equatable {
        case loading
        /// The text after "Deleting", such as "all animals".
        case deleting(String)
    }

    enum Phase: String, Sendable {
        case loading
        /// Loading ended early with an error.
        case loadingFailed
        case deleting
        /// A stop was requested; the current step is being finished.
        case stopping
        /// A delete ended early, and may be resumed.
        case stopped
        case deleted
        case restoring
        case restored
    }

    /// The reference point for measuring progress.
    struct Start: Sendable, Equatable {
        /// The task's progress at that time.
        let done: Int
        /// The number of stored models at that time: animals for a load, animals and categories for a delete.
        let stored: Int

        init(_ status: WorkStatus, _ counts: AnimalCounts) {
            done = status.done
            stored = status.kind == .loading ? counts.animals : counts.models
        }
    }

    let id: UUID
    let kind: Kind
    var phase: Phase
    /// The number of animals loaded, or of models deleted, both categories and animals.
    var done: Int
    var total: Int
    /// `nil` before the task starts.
    var start: Start?
    /// Whether an earlier launch of the app started the task.
    var isLeftOver = false
    /// The description of the last error.
    var problem: String?

    var isUnderWay: Bool {
        switch phase {
        case .loading, .deleting, .stopping, .restoring: true
        case .stopped, .deleted, .loadingFailed, .restored: false
        }
    }

    /// The status according to these counts. A progress bar and the counts beside it must agree, but the task itself is
    /// always a step ahead of its last report.
    func measured(by counts: AnimalCounts) -> WorkStatus {
        guard let start, isUnderWay, phase != .restoring else { return self }
        let steps =
            switch kind {
            case .loading: counts.animals - start.stored
            case .deleting: start.stored - counts.models
            }
        var status = self
        status.done = min(total, max(0, start.done + steps))
        return status
    }
}
