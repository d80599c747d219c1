import ObjectGraph

/// How often each value of the property by which rows are matched is there, in both stores.
package struct RowNames {
    private struct Rows {
        var oldCount = 0
        var newCount = 0
        /// One of the new store's.
        var new: ObjectID?
    }

    private let property: String
    /// By the value, of which texts that are spelled differently are two.
    private var rows: [ContentDigest: Rows] = [:]
    private var namelessCount = 0

    /// What keeps a property from telling all rows apart.
    package struct Ambiguity: Sendable, Hashable {
        package let property: String
        /// Values that several rows of one store have.
        package let sharedCount: Int
        /// Rows of both stores without a value.
        package let namelessCount: Int
    }

    /// Goes through all rows of both.
    /// - Throws: `SQLiteError`, and what `checkpoint` throws.
    init(_ property: String, _ old: ComparedSide, _ new: ComparedSide, _ checkpoint: (Int) throws -> Void) throws {
        self.property = property
        try old.reading.forEachPage(of: old.rows, size: RowComparison.pageSize) { page in
            try checkpoint(page.count)
            for row in page { count(row, old) { $0.oldCount += 1 } }
        }
        try new.reading.forEachPage(of: new.rows, size: RowComparison.pageSize) { page in
            try checkpoint(page.count)
            for row in page {
                count(row, new) { found in
                    found.newCount += 1
                    found.new = row.id
                }
            }
        }
    }

    private mutating func count(_ row: Snapshot, _ side: ComparedSide, _ note: (inout Rows) -> Void) {
        if let name = name(of: row, side) { note(&rows[name, default: Rows()]) } else { namelessCount += 1 }
    }

    private func name(of row: Snapshot, _ side: ComparedSide) -> ContentDigest? {
        side.rendering.value(property, of: row).flatMap { $0.isNone || $0.lostMark != nil ? nil : ContentDigest($0) }
    }

    private func rows(like row: Snapshot, _ side: ComparedSide) -> Rows? { name(of: row, side).flatMap { rows[$0] } }

    /// `nil` where every row has a value of its own.
    var ambiguity: Ambiguity? {
        let sharedCount = rows.values.count { $0.oldCount > 1 || $0.newCount > 1 }
        guard sharedCount > 0 || namelessCount > 0 else { return nil }
        return Ambiguity(property: property, sharedCount: sharedCount, namelessCount: namelessCount)
    }

    /// Whether no other row of either store could be meant.
    func tellsApart(_ row: Snapshot, _ side: ComparedSide) -> Bool {
        rows(like: row, side).map { $0.oldCount <= 1 && $0.newCount <= 1 } ?? false
    }

    /// What an old row is called in the new store.
    func match(of row: Snapshot, _ side: ComparedSide) -> ObjectID? { rows(like: row, side)?.new }

    func isInBoth(_ row: Snapshot, _ side: ComparedSide) -> Bool {
        rows(like: row, side).map { $0.oldCount > 0 && $0.newCount > 0 } ?? false
    }
}
