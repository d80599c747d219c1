/// The groups of an aggregate query as the store computed them, while their rows are not held.
package struct GroupSummary {
    /// In the order of their keys.
    let groups: [RowGroup]
    let rowCount: Int

    init(_ groups: [RowGroup], rowCount: Int) {
        (self.groups, self.rowCount) = (groups, rowCount)
    }

    /// The result of a query that only counts rows.
    package init(rowCount: Int) {
        self.init([RowGroup(keys: [], results: [.integer(Int64(rowCount))])], rowCount: rowCount)
    }
}

extension LiveResults {
    /// Whether the rows are held, so that changes are followed. Those of large aggregates are not at first.
    var holdsRows: Bool { summary == nil }

    /// Computes the groups in the store instead of holding their rows, if the rule for these rows says so.
    /// - Returns: `false` if the rows are to be held: also because of unsaved changes, and if only memory can compute the groups.
    /// - Throws: Errors of reading the store.
    func summarize() throws -> Bool {
        guard let query = totals?.query, let found = try graph.storedSummary(query), !holding.holds(found) else {
            return false
        }
        summary = found
        rows = HeldRows(sort: self.query.query.sort)
        tree = OrderedTree()
        totals?.removeAll()
        return true
    }

    /// Applies changes while the rows are not held.
    func applyToSummary(_ work: Work) throws -> LiveDifference? {
        holding.noteChange(ofRows: work.refetch == nil ? work.count : .max)
        return try refetchGroups(work.refetch ?? .rowsNotHeld)
    }

    /// Holds the rows again, or computes the groups in the store. The difference does not list rows.
    func refetchGroups(_ reason: LiveRefetch) throws -> LiveDifference? {
        counts.refetches[reason, default: 0] += 1
        if holdsRows { holding.noteRowsGivenUp() }
        keepFrozen()
        try load()
        var difference = LiveDifference()
        difference.isRefetched = true
        return difference
    }
}

extension Graph {
    /// - Returns: `nil` if the groups must be computed in memory.
    /// - Complexity: One statement.
    fileprivate func storedSummary(_ query: GroupQuery) throws -> GroupSummary? {
        guard let store, let model else { return nil }
        var counted = query
        (counted.rows.limit, counted.rows.offset, counted.rows.sort) = (nil, 0, [])
        counted.having = nil
        let rowCount = GroupQuery.Result(.count, of: .identity(.variable(.root)))
        // SQLite counts fast if it computes nothing else.
        let countIndex = query.results.firstIndex(of: rowCount) ?? query.results.count
        if countIndex == query.results.count { counted.results.append(rowCount) }
        guard let found = try storedGroups(counted, model, store) else { return nil }
        let order = query.keys.map { SortKey($0) }
        let groups = found.sorted { order.order($0.keys, $1.keys) < 0 }.map { group in
            RowGroup(keys: group.keys, results: Array(group.results.prefix(query.results.count)))
        }
        let counts = found.map { group -> Int in
            if case .integer(let count) = group.results[countIndex] { Int(count) } else { 0 }
        }
        return GroupSummary(groups, rowCount: counts.reduce(0, +))
    }
}
