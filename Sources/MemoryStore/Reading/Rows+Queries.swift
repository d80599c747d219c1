import ObjectGraph

extension Rows {
    /// Returns the rows that match a query, in its order; in key order if it has none.
    func names(_ query: Query) throws -> [RowName] {
        guard model.has(query.entityIndex) else {
            throw UntranslatableExpression("an entity that the model does not have")
        }
        let found = try QueryEvaluator(self).results(of: query, among: all(query.entityIndex).map(\.name))
        try query.meter?.count(found.count)
        return found
    }

    /// Returns the groups in the order in which the query finds their first rows. Without keys there is one group, even
    /// without rows.
    func groups(_ query: GroupQuery) throws -> [RowGroup] {
        var rows = query.rows
        (rows.limit, rows.offset) = (nil, 0)
        return try QueryEvaluator(self).groups(query, of: names(rows))
    }
}

/// The rows for the query evaluator, which receives only existing rows.
extension Rows: QueryObjectSource {
    func identifier(of name: RowName) -> ObjectID { id(name) ?? spaces.id(entityIndex: name.rootIndex, key: name.key) }

    func entityIndex(of name: RowName) -> Int { self[name]?.entityIndex ?? name.rootIndex }

    func value(of name: RowName, slot: Int) -> Value {
        guard let row = self[name], slot < row.values.count else { return .null }
        return row.values[slot]
    }

    func destination(of name: RowName, relationship index: Int) -> RowName? {
        members(of: name, relationship: index).first
    }

    func members(of name: RowName, relationship index: Int) -> [RowName] {
        guard let row = self[name], model[row.entityIndex].relationships.indices.contains(index) else { return [] }
        return destinations(of: name, model[row.entityIndex].relationships[index])
    }
}
