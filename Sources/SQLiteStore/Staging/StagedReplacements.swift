import ObjectGraph

/// The primary keys of staged rows, and which of them replace others with equal unique values. Determined before any is
/// written. Keeps only the replacing rows in memory.
struct StagedReplacements {
    /// The first key of the new rows of each hierarchy, at its root.
    private let firstKeys: PerEntity<Int64>
    private let roots: PerEntity<Int>
    /// For each replacing row, the key of the replaced row.
    private var replacedKeys: [StagedRows.Row: Int64] = [:]
    /// Rows that a later one replaces; they need not be written.
    private var overwritten: Set<StagedRows.Row> = []
    /// The staged row that currently owns each replaced row's key.
    private var holders: [StagedRows.Row: StagedRows.Row] = [:]

    /// - Parameter firstKeys: Only those of roots are used.
    init(_ model: Model, firstKeys: PerEntity<Int64>) {
        self.firstKeys = firstKeys
        roots = PerEntity(model, \.rootIndex)
    }

    var count: Int { replacedKeys.count }

    func key(of row: StagedRows.Row) -> Int64 { replacedKeys[row] ?? ownKey(of: row) }

    /// The key of a row that replaces no other.
    func ownKey(of row: StagedRows.Row) -> Int64 { firstKeys[roots[row.entityIndex]] + row.place }

    /// Returns the row that gets the key unless it replaces another one. For the key of a row in the file, this is a row
    /// with a negative place, which is none of the staged ones.
    func row(owning key: Int64, entityIndex: Int) -> StagedRows.Row {
        StagedRows.Row(entityIndex: entityIndex, place: key - firstKeys[roots[entityIndex]])
    }

    func isWritten(_ row: StagedRows.Row) -> Bool { !overwritten.contains(row) }

    /// Whether a row is written in place of another one, in the file or among the staged ones.
    func replaces(_ row: StagedRows.Row) -> Bool { replacedKeys[row] != nil && isWritten(row) }

    /// Whether a row with the key was in the file before.
    func isStored(_ key: Int64, entityIndex: Int) -> Bool { key < firstKeys[roots[entityIndex]] }

    /// Whether a staged row has replaced the values of a row in the file.
    func isReplaced(_ key: Int64, entityIndex: Int) -> Bool {
        holders[row(owning: key, entityIndex: entityIndex)] != nil
    }

    /// Notes that a row replaces the current owner of the key, of the same entity. Call this in the order of the rows.
    mutating func take(_ key: Int64, for row: StagedRows.Row) {
        replacedKeys[row] = key
        let first = self.row(owning: key, entityIndex: row.entityIndex)
        if let holder = holders[first] ?? (first.place >= 0 ? first : nil) { overwritten.insert(holder) }
        holders[first] = row
    }
}
