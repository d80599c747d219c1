import SQLiteStore
import StoreInspection

/// A read session for one response. Everything in it comes from one state of the file. The file is opened, and copied
/// if necessary, once for all sessions of that state.
struct ReadSession {
    let store: SQLiteStore
    /// Notes for the reader about the state of the file.
    let notes: [String]
    private let state: RowCounts.State?
    private let logCommits: LogCommits?
    private let counts: RowCounts

    /// A session of one read-only opening of the file.
    init(_ inspection: Inspection, counts: RowCounts) {
        store = inspection.store
        notes = inspection.file.notes
        state = .opening(inspection.id)
        logCommits = inspection.file.untouched.logCommits
        self.counts = counts
    }

    /// A session of a file that is open for writing.
    init(_ opened: WritableStore, state: RowCounts.State?, counts: RowCounts) {
        store = opened.store
        notes = []
        self.state = state
        logCommits = nil
        self.counts = counts
    }

    /// Row counts of the entities without subentities, in the order of the model.
    /// - Complexity: Reads every table, unless the counts of this state are known, or follow from those of an earlier one.
    func rowCounts() throws -> [Int] {
        try counts.values(in: state) { followed in
            guard case .opening = state else { return try store.ownRowCounts() }
            if try followed?.update(to: store, logCommits) != true {
                followed = try FollowedCounts(store, logCommits)
            }
            return try followed?.values ?? store.ownRowCounts()
        }
    }

    /// The last known counts, if any, perhaps of an earlier state.
    var latestRowCounts: RowCounts.Latest? { counts.latest(in: state) }
}
