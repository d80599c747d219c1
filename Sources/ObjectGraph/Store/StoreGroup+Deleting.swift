/// Deletions in a group of stores. Relationships stay within a store, so each store with affected rows executes its
/// own.
extension StoreGroup: SetDeleting {
    private var deleting: [any SetDeleting] { members.compactMap(\.store.setDeleting) }

    package var openingWarnings: [DeleteRuleWarning] { deleting.flatMap(\.openingWarnings) }

    /// `nil` for several stores, as no single state describes all of them.
    package func commitMarker() throws -> CommitMarker? {
        let members = members
        return members.count == 1 ? try members.first?.store.setDeleting?.commitMarker() : nil
    }

    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        let others = Set(members.filter { $0.store.setDeleting == nil }.map(\.identifier))
        return try read(deleting[...], []) { readings in
            try body(GroupReading(model: model, members: readings, others: others))
        }
    }

    private func read<Result>(
        _ stores: ArraySlice<any SetDeleting>, _ readings: [any DeleteReading],
        _ body: ([any DeleteReading]) throws -> Result
    ) throws -> Result {
        guard let store = stores.first else { return try body(readings) }
        return try store.readForDelete { try read(stores.dropFirst(), readings + [$0], body) }
    }

    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        try GroupDelete(shares(request), mostRows: request.mostRows).plan()
    }

    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        try deleting.reduce(into: DeleteCost()) { cost, store in cost.append(try store.cost(of: plan)) }
    }

    package func delete(
        _ request: DeleteRequest, beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        try GroupDelete(shares(request), mostRows: request.mostRows).run(beforeCommit: beforeCommit)
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> SavedRows {
        try GroupDelete(shares(request), mostRows: request.mostRows).execute(plan)
    }

    /// - Returns: `nil` also if several stores keep the entity.
    package func deleteUnseen(_ query: Query) throws -> Int? {
        let shares = try shares(DeleteRequest(.matching(query)))
        return shares.count == 1 ? try shares.first?.store.deleteUnseen(query) : nil
    }

    // MARK: Shares

    /// Divides a deletion among the stores. A deletion of nothing has no shares.
    /// - Throws: `StoreCapabilityError` for rows of a store that does not support bulk deletes. A deletion of everything
    ///   concerns every store.
    package func shares(_ request: DeleteRequest) throws -> [GroupDelete.Share] {
        let members = members
        switch request.roots {
        case .matching(let query):
            guard let entity = model.entity(at: query.entityIndex) else {
                throw StoreGroupError.unknownEntity(index: query.entityIndex)
            }
            let keeping = members.filter { $0.has(entity) }
            guard query.hasWindow, keeping.count > 1 else { return try keeping.map { try $0.share(request) } }
            // Limit and offset apply to the rows of all stores together, as in a fetch.
            var request = request
            request.roots = .rows(RowSet(try StoreView(self).fetchIDs(query)))
            return try shares(request)
        case .everything:
            return try members.map { try $0.share(request) }
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
    fileprivate func share(_ request: DeleteRequest) throws -> GroupDelete.Share {
        GroupDelete.Share(identifier: identifier, store: try store.requireSetDeleting(), request: request)
    }
}
