import Foundation
import ObjectGraph
import SQLiteStore

/// Row counts of the entities without subentities, in the order of the model. Counting reads whole tables, so counts are
/// cached for each state of the file, those of its next state follow from them, and only one request counts at a time.
final class RowCounts: Sendable {
    /// Identifies a state of the file; equal values have the same rows.
    enum State: Sendable, Hashable {
        /// One read-only opening of the file.
        case opening(UUID)
        /// A file open for writing, with no recent writes.
        case stamps([FileStamp?])
    }

    /// The last counts.
    struct Latest: Sendable {
        let values: [Int]
        let isCurrent: Bool
    }

    private struct Known {
        let state: State?
        let values: [Int]
    }

    private let known = Locked<Known?>(nil)
    /// Held while counting.
    private let followed = Locked<FollowedCounts?>(nil)

    /// - Parameters:
    ///   - state: `nil` if the file may change without its stamps changing; the counts are then not reused as current.
    ///   - count: called unless the counts of this state are known; it may follow the counts of an earlier state.
    func values(in state: State?, _ count: (inout FollowedCounts?) throws -> [Int]) rethrows -> [Int] {
        try followed.withLock { followed in
            if let latest = latest(in: state), latest.isCurrent { return latest.values }
            let values = try count(&followed)
            known.withLock { $0 = Known(state: state, values: values) }
            return values
        }
    }

    func latest(in state: State?) -> Latest? {
        known.withLock { known in
            known.map { Latest(values: $0.values, isCurrent: state != nil && $0.state == state) }
        }
    }
}
