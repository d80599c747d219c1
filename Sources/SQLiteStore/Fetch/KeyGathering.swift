import ObjectGraph

/// Collects keys that a statement returns, and compresses them at intervals: many rows may contain few distinct keys, and
/// keys that lie close together are small as a set.
struct KeyGathering {
    private(set) var set = KeySet()
    private var waiting: [Int64] = []
    /// The number of keys so far, including duplicates.
    private(set) var count = 0

    private static let waitingLimit = 65_536

    @inline(__always)
    mutating func append(_ key: Int64) {
        waiting.append(key)
        if waiting.count == Self.waitingLimit { gather() }
    }

    mutating func finish() -> KeySet {
        gather()
        return set
    }

    private mutating func gather() {
        count += waiting.count
        set.formUnion(KeySet(waiting))
        waiting.removeAll(keepingCapacity: true)
    }
}
