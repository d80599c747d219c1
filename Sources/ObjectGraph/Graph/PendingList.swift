/// Records in the order of their changes. Removed records leave the list only when there are many, or when they are added
/// again; until then their status excludes them. So removing many one by one costs no more than removing them together.
struct PendingList {
    private(set) var records: [Record] = []
    private var removed: Set<ObjectIdentifier> = []

    mutating func append(_ record: Record) {
        if !removed.isEmpty, removed.contains(ObjectIdentifier(record)) { removeMarked() }
        records.append(record)
    }

    mutating func remove(_ record: Record) {
        if records.isEmpty { return }
        removed.insert(ObjectIdentifier(record))
        if 2 * removed.count > records.count { removeMarked() }
    }

    private mutating func removeMarked() {
        records.removeAll { removed.contains(ObjectIdentifier($0)) }
        removed = []
    }
}

extension Array {
    /// Filters without a copy if nothing is left out.
    func keeping(_ isKept: (Element) throws -> Bool) rethrows -> [Element] {
        try allSatisfy(isKept) ? self : filter(isKept)
    }
}
