import ObjectGraph

extension MemoryStore: RowReading {
    package func fetch(_ query: Query) throws -> [Snapshot] {
        let rows = rows
        return try rows.names(query).compactMap(rows.id).compactMap(rows.snapshot)
    }

    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try forEachFetchedRow(of: query, body)
    }

    package func fetchPartialRows(_ query: Query) throws -> [Snapshot]? { nil }

    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        let rows = rows
        return try rows.names(query).compactMap(rows.id)
    }

    package func count(_ query: Query) throws -> Int { try rows.names(query).count }

    package func groups(_ query: GroupQuery) throws -> [RowGroup]? { try rows.groups(query) }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        let rows = rows
        var seen: Set<ObjectID> = []
        return ids.compactMap(rows.snapshot).filter { seen.insert($0.id).inserted }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        guard let entity = model.entity(at: entityIndex), entity.relationships.indices.contains(relationshipIndex)
        else { return [:] }
        let (rows, relationship) = (rows, entity.relationships[relationshipIndex])
        return owners.reduce(into: [:]) { members, owner in
            let found = rows.name(of: owner).map { rows.destinations(of: $0, relationship) } ?? []
            if !found.isEmpty { members[owner] = found.compactMap(rows.id) }
        }
    }
}
