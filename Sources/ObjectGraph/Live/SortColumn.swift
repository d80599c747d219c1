/// The values of one sort key of all held rows, by the number of the row: eight bytes for each integer, real or date,
/// and sixteen for each text, which shares long contents with the record of its row.
///
/// Only the array of the column's kind is used; the others stay empty. Arrays in an enum would be copied when they are
/// changed.
struct SortColumn {
    private enum Kind {
        case integers, reals, texts
        /// Values of any type.
        case values
    }

    private var kind = Kind.integers
    /// Nil is the smallest integer.
    private var integers: [Int64] = []
    /// Nil is not a number.
    private var reals: [Double] = []
    private var texts: [String?] = []
    private var values: [Value] = []
    private var reserved = 0

    private static let nilInteger = Int64.min

    /// Compares like `ValueOrder.compare(_:_:texts:)`.
    @inline(__always)
    func compare(_ one: UInt32, _ other: UInt32, _ order: TextOrder) -> Int {
        let (one, other) = (Int(one), Int(other))
        switch kind {
        case .integers: return integers[one] == integers[other] ? 0 : (integers[one] < integers[other] ? -1 : 1)
        case .reals:
            let (left, right) = (reals[one], reals[other])
            if left < right { return -1 }
            if left > right { return 1 }
            return left.isNaN == right.isNaN ? 0 : (left.isNaN ? -1 : 1)
        case .texts:
            guard let left = texts[one] else { return texts[other] == nil ? 0 : -1 }
            guard let right = texts[other] else { return 1 }
            return TextMatching.order(order, left, right)
        case .values: return ValueOrder.compare(values[one], values[other], texts: order)
        }
    }

    func value(_ number: UInt32) -> Value {
        let place = Int(number)
        return switch kind {
        case .integers: integers[place] == Self.nilInteger ? .null : .integer(integers[place])
        case .reals: reals[place].isNaN ? .null : .real(reals[place])
        case .texts: texts[place].map(Value.text) ?? .null
        case .values: values[place]
        }
    }

    /// Whether the row has this value already.
    func holds(_ value: Value, _ number: UInt32) -> Bool {
        let known = self.value(number)
        return known == value || known.isNil && value.isNil
    }

    // MARK: Changing

    mutating func reserve(_ count: Int) {
        reserved = count
        reserveColumn()
    }

    private mutating func reserveColumn() {
        switch kind {
        case .integers: integers.reserveCapacity(reserved)
        case .reals: reals.reserveCapacity(reserved)
        case .texts: texts.reserveCapacity(reserved)
        case .values: values.reserveCapacity(reserved)
        }
    }

    /// Sets the value of a row, which is the next one at most.
    mutating func set(_ value: Value, at number: UInt32) {
        if put(value, at: Int(number)) { return }
        widen(for: value)
        _ = put(value, at: Int(number))
    }

    /// Releases the memory of a row's value.
    mutating func clear(_ number: UInt32) {
        if kind == .texts || kind == .values { set(.null, at: number) }
    }

    /// - Returns: `false` for a value of another type; then nothing has changed.
    private mutating func put(_ value: Value, at place: Int) -> Bool {
        switch (kind, value) {
        case (.integers, .integer(Self.nilInteger)): return false
        case (.integers, .integer(let integer)): integers.put(integer, at: place)
        case (.integers, .null): integers.put(Self.nilInteger, at: place)
        case (.reals, .real(let real)): reals.put(real, at: place)
        case (.reals, .null): reals.put(.nan, at: place)
        case (.texts, .text(let text)): texts.put(text, at: place)
        case (.texts, .null): texts.put(nil, at: place)
        case (.values, _): values.put(value, at: place)
        default: return false
        }
        return true
    }

    /// Makes room for another type: of a column without values yet, the value's own, otherwise any.
    private mutating func widen(for value: Value) {
        let isUnused = kind == .integers && integers.allSatisfy { $0 == Self.nilInteger }
        switch value {
        case .real where isUnused:
            reals = Array(repeating: .nan, count: integers.count)
            kind = .reals
        case .text where isUnused:
            texts = Array(repeating: nil, count: integers.count)
            kind = .texts
        default:
            values = (0..<max(integers.count, reals.count, texts.count)).map { self.value(UInt32($0)) }
            kind = .values
        }
        integers = []
        if kind != .reals { reals = [] }
        if kind != .texts { texts = [] }
        reserveColumn()
    }
}

extension Array {
    /// Sets the element at a place, or appends it.
    fileprivate mutating func put(_ element: Element, at place: Int) {
        if place < count { self[place] = element } else { append(element) }
    }
}
