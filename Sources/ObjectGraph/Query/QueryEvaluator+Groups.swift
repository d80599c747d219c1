extension QueryEvaluator {
    /// Returns the groups of objects that are in the order of the query's rows.
    package func groups(_ query: GroupQuery, of objects: [Object]) throws -> [RowGroup] {
        var places: [[ValueKey]: Int] = [:]
        var groups: [(keys: [Value], members: [Object])] = []
        // Without keys there is one group, even without objects.
        if query.keys.isEmpty {
            places[[]] = 0
            groups.append(([], []))
        }
        for object in objects {
            let keys = try query.keys.map { try value($0, root: object) }
            let key = keys.map(ValueKey.init)
            let place = places[key] ?? groups.count
            if place == groups.count { groups.append((keys, [])) }
            places[key] = place
            groups[place].members.append(object)
        }
        let all = try groups.map { keys, members in
            RowGroup(keys: keys, results: try query.results.map { try value(of: $0, members) })
        }
        return query.having.map { having in all.filter(having.holds) } ?? all
    }

    private func value(of result: GroupQuery.Result, _ members: [Object]) throws -> Value {
        result.function.apply(try members.map { try value(result.operand, root: $0) }, with: result.numbers)
    }
}
