/// One deletion in several stores, written in all of them before it is committed in any.
package struct GroupDelete {
    /// The shares in the order of writing.
    private let shares: [Share]
    private let mostRows: Int?

    /// The request of one store.
    package struct Share: Sendable {
        package let identifier: String
        package let store: any SetDeleting
        package var request: DeleteRequest

        package init(identifier: String, store: any SetDeleting, request: DeleteRequest) {
            self.identifier = identifier
            self.store = store
            self.request = request
        }
    }

    /// - Parameter mostRows: The limit for all stores together.
    package init(_ shares: [Share], mostRows: Int?) {
        self.shares = shares.sorted { $0.identifier < $1.identifier }
        self.mostRows = mostRows
    }

    /// Returns the plan for the current state of the stores.
    /// - Throws: `DeleteError.tooManyRows`.
    package func plan() throws -> DeletePlan {
        let plan = try shares.reduce(into: DeletePlan()) { $0.append(try $1.store.plan($1.request)) }
        try checkLimit(plan)
        return plan
    }

    /// - Parameter beforeCommit: Runs inside all transactions; receives the result.
    /// - Throws: `DeleteError`, and the errors of stores and observers; then nothing is written.
    package func run(beforeCommit: (SavedRows) throws -> Void = { _ in }) throws -> SavedRows {
        if shares.count == 1, let only = shares.first {
            return try only.store.delete(only.request, beforeCommit: beforeCommit)
        }
        var written: [SavedRows] = []
        var committed: [SavedRows] = []
        try run(shares[...], &written, &committed) { result in
            try checkLimit(result.plan)
            try beforeCommit(result)
        }
        for (share, result) in zip(shares, committed.reversed()) where !result.plan.isEmpty {
            share.request.observer?.didCommit(result)
        }
        return joined(written)
    }

    /// - Throws: `DeleteError.storeMoved` if the deletion would differ from the plan; then nothing is written.
    package func execute(_ plan: DeletePlan) throws -> SavedRows {
        if shares.count == 1, let only = shares.first { return try only.store.execute(plan, of: only.request) }
        return try run { result in
            guard result.plan == plan else { throw DeleteError.storeMoved }
        }
    }

    /// Deletes in the first store, and in the others inside its transaction.
    private func run(
        _ shares: ArraySlice<Share>, _ written: inout [SavedRows], _ committed: inout [SavedRows],
        _ beforeCommit: (SavedRows) throws -> Void
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

    /// Joins the results without transaction numbers, as each store counts its own history.
    private func joined(_ results: [SavedRows]) -> SavedRows {
        var joined = SavedRows(results.reduce(into: DeletePlan()) { $0.append($1.plan) })
        joined.token = results.lazy.filter { !$0.plan.isEmpty }.compactMap(\.token).first
        return joined
    }

    private func checkLimit(_ plan: DeletePlan) throws {
        let count = plan.deleted.count
        if let mostRows, count > mostRows { throw DeleteError.tooManyRows(count: count, limit: mostRows) }
    }
}

/// Forwards `willCommit` only. `GroupDelete` calls `didCommit` when all stores have committed.
private final class ObserverOfAll: DeleteObserver {
    private let observer: any DeleteObserver

    init(_ observer: any DeleteObserver) { self.observer = observer }

    func willCommit(_ page: RowSet) throws { try observer.willCommit(page) }
}
