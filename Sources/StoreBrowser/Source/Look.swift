import SQLiteStore

/// What one answer is read from: everything in it is of one state of a file that is only looked at, which is opened, and
/// copied where it must be, once for all of them.
struct Look {
    let store: SQLiteStore
    /// What a person should know about the state of the file.
    let notes: [String]
    private let state: RowCounts.State?
    private let counts: RowCounts

    init(_ store: SQLiteStore, notes: [String], state: RowCounts.State?, counts: RowCounts) {
        self.store = store
        self.notes = notes
        self.state = state
        self.counts = counts
    }

    /// Rows of each entity alone, in the order of the model.
    /// - Complexity: Reads every table, unless the rows of this state are counted.
    func rowCounts() throws -> [Int] { try counts.values(in: state) { try store.ownRowCounts() } }

    /// Those that were counted last, if any, perhaps of an earlier state.
    var latestRowCounts: RowCounts.Latest? { counts.latest(in: state) }
}
