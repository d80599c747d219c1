/// Deletes in a set of stores. Relationships stay within a store, so a delete is one for each store it has rows in.
extension StoreSet: SetDeleting {
    package var openingWarnings: [DeleteRuleWarning] { deleting.flatMap(\.openingWarnings) }

    private var deleting: [any SetDeleting] { members.compactMap(\.store.setDeleting) }

    /// Of several stores none can speak for all.
    package func moment() throws -> StoreMoment? { nil }

    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        try read(members[...], SetReading(model: model), body)
    }

    private func read<Result>(
        _ members: ArraySlice<Member>, _ reading: SetReading, _ body: (any DeleteReading) throws -> Result
    ) throws -> Result {
        guard let member = members.first else { return try body(reading) }
        let rest = members.dropFirst()
        // No rule reaches into a store of a program's own.
        guard let store = member.store.setDeleting else { return try read(rest, reading, body) }
        return try store.readForDelete { own in
            try read(rest, reading.adding(own, member.numbers), body)
        }
    }

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

/// Readings of several stores, each asked for the rows of its own entities.
private struct SetReading: DeleteReading {
    let model: Model
    private var members: [(reading: any DeleteReading, numbers: EntityRenumbering)] = []

    init(model: Model) { self.model = model }

    func adding(_ reading: any DeleteReading, _ numbers: EntityRenumbering) -> SetReading {
        var all = self
        all.members.append((reading, numbers))
        return all
    }

    func entity(of space: IDSpace) -> Entity? {
        guard member(of: space) != nil else { return nil }
        return model.entity(named: space.entityName)
    }

    private func member(of space: IDSpace) -> (reading: any DeleteReading, numbers: EntityRenumbering)? {
        members.first { $0.reading.entity(of: space) != nil }
    }

    private func place(_ place: RelationshipPlace, _ numbers: EntityRenumbering) throws -> RelationshipPlace {
        RelationshipPlace(entityIndex: try numbers.index(place.entityIndex), index: place.index)
    }

    func rows(matching query: Query) throws -> RowSet {
        let name = model[query.entityIndex].name
        guard let member = members.first(where: { $0.reading.model.entity(named: name) != nil }) else {
            return RowSet()
        }
        return try member.reading.rows(matching: member.numbers.query(query))
    }

    func existing(_ rows: RowSet) throws -> RowSet {
        try members.reduce(into: RowSet()) { $0.formUnion(try $1.reading.existing(rows)) }
    }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        guard let member = member(of: owners.space) else { return Destinations() }
        return try member.reading.destinations(of: self.place(place, member.numbers), from: owners)
    }

    func holders(of place: RelationshipPlace, pointingAt rows: SpaceKeys) throws -> RowSet {
        guard let member = member(of: rows.space) else { return RowSet() }
        return try member.reading.holders(of: self.place(place, member.numbers), pointingAt: rows)
    }

    func owners(
        _ owners: SpaceKeys, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet {
        guard let member = member(of: owners.space) else { return KeySet() }
        return try member.reading.owners(
            owners, of: self.place(place, member.numbers), leftWith: refused, without: leaving)
    }
}
