/// The names of an entity's properties, with what each stands for. Every access by name passes here: length, first and last
/// byte tell nearly all names of an entity apart, so that no text is hashed and one is compared.
struct NameTable<Element> {
    private let names: [String]
    private let elements: [Element]
    /// Places in `names`, -1 where there is none; a power of two of them, at least twice as many as names.
    private let places: [Int]

    init(_ named: [String: Element]) {
        names = Array(named.keys)
        elements = names.compactMap { named[$0] }
        var capacity = 16
        while capacity < 2 * names.count { capacity *= 2 }
        var places = Array(repeating: -1, count: capacity)
        for (index, name) in names.enumerated() {
            var place = Self.hash(name) & (capacity - 1)
            while places[place] >= 0 { place = (place + 1) & (capacity - 1) }
            places[place] = index
        }
        self.places = places
    }

    subscript(name: String) -> Element? {
        var place = Self.hash(name) & (places.count - 1)
        while places[place] >= 0 {
            let index = places[place]
            if names[index] == name { return elements[index] }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Equal texts may be spelled in several ways, unless they are ASCII: then their ends are not looked at.
    @inline(__always)
    private static func hash(_ name: String) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, first < 0x80, last < 0x80 else { return 0 }
            return Int(first) &* 31 &+ Int(last) &* 7 &+ bytes.count
        }
    }
}
