import ObjectGraph

/// Rows that are to go, in the order in which they go: the deepest level first, in key order.
///
/// It says what to try next, not what is true: rows may be gone, or no longer be meant, when their turn comes.
struct DeleteQueue: Sendable {
    /// The next ones last.
    private var parts: [Part] = []

    private struct Part {
        let space: IDSpace
        let keys: KeySet
        /// The keys that are still to have their turn, once they have been asked for.
        var rest: ArraySlice<Int64>?
    }

    /// Rows of one entity that follow one another, by ascending key.
    struct Run {
        let space: IDSpace
        let keys: ArraySlice<Int64>
    }

    init() {}

    init(_ levels: [RowSet]) { push(levels) }

    var isEmpty: Bool { parts.isEmpty }

    /// Puts rows before all others.
    /// - Parameter levels: the roots first.
    mutating func push(_ levels: [RowSet]) {
        for level in levels {
            for (space, keys) in level.keysBySpace.sorted(by: { $0.key.number > $1.key.number }) where !keys.isEmpty {
                parts.append(Part(space: space, keys: keys))
            }
        }
    }

    /// The next rows in their order, at least one if there is any, and at most so many. They stay.
    mutating func next(_ limit: Int) -> [Run] {
        var runs: [Run] = []
        var room = max(1, limit)
        for index in parts.indices.reversed() where room > 0 {
            let waiting = parts[index].rest ?? parts[index].keys.keys[...]
            parts[index].rest = waiting
            let keys = waiting.prefix(room)
            runs.append(Run(space: parts[index].space, keys: keys))
            room -= keys.count
        }
        return runs
    }

    /// Takes out the next rows.
    mutating func drop(_ count: Int) {
        var rest = count
        while rest > 0, var part = parts.popLast() {
            let waiting = part.rest ?? part.keys.keys[...]
            if rest < waiting.count {
                part.rest = waiting.dropFirst(rest)
                parts.append(part)
            }
            rest -= waiting.count
        }
    }

    /// Takes out the next rows, at least one and at most so many.
    /// - Returns: `nil` when there are no more.
    mutating func take(_ limit: Int) -> RowSet? {
        let runs = next(limit)
        drop(runs.reduce(0) { $0 + $1.keys.count })
        return runs.isEmpty ? nil : runs.rows
    }
}

extension Sequence<DeleteQueue.Run> {
    var rows: RowSet {
        reduce(into: RowSet()) { $0.insert(KeySet(Array($1.keys)), in: $1.space) }
    }
}
