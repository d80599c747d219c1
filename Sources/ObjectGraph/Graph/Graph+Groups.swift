/// Groups of objects, and values computed from them.
extension Graph {
    /// Returns the groups of a query, in the order in which it finds their first objects.
    /// - Throws: Errors of reading the store.
    /// - Complexity: One statement that reads a row for each group, if no unsaved change affects the result and the store
    ///   supports all expressions. Otherwise, objects are fetched as by `fetch` and evaluated in memory.
    package func groups(_ query: GroupQuery, unsaved rule: UnsavedRule = .included) throws -> [RowGroup] {
        guard let store, let model else { return [] }
        mergeWaitingChanges()
        var query = query
        (query.rows.limit, query.rows.offset) = (nil, 0)
        if rule == .ignored, hasChanges { return try Graph(model: model, store: store).groups(query) }
        return try storedGroups(query, model, store) ?? evaluated(query, model)
    }

    /// - Returns: `nil` if the groups must be computed in memory.
    func storedGroups(_ query: GroupQuery, _ model: Model, _ store: any Store) throws -> [RowGroup]? {
        if isAffected(query.everythingRead, model) { return nil }
        do {
            var query = query
            query.rows = visible(query.rows)
            return try store.groups(query)
        } catch is UntranslatableExpression {
            return nil
        }
    }

    private func evaluated(_ query: GroupQuery, _ model: Model) throws -> [RowGroup] {
        let records: [Record]
        do {
            records = try fetch(query.rows)
        } catch is UntranslatableExpression {
            records = try fetchEvaluating(query.rows)
        }
        return try groups(query, of: records)
    }

    /// Returns the groups of objects found in another way, in the order of the query's keys.
    package func groups(_ query: GroupQuery, of records: [Record]) throws -> [RowGroup] {
        guard let model else { return [] }
        let evaluator = QueryEvaluator(GraphObjects(graph: self, model: model))
        return try evaluator.groups(query, of: evaluator.sorted(records, by: query.rows.sort))
    }
}

extension GroupQuery {
    /// A query of the same rows that reads everything that keys and results are computed from.
    fileprivate var everythingRead: Query {
        var query = rows
        query.sort += (keys + results.map(\.operand)).map { SortKey($0) }
        return query
    }
}
