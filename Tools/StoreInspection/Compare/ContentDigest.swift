/// A 128-bit digest that stands for a value too long to keep in memory. Its size makes collisions within a store
/// practically impossible.
struct ContentDigest: Hashable {
    private let first: Int
    private let second: Int

    init(_ value: InspectedValue) {
        let bytes = Array(value.json().utf8)
        (first, second) = (Self.hash(bytes, seed: 1), Self.hash(bytes, seed: 2))
    }

    private static func hash(_ bytes: [UInt8], seed: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
