import SQLiteStore

/// A read session for one response. Everything in it comes from one state of the file. The file is opened, and copied
/// if necessary, once for all sessions of that state.
struct ReadSession {
    let store: SQLiteStore
    /// Notes for the reader about the state of the file.
    let notes: [String]
    private let state: RowCounts.State?
    private let counts: RowCounts

    init(_ store: SQLiteStore, notes: [String], state: RowCounts.State?, counts: RowCounts) {
        self.store = store
        self.notes = notes
        self.state = state
        self.counts = counts
    }

    /// Row counts of the entities without subentities, in the order of the model.
    /// - Complexity: Reads every table, unless the counts of this state are known.
    func rowCounts() throws -> [Int] { try counts.values(in: state) { try store.ownRowCounts() } }

    /// The last known counts, if any, perhaps of an earlier state.
    var latestRowCounts: RowCounts.Latest? { counts.latest(in: state) }
}
