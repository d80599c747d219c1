/// Deletes in a group of stores. Relationships stay within a store, so a delete is one for each store it has rows in.
extension StoreGroup: SetDeleting {
    private var deleting: [any SetDeleting] { members.compactMap(\.store.setDeleting) }

    package var openingWarnings: [DeleteRuleWarning] { deleting.flatMap(\.openingWarnings) }

    /// Of several stores none can speak for all.
    package func moment() throws -> StoreMoment? {
        let members = members
        return members.count == 1 ? try members.first?.store.setDeleting?.moment() : nil
    }

    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        try Self.read(deleting[...], [], model, body)
    }

    private static func read<Result>(
        _ stores: ArraySlice<any SetDeleting>, _ readings: [any DeleteReading], _ model: Model,
        _ body: (any DeleteReading) throws -> Result
    ) throws -> Result {
        guard let store = stores.first else { return try body(GroupReading(model: model, members: readings)) }
        return try store.readForDelete { try read(stores.dropFirst(), readings + [$0], model, body) }
    }

    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        try GroupDelete(shares(request), mostRows: request.mostRows).plan()
    }

    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        try deleting.reduce(into: DeleteCost()) { cost, store in cost.append(try store.cost(of: plan)) }
    }

    package func delete(
        _ request: DeleteRequest, beforeCommit: (DeleteResult) throws -> Void
    ) throws -> DeleteResult {
        try GroupDelete(shares(request), mostRows: request.mostRows).run(beforeCommit: beforeCommit)
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        try GroupDelete(shares(request), mostRows: request.mostRows).execute(plan)
    }

    /// - Returns: `nil`, too, where several stores keep the entity.
    package func deleteUnseen(_ query: Query) throws -> Int? {
        let shares = try shares(DeleteRequest(.matching(query)))
        return shares.count == 1 ? try shares.first?.store.deleteUnseen(query) : nil
    }

    // MARK: Shares

    /// What each store has to do of a delete. A delete of nothing has no share.
    /// - Throws: `StoreCapabilityError` for rows of a store that cannot delete sets.
    package func shares(_ request: DeleteRequest) throws -> [DeleteShare] {
        let members = members
        switch request.roots {
        case .matching(let query):
            guard let entity = model.entity(at: query.entityIndex) else {
                throw StoreGroupError.unknownEntity(index: query.entityIndex)
            }
            let keeping = members.filter { $0.has(entity) }
            guard query.hasWindow, keeping.count > 1 else { return try keeping.map { try $0.share(request) } }
            // Limit and offset pick among the rows of all stores, as in a fetch.
            var request = request
            request.roots = .rows(RowSet(try StoreView(self).fetchIDs(query)))
            return try shares(request)
        case .everything:
            return try members.filter { $0.store.setDeleting != nil }.map { try $0.share(request) }
        case .rows(let rows):
            var parts: [String: RowSet] = [:]
            for (space, keys) in rows.keysBySpace {
                if let identifier = space.storeIdentifier {
                    parts[identifier, default: RowSet()].insert(keys, in: space)
                }
            }
            return try members.compactMap { member in
                guard let part = parts[member.identifier] else { return nil }
                var request = request
                request.roots = .rows(part)
                return try member.share(request)
            }
        }
    }
}

extension StoreGroup.Member {
    fileprivate func share(_ request: DeleteRequest) throws -> DeleteShare {
        DeleteShare(identifier: identifier, store: try store.requireSetDeleting(), request: request)
    }
}

/// What one store has to do of a delete.
package struct DeleteShare: Sendable {
    package let identifier: String
    package let store: any SetDeleting
    package var request: DeleteRequest

    package init(identifier: String, store: any SetDeleting, request: DeleteRequest) {
        self.identifier = identifier
        self.store = store
        self.request = request
    }
}

/// One delete in several stores: written in all of them before it is committed in any.
package struct GroupDelete {
    /// In the order of writing.
    private let shares: [DeleteShare]
    private let mostRows: Int?

    /// - Parameter mostRows: of all stores together.
    package init(_ shares: [DeleteShare], mostRows: Int?) {
        self.shares = shares.sorted { $0.identifier < $1.identifier }
        self.mostRows = mostRows
    }

    /// What would be done now.
    /// - Throws: `DeleteError.tooManyRows`.
    package func plan() throws -> DeletePlan {
        let plan = try shares.reduce(into: DeletePlan()) { $0.append(try $1.store.plan($1.request)) }
        try checkLimit(plan)
        return plan
    }

    /// - Parameter beforeCommit: runs inside all transactions, with what was written.
    /// - Throws: `DeleteError`, what the stores and observers throw; nothing is written then.
    package func run(beforeCommit: (DeleteResult) throws -> Void = { _ in }) throws -> DeleteResult {
        if shares.count == 1, let only = shares.first {
            return try only.store.delete(only.request, beforeCommit: beforeCommit)
        }
        var written: [DeleteResult] = []
        var committed: [DeleteResult] = []
        try run(shares[...], &written, &committed) { result in
            try checkLimit(result.plan)
            try beforeCommit(result)
        }
        for (share, result) in zip(shares, committed.reversed()) where !result.plan.isEmpty {
            share.request.observer?.didCommit(result)
        }
        return joined(written)
    }

    /// - Throws: `DeleteError.storeMoved` when something else would be done; nothing is written then.
    package func execute(_ plan: DeletePlan) throws -> DeleteResult {
        if shares.count == 1, let only = shares.first { return try only.store.execute(plan, of: only.request) }
        return try run { result in
            guard result.plan == plan else { throw DeleteError.storeMoved }
        }
    }

    /// Deletes in the first store, and in the others inside its transaction.
    private func run(
        _ shares: ArraySlice<DeleteShare>, _ written: inout [DeleteResult], _ committed: inout [DeleteResult],
        _ beforeCommit: (DeleteResult) throws -> Void
    ) throws {
        guard let share = shares.first else { return try beforeCommit(joined(written)) }
        var request = share.request
        request.observer = request.observer.map(ObserverOfAll.init)
        let result = try share.store.delete(request) { result in
            written.append(result)
            try run(shares.dropFirst(), &written, &committed, beforeCommit)
        }
        committed.append(result)
    }

    /// Without the number of a transaction: each store counts its own history.
    private func joined(_ results: [DeleteResult]) -> DeleteResult {
        var joined = DeleteResult(results.reduce(into: DeletePlan()) { $0.append($1.plan) })
        joined.token = results.lazy.filter { !$0.plan.isEmpty }.compactMap(\.token).first
        return joined
    }

    private func checkLimit(_ plan: DeletePlan) throws {
        let count = plan.deleted.count
        if let mostRows, count > mostRows { throw DeleteError.tooManyRows(count: count, limit: mostRows) }
    }
}

/// Passes on what is about to be committed. Of the commits, the delete itself informs the observer once all are done.
private final class ObserverOfAll: DeleteObserver {
    private let observer: any DeleteObserver

    init(_ observer: any DeleteObserver) { self.observer = observer }

    func willCommit(_ page: RowSet) throws { try observer.willCommit(page) }
}
