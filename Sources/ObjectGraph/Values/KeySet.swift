/// A set of primary keys of one table.
///
/// Stored in the form that takes less memory: a list with eight bytes for each key, or a bit for each key of their
/// range. A million rows of a table with few others take 125 kilobytes. Equal sets have the same form.
package struct KeySet: Sendable, Hashable {
    private enum Form: Sendable, Hashable {
        /// Ascending and unique.
        case list([Int64])
        /// Without empty words at the ends.
        case bits(KeyBits)
    }

    private var form: Form

    package init() { form = .list([]) }

    /// - Complexity: O(n) for keys that are ascending or close together, otherwise O(n log n).
    package init(_ unordered: [Int64]) {
        if let bits = KeyBits(unordered) {
            self.init(bits)
        } else {
            self.init(ascending: Self.ascends(unordered) ? unordered : Self.sorted(unordered))
        }
    }

    private init(ascending list: [Int64]) {
        guard let first = list.first, let last = list.last,
            Self.isDense(wordCount: KeyBits.word(last) - KeyBits.word(first) + 1, count: list.count)
        else {
            form = .list(list)
            return
        }
        var bits = KeyBits(room: first...last)
        bits.insert(list)
        form = .bits(bits)
    }

    private init(_ bits: KeyBits) {
        var bits = bits
        bits.trim()
        let isDense = Self.isDense(wordCount: Int64(bits.words.count), count: bits.count)
        form = isDense ? .bits(bits) : .list(bits.keys)
    }

    /// Whether bits take less memory than a list. A few keys are always a list.
    private static func isDense(wordCount: Int64, count: Int) -> Bool { count >= 64 && wordCount <= Int64(count) }

    package var count: Int {
        switch form {
        case .list(let list): list.count
        case .bits(let bits): bits.count
        }
    }

    package var isEmpty: Bool { count == 0 }

    package var first: Int64? {
        switch form {
        case .list(let list): list.first
        case .bits(let bits): bits.first
        }
    }

    package var last: Int64? {
        switch form {
        case .list(let list): list.last
        case .bits(let bits): bits.last
        }
    }

    /// The keys in ascending order.
    /// - Complexity: O(n): creates a list if the set is stored as bits.
    package var keys: [Int64] {
        switch form {
        case .list(let list): list
        case .bits(let bits): bits.keys
        }
    }

    /// The form with the fastest look-up; `nil` if the keys are so few or so far apart that it is not worthwhile.
    package var bits: KeyBits? {
        switch form {
        case .list(let list): KeyBits(list)
        case .bits(let bits): bits
        }
    }

    /// - Complexity: O(log n) at most.
    package func contains(_ key: Int64) -> Bool {
        switch form {
        case .list(let list):
            let place = Self.position(of: key, in: list)
            return place < list.count && list[place] == key
        case .bits(let bits): return bits.contains(key)
        }
    }

    /// Returns the first keys, at most this many.
    package func prefix(_ count: Int) -> KeySet {
        switch form {
        case .list(let list): KeySet(ascending: Array(list.prefix(max(0, count))))
        case .bits(let bits): count >= bits.count ? self : KeySet(ascending: bits.prefix(max(0, count)))
        }
    }

    /// Returns the last keys, at most this many.
    package func suffix(_ count: Int) -> KeySet {
        switch form {
        case .list(let list): KeySet(ascending: Array(list.suffix(max(0, count))))
        case .bits(let bits): count >= bits.count ? self : KeySet(ascending: bits.suffix(max(0, count)))
        }
    }

    /// Divides the keys into sets of at most this size, in order; created lazily.
    package func parts(of size: Int) -> LazyMapSequence<StrideTo<Int>, KeySet> {
        let (list, size) = (keys, max(1, size))
        return stride(from: 0, to: list.count, by: size).lazy.map { start in
            KeySet(ascending: Array(list[start..<min(start + size, list.count)]))
        }
    }
}

// MARK: - Sets

extension KeySet {
    /// - Complexity: O(n) in the keys of both sets; O(m) if all keys of the other set follow, or if they are in the
    ///   range of keys that are close together.
    package mutating func formUnion(_ other: KeySet) {
        guard let first, let last, let otherFirst = other.first, let otherLast = other.last else {
            if isEmpty { self = other }
            return
        }
        let range = min(first, otherFirst)...max(last, otherLast)
        let wordCount = KeyBits.word(range.upperBound) - KeyBits.word(range.lowerBound) + 1
        if Self.isDense(wordCount: wordCount, count: count + other.count) {
            formDenseUnion(other, range)
        } else {
            formSparseUnion(other)
        }
    }

    /// - Parameter range: The range of the keys of both sets.
    private mutating func formDenseUnion(_ other: KeySet, _ range: ClosedRange<Int64>) {
        var bits: KeyBits
        switch form {
        case .bits(let own): bits = own
        case .list(let list):
            bits = KeyBits(room: range)
            bits.insert(list)
        }
        // The following mutation is in place if there is no other reference to these bits.
        form = .list([])
        bits.makeRoom(for: range)
        switch other.form {
        case .bits(let theirs): bits.formUnion(theirs)
        case .list(let list): bits.insert(list)
        }
        let isDense = Self.isDense(wordCount: Int64(bits.words.count), count: bits.count)
        form = isDense ? .bits(bits) : .list(bits.keys)
    }

    private mutating func formSparseUnion(_ other: KeySet) {
        guard case .list(var list) = form, let last = list.last, let otherFirst = other.first, last < otherFirst else {
            self = KeySet(ascending: Self.merged(keys, other.keys))
            return
        }
        form = .list([])
        list.append(contentsOf: other.keys)
        form = .list(list)
    }

    package func union(_ other: KeySet) -> KeySet {
        var union = self
        union.formUnion(other)
        return union
    }

    package func subtracting(_ other: KeySet) -> KeySet { split(by: other).outside }
    package func intersection(_ other: KeySet) -> KeySet { split(by: other).inside }

    /// Returns the keys that the other set contains, and those that it does not.
    /// - Complexity: O(n) in the keys of both sets, or O(n log m) if that is less.
    package func split(by other: KeySet) -> (inside: KeySet, outside: KeySet) {
        guard let first, let last, let otherFirst = other.first, let otherLast = other.last, first <= otherLast,
            otherFirst <= last
        else { return (KeySet(), self) }
        switch (form, other.form) {
        case (.bits(let bits), .bits(let theirs)):
            let (inside, outside) = bits.split(by: theirs)
            return (KeySet(inside), KeySet(outside))
        case (.bits(var bits), .list(let theirs)):
            let inside = theirs.filter(bits.contains)
            bits.remove(inside)
            return (KeySet(ascending: inside), KeySet(bits))
        case (.list(let list), .bits(let theirs)):
            let outside = list.filter { !theirs.contains($0) }
            return (KeySet(ascending: list.filter(theirs.contains)), KeySet(ascending: outside))
        case (.list(let list), .list(let theirs)): return Self.split(list, by: theirs)
        }
    }

    // MARK: Lists

    private static func split(_ list: [Int64], by other: [Int64]) -> (inside: KeySet, outside: KeySet) {
        var inside: [Int64] = []
        var outside: [Int64] = []
        var place = list.first.map { position(of: $0, in: other) } ?? 0
        let searches = list.count * 16 < other.count
        for key in list {
            if searches {
                place = position(of: key, in: other)
            } else {
                while place < other.count, other[place] < key { place += 1 }
            }
            if place < other.count, other[place] == key { inside.append(key) } else { outside.append(key) }
        }
        return (KeySet(ascending: inside), KeySet(ascending: outside))
    }

    /// Returns the position at which the key is, or would be inserted.
    private static func position(of key: Int64, in list: [Int64]) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = low + (high - low) / 2
            if list[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func merged(_ list: [Int64], _ other: [Int64]) -> [Int64] {
        var merged: [Int64] = []
        merged.reserveCapacity(list.count + other.count)
        var place = 0
        for key in list {
            while place < other.count, other[place] < key {
                merged.append(other[place])
                place += 1
            }
            if place < other.count, other[place] == key { place += 1 }
            merged.append(key)
        }
        merged.append(contentsOf: other[place...])
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

    private static func sorted(_ keys: [Int64]) -> [Int64] {
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
