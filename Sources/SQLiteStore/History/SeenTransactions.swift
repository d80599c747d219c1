/// The transactions of a file that need not be examined: all up to a number, and after it those that the store wrote itself.
struct SeenTransactions: Sendable {
    /// The last number up to which all transactions are seen.
    private(set) var last: Int64
    /// The store's own transactions after that; ascending, never adjacent.
    private var own: [ClosedRange<Int64>] = []
    /// The number of the save that is about to commit. Until that is decided, no other connection can have written it or
    /// a later one.
    private var pending: Int64?
    /// Own numbers up to this one were discarded, because others' saves between them were not queried for a long time.
    private var lostThrough: Int64?

    /// Transactions of other connections.
    struct Unseen: Sendable, Hashable {
        var ranges: [ClosedRange<Int64>] = []
        /// Everything up to this number is included.
        let through: Int64
        /// Whether no further visible transaction can exist.
        let isFinal: Bool
        /// Whether others' transactions cannot be distinguished from the store's own.
        let isLost: Bool
    }

    private static let mostRanges = 1000

    init(last: Int64) {
        self.last = last
    }

    // MARK: Own saves

    /// Call before the commit, while the write lock is held.
    mutating func willCommit(_ number: Int64) { pending = number }

    mutating func didCommit() {
        guard let number = pending else { return }
        pending = nil
        guard number > last else { return }
        if let previous = own.last, previous.upperBound + 1 == number {
            own[own.count - 1] = previous.lowerBound...number
        } else {
            own.append(number...number)
        }
        absorb()
        if own.count > Self.mostRanges {
            lostThrough = number
            last = number
            own = []
        }
    }

    mutating func didNotCommit() { pending = nil }

    // MARK: Saves of other connections

    /// - Parameter newest: The number of the newest visible transaction.
    func unseen(through newest: Int64) -> Unseen {
        let through = max(last, pending.map { min(newest, $0 - 1) } ?? newest)
        var unseen = Unseen(through: through, isFinal: pending == nil, isLost: lostThrough != nil)
        var known = last
        for range in own where range.lowerBound <= through {
            if known + 1 < range.lowerBound { unseen.ranges.append((known + 1)...(range.lowerBound - 1)) }
            known = range.upperBound
        }
        if known < through { unseen.ranges.append((known + 1)...through) }
        return unseen
    }

    mutating func saw(_ unseen: Unseen) {
        if let lost = lostThrough, lost <= unseen.through { lostThrough = nil }
        last = max(last, unseen.through)
        absorb()
    }

    /// Starts again after the file was replaced by an older state of itself.
    mutating func restart(at number: Int64) {
        last = number
        own = []
        lostThrough = nil
    }

    private mutating func absorb() {
        while let first = own.first, first.lowerBound <= last || first.lowerBound - 1 == last {
            last = max(last, first.upperBound)
            own.removeFirst()
        }
    }
}
