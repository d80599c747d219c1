import ObjectGraph

/// The groups of one descriptor that the engine maintains. A group is read again only if it has changed.
final class MaintainedGroups<Key, Value>: DifferenceReceiver {
    private struct Entry {
        let row: RowGroup
        let group: AggregateGroup<Key, Value>
        /// Whether it meets the condition for groups.
        let isResult: Bool
    }

    private let queries: FollowedQueries
    private let read: (RowGroup) throws -> AggregateGroup<Key, Value>
    /// Made by the initializer, which has no other receiver to give than the whole instance.
    private var live: LiveAggregate?
    /// The groups in order; `nil` for those to read again.
    private var entries: [Entry?] = []
    private var hasChanged = false

    /// - Throws: Errors of fetching.
    init(
        _ query: GroupQuery, _ queries: FollowedQueries, read: @escaping (RowGroup) throws -> AggregateGroup<Key, Value>
    ) throws {
        self.queries = queries
        self.read = read
        let live = try queries.follow(query, for: self)
        self.live = live
        entries = Array(repeating: nil, count: live.count)
    }

    deinit { if let live { queries.receiverIsReleased(of: live.results) } }

    var refetches: Int { live?.results.counts.refetchCount ?? 0 }
    var mayHaveChanged: Bool { queries.haveChanges || hasChanged }

    /// Brings the groups up to date with the context.
    /// - Returns: Whether any has changed.
    func update() -> Bool {
        queries.update()
        defer { hasChanged = false }
        return hasChanged
    }

    func receive(_ difference: LiveDifference) {
        hasChanged = true
        guard let live, !difference.isRefetched, !live.query.keys.isEmpty else {
            entries = Array(repeating: nil, count: live?.count ?? 0)
            return
        }
        for index in difference.removedSections.reversed() where entries.indices.contains(index) {
            entries.remove(at: index)
        }
        for index in difference.insertedSections where index <= entries.count { entries.insert(nil, at: index) }
        for index in difference.changedSections where entries.indices.contains(index) { entries[index] = nil }
    }

    /// Returns the groups in the order of their keys, each with the values that it is read from.
    /// - Throws: `SwiftDataError.unsupportedKeyPath` for values that are not of the descriptor's types.
    func groups() throws -> [(row: RowGroup, group: AggregateGroup<Key, Value>)] {
        guard let live else { return [] }
        for index in entries.indices where entries[index] == nil {
            let row = live.group(at: index)
            let isResult = live.query.having.map { $0.holds(for: row) } ?? true
            entries[index] = Entry(row: row, group: try read(row), isResult: isResult)
        }
        return entries.compactMap { $0.flatMap { $0.isResult ? ($0.row, $0.group) : nil } }
    }
}
