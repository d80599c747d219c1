import ObjectGraph

/// The order in which Apple's framework numbers an entity's to-many relationships in history: the iteration order of a
/// hash table of all property names. Derived from histories of real files, in which each number must stand for a property
/// that the same transaction changed.
package struct PropertyHashOrder {
    /// How certain the order is.
    package enum Certainty {
        /// Real files with this number of properties confirm it.
        case confirmed
        /// The hash table may have another size.
        case doubtful
    }

    /// The position of each name in the order.
    package let places: [String: Int]
    package let certainty: Certainty

    /// - Parameter names: The names of all properties of an entity, including inherited and transient ones, in any order.
    package init(_ names: [String]) {
        let size = Self.tableSize(names.count)
        var table: [String?] = Array(repeating: nil, count: size)
        for name in names.sorted(by: { $0.precedesByBytes($1) }) {
            var place = Int(Self.hash(name) % UInt64(size))
            while table[place] != nil { place = (place + 1) % size }
            table[place] = name
        }
        places = Dictionary(
            table.compactMap { $0 }.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        certainty = Self.confirmedCounts.contains { $0.contains(names.count) } ? .confirmed : .doubtful
    }

    /// Entities with 42, 48 and 52 properties match a table of the next size in part. No file with history is known for
    /// 33 to 41 properties, and for more than 95.
    private static let confirmedCounts = [0...32, 59...95]

    /// The maximum number of names in a table, and the table's size.
    private static let sizes = [(19, 23), (32, 41), (52, 71), (85, 127), (118, 191)]

    private static func tableSize(_ count: Int) -> Int {
        sizes.first { count <= $0.0 }?.1 ?? count * 2 + 1
    }

    /// Hashes a text's UTF-16 units, four at a time.
    package static func hash(_ text: String) -> UInt64 {
        let units = text.utf16.map(UInt64.init)
        var hash = UInt64(units.count)
        var place = 0
        while place + 4 <= units.count {
            hash = hash &* 67_503_105 &+ units[place] &* 16_974_593 &+ units[place + 1] &* 66_049
            hash = hash &+ units[place + 2] &* 257 &+ units[place + 3]
            place += 4
        }
        for unit in units[place...] { hash = hash &* 257 &+ unit }
        return hash &+ hash << UInt64(units.count & 31)
    }
}
