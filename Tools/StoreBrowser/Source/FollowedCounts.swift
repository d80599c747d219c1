import ObjectGraph
import SQLiteStore

/// The row counts of a file, followed from each state that is read to the next: after saves in its history, only the rows
/// of entities are counted again of which some were inserted or deleted.
///
/// Writes that are not in the history of a file must show as well. As each save is one commit, the commits in the
/// write-ahead log are compared with the transactions in the history: if these are as many, all that was written is
/// listed. Otherwise all rows are counted, also after the log was written from its beginning.
final class FollowedCounts {
    private let model: Model
    private let storeIdentifier: String
    /// Has the store only while it is read: no other descriptor of the file may be open while it is written.
    private let group: StoreGroup
    private let graph: Graph
    private let follower: LiveFollower
    let counts: [(entityIndex: Int, count: LiveAggregate)]
    /// The state with these counts; `nil` if later states cannot be compared with it.
    private var position: Position?

    /// A state of the file.
    private struct Position {
        let token: HistoryToken
        let commits: LogCommits

        /// - Returns: `nil` for a file without a history, or without a log.
        init?(_ store: SQLiteStore, _ commits: LogCommits?) throws {
            guard let commits, let token = try store.historyToken() else { return nil }
            (self.token, self.commits) = (token, commits)
        }
    }

    /// Counts all rows.
    /// - Parameter commits: Those in the log that the store reads.
    /// - Throws: `SQLiteError`.
    init?(_ store: SQLiteStore, _ commits: LogCommits?) throws {
        let group = StoreGroup(model: store.model)
        graph = Graph(model: store.model, store: StoreView(group))
        guard let follower = LiveFollower(graph) else { return nil }
        (model, storeIdentifier, self.group, self.follower) = (store.model, store.identifier, group, follower)
        let values = try store.ownRowCounts()
        counts = model.entities.map { entity in
            var rows = Query(entityIndex: entity.index)
            rows.includesSubentities = false
            let query = GroupQuery(rows, by: [], results: [.init(.count, of: .identity(.variable(.root)))])
            return (entity.index, follower.follow(query, knowing: GroupSummary(rowCount: values[entity.index])))
        }
        position = try Position(store, commits)
    }

    /// Counts what has changed.
    /// - Returns: `false`, without a change, if that is not known.
    /// - Throws: `SQLiteError`.
    func update(to store: SQLiteStore, _ commits: LogCommits?) throws -> Bool {
        guard let position, let new = try Position(store, commits), isOf(store),
            let changes = try changes(from: position, to: new, store)
        else { return false }
        _ = group.add(store)
        defer { group.remove(identifier: store.identifier) }
        graph.inbox.post(changes)
        var failure: (any Error)?
        _ = follower.update { failure = $0 }
        if let failure { throw failure }
        self.position = new
        return true
    }

    /// Whether a store is of the same file, with the same model.
    private func isOf(_ store: SQLiteStore) -> Bool {
        store.identifier == storeIdentifier && store.model.descriptions == model.descriptions
    }

    /// The insertions and deletions between two states; `nil` if they are not known. Updates change no count.
    private func changes(from old: Position, to new: Position, _ store: SQLiteStore) throws -> SavedChanges? {
        guard let count = new.commits.count(since: old.commits) else { return nil }
        var changes = try store.changes(after: old.token, committed: count)
        changes.updatedIDs = []
        return changes.isOverflow ? nil : changes
    }

    /// By entity index, without subentities.
    var values: [Int] {
        var values = Array(repeating: 0, count: model.indexLimit)
        for (entityIndex, count) in counts {
            if case .integer(let number)? = count.groups.first?.results.first { values[entityIndex] = Int(number) }
        }
        return values
    }
}
