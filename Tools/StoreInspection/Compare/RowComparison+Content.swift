import ObjectGraph

/// Compares rows without a unique name. A row equals a row of the other store if their values and destinations are the
/// same. A changed row has no counterpart and is reported as removed and added.
extension RowComparison {
    /// Reads the rows of both stores once, and those of the old store a second time if any is missing. Keeps a few
    /// bytes of each row in memory.
    /// - Parameter isMeant: selects the rows to compare.
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
