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
        /// Keys before this one had their turn.
        var position = 0
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
            let end = min(part.position + room, part.keys.count)
            rows.insert(KeySet(Array(part.keys.keys[part.position..<end])), in: part.space)
            room -= end - part.position
            part.position = end
            if end < part.keys.count { parts.append(part) }
        }
        return rows.isEmpty ? nil : rows
    }
}
