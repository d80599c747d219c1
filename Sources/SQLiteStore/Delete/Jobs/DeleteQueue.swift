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
        /// The keys that are still to have their turn, once the first had.
        var rest: ArraySlice<Int64>?
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

    /// The next rows, at least one and at most so many.
    /// - Returns: `nil` when there are no more.
    mutating func take(_ limit: Int) -> RowSet? {
        var rows = RowSet()
        var room = max(1, limit)
        while room > 0, var part = parts.popLast() {
            let waiting = part.rest ?? part.keys.keys[...]
            let next = waiting.prefix(room)
            rows.insert(KeySet(Array(next)), in: part.space)
            room -= next.count
            part.rest = waiting.dropFirst(next.count)
            if next.count < waiting.count { parts.append(part) }
        }
        return rows.isEmpty ? nil : rows
    }
}
