/// Which transactions of a file need no more looking at: all up to a number, and beyond it those that the store wrote
/// itself.
struct SeenTransactions: Sendable {
    /// This one and all before it.
    private(set) var last: Int64
    /// The store's own beyond that; ascending, never adjacent.
    private var own: [ClosedRange<Int64>] = []
    /// Of the save that may or may not be committed just now. Nobody else can have written it or a later one before
    /// that is decided.
    private var pending: Int64?
    /// Own numbers up to this one were forgotten, because others' saves between them were not asked for in a long time.
    private var lostThrough: Int64?

    /// Others' transactions.
    struct Unseen: Sendable, Hashable {
        var ranges: [ClosedRange<Int64>] = []
        /// Everything up to here is told of.
        let through: Int64
        /// Whether nothing more can be there that is visible already.
        let isFinal: Bool
        /// Whether what others wrote cannot be told from one's own.
        let isLost: Bool
    }

    private static let mostRanges = 1000

    init(last: Int64) {
        self.last = last
    }

    // MARK: Own saves

    /// Before the commit, while the write lock is held.
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

    // MARK: Others' saves

    /// - Parameter newest: number of the newest transaction that is visible.
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

    /// The file was replaced by an older state of itself.
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
