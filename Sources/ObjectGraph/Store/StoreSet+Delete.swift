/// Deletes in a set of stores. Relationships stay within a store, so a delete is one for each store it has rows in.
extension StoreSet: SetDeleting {
    package var openingWarnings: [DeleteRuleWarning] { deleting.flatMap(\.openingWarnings) }

    private var deleting: [any SetDeleting] { members.compactMap(\.store.setDeleting) }

    /// Of several stores none can speak for all.
    package func moment() throws -> StoreMoment? { nil }

    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        var plan = DeletePlan()
        for share in try shares(request) { plan.append(try share.store.plan(share.request)) }
        try checkLimit(request, plan)
        return plan
    }

    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        try deleting.reduce(into: DeleteCost()) { cost, store in cost.append(try store.cost(of: plan)) }
    }

    /// Written in every store before it is committed in any.
    package func delete(_ request: DeleteRequest) throws -> DeleteResult {
        try run(request) { _ in }
    }

    package func deleteUnseen(_ query: Query) throws -> Int? {
        let member = try member(query.entityIndex)
        return try member.store.requireSetDeleting().deleteUnseen(member.numbers.query(query))
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        try run(request) { found in
            guard found == plan else { throw DeleteError.storeMoved }
        }
    }

    private func run(_ request: DeleteRequest, check: (DeletePlan) throws -> Void) throws -> DeleteResult {
        var changes = ChangeSet()
        changes.author = request.author
        changes.plannedDeletes = [request]
        let expected = try plan(request)
        try check(expected)
        guard case .saved(let rows) = try save(changes) else { throw DeleteError.storeMoved }
        var result = DeleteResult(rows.planned, transactionNumber: rows.transactionNumber)
        result.token = rows.keptTokens.first
        return result
    }

    private func checkLimit(_ request: DeleteRequest, _ plan: DeletePlan) throws {
        let count = plan.deleted.count
        if let limit = request.mostRows, count > limit { throw DeleteError.tooManyRows(count: count, limit: limit) }
    }

    /// What one store has to do of a delete.
    package struct DeleteShare {
        let place: Int
        package let store: any SetDeleting
        /// In the store's own entity numbers.
        package let request: DeleteRequest
    }

    /// A delete of nothing has no share.
    /// - Throws: `StoreCapabilityError` for rows of a store of a program's own.
    package func shares(_ request: DeleteRequest) throws -> [DeleteShare] {
        switch request.roots {
        case .matching(let query):
            let place = try place(query.entityIndex)
            return [try share(request, .matching(members[place].numbers.query(query)), place)]
        case .everything:
            return try members.indices.filter { members[$0].store.setDeleting != nil }.map {
                try share(request, .everything, $0)
            }
        case .rows(let rows):
            var parts: [Int: RowSet] = [:]
            for (space, keys) in rows.keysBySpace {
                if let place = place(of: space) { parts[place, default: RowSet()].insert(keys, in: space) }
            }
            return try parts.sorted { $0.key < $1.key }.map { try share(request, .rows($1), $0) }
        }
    }

    private func share(_ request: DeleteRequest, _ roots: DeleteRequest.Roots, _ place: Int) throws -> DeleteShare {
        var request = request
        request.roots = roots
        return DeleteShare(place: place, store: try members[place].store.requireSetDeleting(), request: request)
    }
}
