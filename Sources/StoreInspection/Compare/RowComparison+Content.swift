import ObjectGraph

/// Rows that nothing names, or not alone: those of one store have their like in the other where their values and what they
/// lead to are the same. One that changed has none, and is told of as removed and added.
extension RowComparison {
    /// Rows of both stores are gone through once, those of the old one twice where something is missing: of each row a few
    /// bytes are kept.
    /// - Parameter isMeant: says which rows to compare.
    func compareByContent(
        _ naming: RowNaming, of isMeant: (Snapshot, ComparedSide) -> Bool = { _, _ in true },
        _ body: (Difference) throws -> Void
    ) throws {
        var unmatched: [ContentDigest: Int] = [:]
        func take(_ digest: ContentDigest) -> Bool {
            guard let count = unmatched[digest] else { return false }
            unmatched[digest] = count > 1 ? count - 1 : nil
            return true
        }
        try forEachContent(of: old, naming, isMeant) { rows in
            for (_, digest) in rows { unmatched[digest, default: 0] += 1 }
        }
        try forEachContent(of: new, naming, isMeant) { rows in
            try report(added: rows.filter { !take($0.content) }.map(\.row), body)
        }
        if unmatched.isEmpty { return }
        try forEachContent(of: old, naming, isMeant) { rows in
            try report(rows.filter { take($0.content) }.map { ($0.row, nil) }, body)
        }
    }

    /// - Parameter body: called with the rows of each page.
    private func forEachContent(
        of side: ComparedSide, _ naming: RowNaming, _ isMeant: (Snapshot, ComparedSide) -> Bool,
        _ body: ([(row: Snapshot, content: ContentDigest)]) throws -> Void
    ) throws {
        let contents = LinkNaming(naming: naming, side: side, inverse: nil)
        try side.reading.forEachPage(of: side.rows, size: Self.pageSize) { page in
            try checkpoint(page.count)
            let rows = page.filter { isMeant($0, side) }
            let found = try contents.contents(of: rows)
            try body(rows.compactMap { row in found[row.id].map { (row, ContentDigest($0)) } })
        }
    }
}
