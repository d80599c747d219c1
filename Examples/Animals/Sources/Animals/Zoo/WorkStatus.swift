import Foundation

/// How far a long task is, and what may be done about it.
struct WorkStatus: Sendable, Equatable, Identifiable {
    enum Kind: Sendable, Equatable {
        case loading
        /// What is deleted, as in "Deleting all animals".
        case deleting(String)
    }

    enum Phase: String, Sendable {
        case loading
        /// Loading ended early because of an error.
        case loadingFailed
        case deleting
        /// Asked to stop; the current step is finished first.
        case stopping
        /// A delete that ended early, and may be resumed.
        case stopped
        case deleted
        case restoring
        case restored
    }

    /// A moment from which progress is counted.
    struct Start: Sendable, Equatable {
        /// Of the task, at that moment.
        let done: Int
        /// What there was then: animals for a load; animals and categories for a delete.
        let stored: Int
    }

    let id: UUID
    let kind: Kind
    var phase: Phase
    /// Animals loaded; or models, categories as well as animals, deleted.
    var done: Int
    var total: Int
    /// `nil` before the task starts.
    var start: Start?
    /// Whether an earlier launch of the app started it.
    var isLeftOver = false
    /// The last error, in words.
    var problem: String?

    var isUnderWay: Bool {
        switch phase {
        case .loading, .deleting, .stopping, .restoring: true
        case .stopped, .deleted, .loadingFailed, .restored: false
        }
    }

    /// The status as these counts show it: a bar and the counts beside it must agree, but the task itself is always a
    /// step ahead of what it has reported.
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
