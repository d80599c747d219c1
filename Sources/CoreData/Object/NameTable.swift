/// The names of an entity's properties, with what each stands for. Every access by name passes here: length, first and last
/// byte tell nearly all names of an entity apart, so that no text is hashed and one is compared.
struct NameTable<Element> {
    private let names: [String]
    private let elements: [Element]
    /// Places in `names`, -1 where there is none; a power of two of them.
    private let places: [Int]
    /// Of the hash; chosen so that it tells the names apart.
    private let factor: Int

    init(_ named: [String: Element]) {
        names = Array(named.keys)
        elements = names.compactMap { named[$0] }
        (places, factor) = Self.arranged(names)
    }

    /// With a factor that keeps all names apart, where one is found soon. Names that meet stand one behind the other.
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

    /// The elements, where `index(of:)` says.
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

    /// Equal texts may be spelled in several ways, unless they are ASCII: then their ends are not looked at.
    @inline(__always)
    private static func hash(_ name: String, _ factor: Int) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, first < 0x80, last < 0x80 else { return 0 }
            return Int(first) &* factor &+ Int(last) &* 7 &+ bytes.count
        }
    }
}
