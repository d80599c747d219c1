import Foundation
import ObjectGraph
import SQLiteStore

/// Rows of each entity alone, in the order of the model. Counting reads every table, so that it is done once for each
/// state of the file, and by one request at a time.
final class RowCounts: Sendable {
    /// Equal ones are of the same rows.
    enum State: Sendable, Hashable {
        /// One opening of a file that is only looked at.
        case opening(UUID)
        /// A file that is written here, and at rest.
        case stamps([FileStamp?])
    }

    /// What was counted last.
    struct Latest: Sendable {
        let values: [Int]
        let isCurrent: Bool
    }

    private struct Known {
        let state: State?
        let values: [Int]
    }

    private let known = Locked<Known?>(nil)
    /// Held while somebody counts.
    private let counting = Locked(())

    /// - Parameters:
    ///   - state: `nil` for one that may pass unnoticed into another.
    ///   - count: called unless the rows of this state are counted.
    func values(in state: State?, _ count: () throws -> [Int]) rethrows -> [Int] {
        try counting.withLock { _ in
            if let latest = latest(in: state), latest.isCurrent { return latest.values }
            let values = try count()
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
