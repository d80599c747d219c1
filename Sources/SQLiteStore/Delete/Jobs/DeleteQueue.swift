import ObjectGraph

/// Rows pending deletion, in their order: the deepest level first, and by key within a level.
///
/// The queue is only a proposal: a row may be gone, or may no longer depend on the roots, when its turn comes.
struct DeleteQueue: Sendable {
    /// The parts in reverse order.
    private var parts: [Part] = []

    private struct Part {
        let space: IDSpace
        let keys: KeySet
        /// The keys that have not been processed yet, once they have been listed.
        var rest: ArraySlice<Int64>?
    }

    /// Consecutive rows of one entity, by ascending key.
    struct Run {
        let space: IDSpace
        let keys: ArraySlice<Int64>
    }

    init() {}

    init(_ levels: [RowSet]) { push(levels) }

    var isEmpty: Bool { parts.isEmpty }

    /// Inserts rows before all others.
    /// - Parameter levels: The levels, roots first.
    mutating func push(_ levels: [RowSet]) {
        for level in levels {
            for (space, keys) in level.keysBySpace.sorted(by: { $0.key.number > $1.key.number }) where !keys.isEmpty {
                parts.append(Part(space: space, keys: keys))
            }
        }
    }

    /// Returns the next rows in order, at least one if there are any, at most `limit`. They stay in the queue.
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

    /// Removes the next rows.
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

    /// Removes and returns the next rows, at least one and at most `limit`.
    /// - Returns: `nil` if the queue is empty.
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
