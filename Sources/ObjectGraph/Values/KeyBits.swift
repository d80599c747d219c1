/// A set with one bit for each key of a range: the smallest form, with the fastest look-up, for keys that are close
/// together.
package struct KeyBits: Sendable, Hashable {
    /// The index of the first word. A key's word is the key divided by 64, rounded down.
    package private(set) var firstWord: Int64
    package private(set) var words: [UInt64]
    package private(set) var count: Int

    /// - Returns: `nil` for no keys, and for keys so far apart that most words would be empty.
    package init?(_ keys: [Int64]) {
        guard let first = keys.min(), let last = keys.max(), keys.count >= 64,
            Self.word(last) - Self.word(first) < Int64(keys.count) * 2
        else { return nil }
        self.init(room: first...last)
        insert(keys)
    }

    /// Creates an empty set with space for these keys.
    init(room: ClosedRange<Int64>) {
        firstWord = Self.word(room.lowerBound)
        words = Array(repeating: 0, count: Int(Self.word(room.upperBound) - firstWord) + 1)
        count = 0
    }

    /// Cannot overflow: the indexes of words have 58 bits.
    @inline(__always)
    static func word(_ key: Int64) -> Int64 { key >> 6 }

    private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(key & 63) }

    func contains(_ key: Int64) -> Bool {
        let place = Self.word(key) - firstWord
        return place >= 0 && place < Int64(words.count) && words[Int(place)] & Self.bit(key) != 0
    }

    var first: Int64? {
        words.firstIndex { $0 != 0 }.map { start(ofWordAt: $0) + Int64(words[$0].trailingZeroBitCount) }
    }

    var last: Int64? {
        words.lastIndex { $0 != 0 }.map { start(ofWordAt: $0) + Int64(63 - words[$0].leadingZeroBitCount) }
    }

    private func start(ofWordAt index: Int) -> Int64 { (firstWord + Int64(index)) << 6 }

    // MARK: Changing

    mutating func makeRoom(for keys: ClosedRange<Int64>) {
        let missing = firstWord - Self.word(keys.lowerBound)
        if missing > 0 {
            words.insert(contentsOf: repeatElement(0, count: Int(missing)), at: 0)
            firstWord -= missing
        }
        let needed = Int(Self.word(keys.upperBound) - firstWord) + 1
        if needed > words.count { words.append(contentsOf: repeatElement(0, count: needed - words.count)) }
    }

    /// Inserts keys, for which there must be space.
    mutating func insert(_ keys: [Int64]) {
        for key in keys {
            let place = Int(Self.word(key) - firstWord)
            let word = words[place]
            let new = word | Self.bit(key)
            if new != word {
                words[place] = new
                count += 1
            }
        }
    }

    /// Adds the keys of another set, for which there must be space.
    mutating func formUnion(_ other: KeyBits) {
        let offset = Int(other.firstWord - firstWord)
        for (index, word) in other.words.enumerated() where word != 0 {
            let old = words[offset + index]
            words[offset + index] = old | word
            count += (word & ~old).nonzeroBitCount
        }
    }

    mutating func remove(_ keys: [Int64]) {
        for key in keys where contains(key) {
            words[Int(Self.word(key) - firstWord)] &= ~Self.bit(key)
            count -= 1
        }
    }

    /// Returns the keys that the other set contains, and those that it does not.
    func split(by other: KeyBits) -> (inside: KeyBits, outside: KeyBits) {
        var (inside, outside) = (self, self)
        for index in words.indices {
            let place = firstWord + Int64(index) - other.firstWord
            let theirs = place >= 0 && place < Int64(other.words.count) ? other.words[Int(place)] : 0
            inside.words[index] &= theirs
            outside.words[index] &= ~theirs
        }
        inside.count = inside.words.reduce(0) { $0 + $1.nonzeroBitCount }
        outside.count = count - inside.count
        return (inside, outside)
    }

    /// Removes empty words at both ends.
    mutating func trim() {
        guard let first = words.firstIndex(where: { $0 != 0 }), let last = words.lastIndex(where: { $0 != 0 })
        else {
            words = []
            return
        }
        guard first > 0 || last < words.count - 1 else { return }
        words = Array(words[first...last])
        firstWord += Int64(first)
    }

    // MARK: Lists

    /// The keys in ascending order.
    package var keys: [Int64] { prefix(count) }

    func prefix(_ limit: Int) -> [Int64] {
        var keys: [Int64] = []
        keys.reserveCapacity(min(limit, count))
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                guard keys.count < limit else { return keys }
                keys.append(start(ofWordAt: index) + Int64(rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return keys
    }

    func suffix(_ limit: Int) -> [Int64] {
        var keys: [Int64] = []
        for index in words.indices.reversed() {
            var rest = words[index]
            while rest != 0 {
                guard keys.count < limit else { return keys.reversed() }
                let highest = 63 - rest.leadingZeroBitCount
                keys.append(start(ofWordAt: index) + Int64(highest))
                rest &= ~(1 << UInt64(highest))
            }
        }
        return keys.reversed()
    }
}
