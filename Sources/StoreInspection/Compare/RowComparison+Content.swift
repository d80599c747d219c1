import ObjectGraph

/// Rows that nothing names: those of one store have their like in the other where their values and what they lead to are
/// the same. One that changed has none, and is told of as removed and added.
extension RowComparison {
    /// Rows of both stores are gone through once, those of the old one twice where something is missing: of each row a few
    /// bytes are kept.
    func compareByContent(_ naming: RowNaming, _ body: (Difference) throws -> Void) throws {
        var unmatched: [ContentDigest: Int] = [:]
        func take(_ digest: ContentDigest) -> Bool {
            guard let count = unmatched[digest] else { return false }
            unmatched[digest] = count > 1 ? count - 1 : nil
            return true
        }
        try forEachContent(of: old, naming) { _, digest in unmatched[digest, default: 0] += 1 }
        try forEachContent(of: new, naming) { row, digest in
            if !take(digest) { try body(.added(row.id, label: RowLabel.text(of: row, in: new.model))) }
        }
        if unmatched.isEmpty { return }
        try forEachContent(of: old, naming) { row, digest in
            if take(digest) { try body(.removed(row.id, label: RowLabel.text(of: row, in: old.model))) }
        }
    }

    private func forEachContent(
        of side: ComparedSide, _ naming: RowNaming, _ body: (Snapshot, ContentDigest) throws -> Void
    ) throws {
        let contents = LinkNaming(naming: naming, side: side, inverse: nil)
        let toMany = linked.filter { tellsAlone($0, naming) }
        var parts = LinkedParts()
        try side.reading.forEachPage(of: query(side), size: Self.pageSize) { page in
            try parts.forEachPart(of: page) { rows in
                let found = try contents.names(of: Set(rows.map(\.id)))
                let members = try toMany.map { try links($0, of: Array(rows), side) }
                for row in rows {
                    guard let content = found[row.id] else { continue }
                    let lists = zip(toMany, members).map { InspectedField($0, $1[row.id] ?? .list([])) }
                    try body(row, ContentDigest(.list([content, .fields(lists)])))
                }
                return members.joined().reduce(0) { $0 + ($1.value.listValue?.count ?? 0) }
            }
        }
    }

    /// Whether nobody else tells what a to-many relationship of such rows leads to: its members have no name either, or no
    /// way back, or their order counts.
    private func tellsAlone(_ property: String, _ naming: RowNaming) -> Bool {
        guard let relationship = old.entity.relationship(named: property), old.isLinkOfItsOwn(relationship) else {
            return false
        }
        return relationship.relationship.isOrdered || old.model.inverse(of: relationship) == nil
            || !naming.names(relationship, old.model)
    }
}

/// Stands for a value that is too long to be kept: of 128 bits, so that no two rows of a store are mistaken for each
/// other.
private struct ContentDigest: Hashable {
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
