/// Keys of rows of one table, ascending, each once. Eight bytes a key: a million are eight megabytes, and go to the
/// store as they are.
package struct KeySet: Sendable, Hashable {
    /// Ascending, each once.
    package private(set) var keys: [Int64]

    package init() { keys = [] }

    /// - Complexity: O(n) for keys that ascend or lie close together, else O(n log n).
    package init(_ unordered: [Int64]) {
        keys = unordered
        if !Self.ascends(keys) { keys = Self.sorted(keys) }
    }

    package var count: Int { keys.count }
    package var isEmpty: Bool { keys.isEmpty }
    package var first: Int64? { keys.first }
    package var last: Int64? { keys.last }

    /// - Complexity: O(log n).
    package func contains(_ key: Int64) -> Bool {
        let place = position(of: key)
        return place < keys.count && keys[place] == key
    }

    /// The first keys, at most so many.
    package func prefix(_ count: Int) -> KeySet { KeySet(ascending: Array(keys.prefix(max(0, count)))) }

    /// The last keys, at most so many.
    package func suffix(_ count: Int) -> KeySet { KeySet(ascending: Array(keys.suffix(max(0, count)))) }

    // MARK: Sets

    /// - Complexity: O(n) in the keys of both; O(m) when the other's keys all follow.
    package mutating func formUnion(_ other: KeySet) {
        guard let first = other.first else { return }
        if isEmpty {
            self = other
        } else if let last, last >= first {
            keys = merged(with: other)
        } else {
            keys.append(contentsOf: other.keys)
        }
    }

    package func union(_ other: KeySet) -> KeySet {
        var union = self
        union.formUnion(other)
        return union
    }

    package func subtracting(_ other: KeySet) -> KeySet { split(by: other).outside }
    package func intersection(_ other: KeySet) -> KeySet { split(by: other).inside }

    /// The keys the other set has, and those it lacks.
    /// - Complexity: O(n) in the keys of both, or O(n log m) where that is less.
    package func split(by other: KeySet) -> (inside: KeySet, outside: KeySet) {
        guard let first, let last, let otherFirst = other.first, let otherLast = other.last, first <= otherLast,
            otherFirst <= last
        else { return (KeySet(), self) }
        var inside: [Int64] = []
        var outside: [Int64] = []
        var place = other.position(of: first)
        let searches = count * 16 < other.count
        for key in keys {
            if searches {
                place = other.position(of: key)
            } else {
                while place < other.keys.count, other.keys[place] < key { place += 1 }
            }
            if place < other.keys.count, other.keys[place] == key { inside.append(key) } else { outside.append(key) }
        }
        return (KeySet(ascending: inside), KeySet(ascending: outside))
    }

    // MARK: Order

    private init(ascending keys: [Int64]) { self.keys = keys }

    /// Where the key is, or would be.
    private func position(of key: Int64) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = low + (high - low) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func merged(with other: KeySet) -> [Int64] {
        var merged: [Int64] = []
        merged.reserveCapacity(keys.count + other.keys.count)
        var place = 0
        for key in keys {
            while place < other.keys.count, other.keys[place] < key {
                merged.append(other.keys[place])
                place += 1
            }
            if place < other.keys.count, other.keys[place] == key { place += 1 }
            merged.append(key)
        }
        merged.append(contentsOf: other.keys[place...])
        return merged
    }

    private static func ascends(_ keys: [Int64]) -> Bool {
        var previous: Int64?
        for key in keys {
            if let previous, previous >= key { return false }
            previous = key
        }
        return true
    }

    /// Keys that lie close together are sorted by setting a bit for each.
    private static func sorted(_ keys: [Int64]) -> [Int64] {
        if let bits = KeyBits(keys) { return bits.keys }
        var sorted = keys.sorted()
        var kept = 0
        for index in sorted.indices where index == 0 || sorted[index] != sorted[kept - 1] {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeSubrange(kept...)
        return sorted
    }
}

/// A bit for each key of a range: the form in which asking for a key costs least.
package struct KeyBits: Sendable {
    package let first: Int64
    package private(set) var words: [UInt64]

    /// - Returns: `nil` for no keys, and for keys so far apart that most words would be empty.
    package init?(_ keys: [Int64]) {
        guard let first = keys.min(), let last = keys.max(), keys.count >= 64 else { return nil }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        guard !overflow, span / 64 <= Int64(keys.count) * 2 else { return nil }
        self.first = first
        words = Array(repeating: 0, count: Int(span / 64) + 1)
        for key in keys {
            let place = Int(key - first)
            words[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// Ascending.
    var keys: [Int64] {
        var keys: [Int64] = []
        keys.reserveCapacity(words.reduce(0) { $0 + $1.nonzeroBitCount })
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                keys.append(first + Int64(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return keys
    }
}
