import ObjectGraph

/// The rows of several stores as one: those of each store as it is, or of the generation that it is to be read at.
struct CoordinatorRows {
    let model: Model
    let stores: [CoordinatorStore.Member]

    func fetch(_ query: Query) throws -> [Snapshot] {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.rows.fetch($0.query(query)) } ?? [] }
        var all: [Snapshot] = []
        for member in members { all += try member.rows.fetch(member.query(widened(query))) }
        return window(query, try sorted(all, query))
    }

    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        let members = try members(with: query.entityIndex)
        if members.count == 1, let member = members.first {
            return try member.rows.forEachRow(of: member.query(query), body)
        }
        for row in try fetch(query) { try body(row) }
    }

    /// Of several stores, rows come whole: their order is worked out here.
    func fetchParts(_ query: Query) throws -> [Snapshot]? {
        let members = try members(with: query.entityIndex)
        guard members.count == 1, let member = members.first else { return nil }
        return try member.rows.fetchParts(member.query(query))
    }

    func fetchIDs(_ query: Query) throws -> [ObjectID] {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.rows.fetchIDs($0.query(query)) } ?? [] }
        guard query.sort.isEmpty else { return try fetch(query).map(\.id) }
        var all: [ObjectID] = []
        for member in members { all += try member.rows.fetchIDs(member.query(widened(query))) }
        return window(query, all.sorted { $0.isRow(before: $1) })
    }

    func count(_ query: Query) throws -> Int {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.rows.count($0.query(query)) } ?? 0 }
        var whole = query
        (whole.limit, whole.offset) = (nil, 0)
        let count = try members.reduce(0) { try $0 + $1.rows.count($1.query(whole)) }
        let rest = max(0, count - max(0, query.offset))
        return query.limit.map { min(rest, max(0, $0)) } ?? rest
    }

    /// - Returns: `nil` where rows of several stores make up a group.
    func groups(_ query: GroupQuery) throws -> [RowGroup]? {
        let members = try members(with: query.rows.entityIndex)
        guard members.count == 1, let only = members.first else { return nil }
        return try only.rows.groups(only.numbers?.groups(query) ?? query)
    }

    /// Each store gives as many as the whole may need of it.
    private func widened(_ query: Query) -> Query {
        var query = query
        query.limit = query.limit.flatMap { limit in
            let (count, isTooMany) = max(0, limit).addingReportingOverflow(max(0, query.offset))
            return isTooMany ? nil : count
        }
        query.offset = 0
        return query
    }

    private func window<Element>(_ query: Query, _ all: [Element]) -> [Element] {
        let rest = all.dropFirst(max(0, query.offset))
        return Array(query.limit.map { rest.prefix(max(0, $0)) } ?? rest)
    }

    /// Rows of several stores in one order, by what the rows themselves hold; those that it does not tell apart, as graphs have
    /// them.
    /// - Throws: `UntranslatableExpression` for an order by anything else.
    private func sorted(_ snapshots: [Snapshot], _ query: Query) throws -> [Snapshot] {
        if query.sort.isEmpty { return snapshots.sorted { $0.id.isRow(before: $1.id) } }
        let slots = try query.sort.map { key -> Int in
            guard case .attribute(.variable(.root), let reference) = key.expression else {
                throw UntranslatableExpression("an order, over several stores, by anything but attributes")
            }
            return reference.slot
        }
        let decorated = snapshots.map { snapshot in
            (snapshot, slots.map { $0 < snapshot.values.count ? snapshot.values[$0] : Value.null })
        }
        return decorated.sorted { one, other in
            let order = query.sort.order(one.1, other.1)
            return order == 0 ? one.0.id.isRow(before: other.0.id) : order < 0
        }.map(\.0)
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        if stores.count == 1, let only = stores.first { return try only.rows.snapshots(of: ids) }
        let groups = Dictionary(grouping: ids) { $0.storeIdentifier }
        return try stores.flatMap { member in
            try groups[member.store.identifier].map { try member.rows.snapshots(of: $0) } ?? []
        }
    }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        let members = try members(with: entityIndex)
        let groups = members.count < 2 ? [:] : Dictionary(grouping: owners) { $0.storeIdentifier }
        return try members.reduce(into: [:]) { all, member in
            let own = members.count < 2 ? owners : groups[member.store.identifier] ?? []
            guard !own.isEmpty else { return }
            let found = try member.rows.members(
                of: relationshipIndex, entityIndex: member.index(entityIndex), owners: own)
            all.merge(found) { first, _ in first }
        }
    }

    private func members(with entityIndex: Int) throws -> [CoordinatorStore.Member] {
        guard model.entities.indices.contains(entityIndex) else { return [] }
        let entity = model[entityIndex]
        return stores.filter { $0.has(entity) }
    }
}
