/// Stands for a value that is too long to be kept: of 128 bits, so that no two rows of a store are mistaken for each
/// other.
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
