/// A dictionary of an entity's properties by name, which every access by name uses. The length, first and last byte distinguish
/// nearly all names of an entity, so that no text is hashed and only one is compared.
struct NameTable<Element> {
    private let names: [String]
    private let elements: [Element]
    /// Indices in `names`, -1 for empty places; their number is a power of two.
    private let places: [Int]
    /// The factor of the hash, chosen to avoid collisions.
    private let factor: Int

    init(_ named: [String: Element]) {
        names = Array(named.keys)
        elements = names.compactMap { named[$0] }
        (places, factor) = Self.arranged(names)
    }

    /// Searches for a factor without collisions. Colliding names are in consecutive places.
    private static func arranged(_ names: [String]) -> (places: [Int], factor: Int) {
        var best = arranged(names, 31)
        for factor in stride(from: 33, to: 79, by: 2) where best.meetings > 0 {
            let next = arranged(names, factor)
            if next.meetings < best.meetings { best = next }
        }
        return (best.places, best.factor)
    }

    private static func arranged(_ names: [String], _ factor: Int) -> (places: [Int], factor: Int, meetings: Int) {
        var capacity = 16
        while capacity < 4 * names.count { capacity *= 2 }
        var places = Array(repeating: -1, count: capacity)
        var meetings = 0
        for (index, name) in names.enumerated() {
            var place = hash(name, factor) & (capacity - 1)
            while places[place] >= 0 {
                place = (place + 1) & (capacity - 1)
                meetings += 1
            }
            places[place] = index
        }
        return (places, factor, meetings)
    }

    subscript(name: String) -> Element? { index(of: name).map { elements[$0] } }

    /// The elements, by the indices of `index(of:)`.
    var all: [Element] { elements }

    @inline(__always)
    func index(of name: String) -> Int? {
        var place = Self.hash(name, factor) & (places.count - 1)
        while places[place] >= 0 {
            let index = places[place]
            if names[index] == name { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Equal texts may differ in their bytes unless they are ASCII; the bytes of other texts are not used.
    @inline(__always)
    private static func hash(_ name: String, _ factor: Int) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, first < 0x80, last < 0x80 else { return 0 }
            return Int(first) &* factor &+ Int(last) &* 7 &+ bytes.count
        }
    }
}
