/// The rows of several stores as those of one.
extension StoreView {
    package func fetch(_ query: Query) throws -> [Snapshot] {
        try asking {
            let members = try members(with: query.entityIndex)
            if members.count < 2 { return try members.first?.rows.fetch(query) ?? [] }
            return try joined(query, members)
        }
    }

    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try asking {
            let members = try members(with: query.entityIndex)
            if members.count < 2 { return try members.first?.rows.forEachRow(of: query, body) ?? () }
            for row in try joined(query, members) { try body(row) }
        }
    }

    /// With several stores, whole rows are read, because they are sorted here.
    package func fetchPartialRows(_ query: Query) throws -> [Snapshot]? {
        try asking {
            let members = try members(with: query.entityIndex)
            return members.count == 1 ? try members.first?.rows.fetchPartialRows(query) : nil
        }
    }

    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try fetchIDs(query, among: members(with: query.entityIndex))
    }

    /// - Parameter members: Stores that keep the entity.
    package func fetchIDs(_ query: Query, among members: [StoreGroup.Member]) throws -> [ObjectID] {
        try asking {
            if members.count < 2 { return try members.first?.rows.fetchIDs(query) ?? [] }
            guard query.sort.isEmpty else { return try joined(query, members).map(\.id) }
            var all: [ObjectID] = []
            for member in members { all += try member.rows.fetchIDs(widened(query)) }
            return window(query, all.sorted { $0.isRow(before: $1) })
        }
    }

    package func count(_ query: Query) throws -> Int {
        try asking {
            let members = try members(with: query.entityIndex)
            if members.count < 2 { return try members.first?.rows.count(query) ?? 0 }
            var whole = query
            (whole.limit, whole.offset) = (nil, 0)
            let count = try members.reduce(0) { try $0 + $1.rows.count(whole) }
            let rest = max(0, count - max(0, query.offset))
            return query.limit.map { min(rest, max(0, $0)) } ?? rest
        }
    }

    /// - Returns: `nil` if a group may have rows of several stores.
    package func groups(_ query: GroupQuery) throws -> [RowGroup]? {
        try asking {
            let members = try members(with: query.rows.entityIndex)
            return members.count == 1 ? try members.first?.rows.groups(query) : nil
        }
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        try asking {
            let stores = try readers()
            if stores.count == 1, let only = stores.first { return try only.rows.snapshots(of: ids) }
            if ids.count == 1, let only = ids.first?.storeIdentifier {
                return try stores.first { $0.identifier == only }?.rows.snapshots(of: ids) ?? []
            }
            let groups = Dictionary(grouping: ids) { $0.storeIdentifier }
            return try stores.flatMap { member in
                try groups[member.identifier].map { try member.rows.snapshots(of: $0) } ?? []
            }
        }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try asking {
            let members = try members(with: entityIndex)
            if members.count < 2 {
                return try members.first?.rows.members(
                    of: relationshipIndex, entityIndex: entityIndex, owners: owners) ?? [:]
            }
            let groups = Dictionary(grouping: owners) { $0.storeIdentifier }
            return try members.reduce(into: [:]) { all, member in
                guard let own = groups[member.identifier] else { return }
                let found = try member.rows.members(of: relationshipIndex, entityIndex: entityIndex, owners: own)
                all.merge(found) { first, _ in first }
            }
        }
    }

    private func members(with entityIndex: Int) throws -> [StoreGroup.Member] {
        try readers().filter { $0.store.model.has(entityIndex) }
    }

    // MARK: Of several stores

    private func joined(_ query: Query, _ members: [StoreGroup.Member]) throws -> [Snapshot] {
        var all: [Snapshot] = []
        for member in members { all += try member.rows.fetch(widened(query)) }
        return window(query, try sorted(all, query))
    }

    /// Widens the window, because each store may have all rows of the final window.
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

    /// Sorts rows of several stores by the values of the rows themselves. Equal ones have the same order as in graphs.
    /// - Throws: `UntranslatableExpression` for a sort key that is not a value of the row.
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
}
