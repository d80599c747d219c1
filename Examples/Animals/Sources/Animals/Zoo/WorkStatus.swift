import Foundation

/// How far a long task is, and what may be done about it.
struct WorkStatus: Sendable, Equatable, Identifiable {
    enum Phase: String, Sendable {
        case loading
        /// Loading that did not get to its end because something went wrong.
        case loadingFailed
        case deleting
        /// Asked to stop; what is under way is finished first.
        case stopping
        /// A delete that did not get to its end, and may be resumed.
        case stopped
        case deleted
        case restoring
    }

    let id: UUID
    var phase: Phase
    /// What is deleted, as in "Deleting all animals".
    var subject: String
    /// Animals loaded; or models, categories as well as animals, deleted.
    var done: Int
    var total: Int
    /// Whether it was left behind by an earlier launch of the app.
    var isLeftOver = false
    /// What went wrong at last.
    var problem: String?

    var isUnderWay: Bool {
        switch phase {
        case .loading, .deleting, .stopping, .restoring: true
        case .stopped, .deleted, .loadingFailed: false
        }
    }
}
