import ObjectGraph

/// Gathers keys as a statement gives them. What has come is made small now and then: many rows may name few keys, and keys
/// that lie close together take little room as a set.
struct KeyGathering {
    private(set) var set = KeySet()
    private var waiting: [Int64] = []
    /// Keys given so far, each as often as it came.
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
