import ObjectGraph

/// Counts, in both stores, the rows for each value of the property that matches rows.
package struct RowNames {
    private struct Rows {
        var oldCount = 0
        var newCount = 0
        /// One of the new store's rows with the value.
        var new: ObjectID?
    }

    private let property: String
    /// Keyed by the value's digest. Canonically equivalent spellings of a text are different values.
    private var rows: [ContentDigest: Rows] = [:]
    private var namelessCount = 0

    /// Why a property does not identify all rows.
    package struct Ambiguity: Sendable, Hashable {
        package let property: String
        /// The number of values that several rows of one store share.
        package let sharedCount: Int
        /// The number of rows without a value, in both stores.
        package let namelessCount: Int
    }

    /// Reads all rows of both stores.
    /// - Throws: `SQLiteError`, and errors of `checkpoint`.
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

    /// `nil` if every row has a unique value.
    var ambiguity: Ambiguity? {
        let sharedCount = rows.values.count { $0.oldCount > 1 || $0.newCount > 1 }
        guard sharedCount > 0 || namelessCount > 0 else { return nil }
        return Ambiguity(property: property, sharedCount: sharedCount, namelessCount: namelessCount)
    }

    /// Whether the row's value is unique in both stores.
    func isUniqueOnBothSides(_ row: Snapshot, _ side: ComparedSide) -> Bool {
        rows(like: row, side).map { $0.oldCount <= 1 && $0.newCount <= 1 } ?? false
    }

    /// The row of the new store with the same value as a row of the old store.
    func match(of row: Snapshot, _ side: ComparedSide) -> ObjectID? { rows(like: row, side)?.new }

    func isInBoth(_ row: Snapshot, _ side: ComparedSide) -> Bool {
        rows(like: row, side).map { $0.oldCount > 0 && $0.newCount > 0 } ?? false
    }
}
