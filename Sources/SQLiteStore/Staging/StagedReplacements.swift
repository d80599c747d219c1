import ObjectGraph

/// Which key each staged row gets, and which of them take the place of others by unique values: worked out before any
/// is written. In memory are those that take another one's place, and no others.
struct StagedReplacements {
    /// The first of new rows of each hierarchy, at its root.
    private let firstKeys: PerEntity<Int64>
    private let roots: PerEntity<Int>
    /// Of rows that take another one's place, the key of that one.
    private var taken: [StagedRows.Row: Int64] = [:]
    /// Rows whose place a later one takes; they need not be written.
    private var superseded: Set<StagedRows.Row> = []
    /// Who has a taken place by now.
    private var holders: [StagedRows.Row: StagedRows.Row] = [:]

    /// - Parameter firstKeys: those of roots count.
    init(_ model: Model, firstKeys: PerEntity<Int64>) {
        self.firstKeys = firstKeys
        roots = PerEntity(model, \.rootIndex)
    }

    var count: Int { taken.count }

    func key(of row: StagedRows.Row) -> Int64 { taken[row] ?? ownKey(of: row) }

    /// What a row gets that takes nobody's place.
    func ownKey(of row: StagedRows.Row) -> Int64 { firstKeys[roots[row.entityIndex]] + row.place }

    /// The row that gets the key where it takes nobody's place. For the key of a row in the file it is none of the staged
    /// ones, and of a negative place.
    func row(owning key: Int64, entityIndex: Int) -> StagedRows.Row {
        StagedRows.Row(entityIndex: entityIndex, place: key - firstKeys[roots[entityIndex]])
    }

    func isWritten(_ row: StagedRows.Row) -> Bool { !superseded.contains(row) }

    /// Whether a row is written to the place of another one, in the file or among the staged ones.
    func replaces(_ row: StagedRows.Row) -> Bool { taken[row] != nil && isWritten(row) }

    /// Whether a row with the key was in the file before.
    func isStored(_ key: Int64, entityIndex: Int) -> Bool { key < firstKeys[roots[entityIndex]] }

    /// Whether a row that is in the file has another one's values by now.
    func isTaken(_ key: Int64, entityIndex: Int) -> Bool {
        holders[row(owning: key, entityIndex: entityIndex)] != nil
    }

    /// A row takes the place of the one that has the key by now, of the same entity. Rows come in their order.
    mutating func take(_ key: Int64, for row: StagedRows.Row) {
        taken[row] = key
        let first = self.row(owning: key, entityIndex: row.entityIndex)
        if let holder = holders[first] ?? (first.place >= 0 ? first : nil) { superseded.insert(holder) }
        holders[first] = row
    }
}
