import ObjectGraph
import StoreSQL

extension SQLiteStore {
    package func deleteUnseen(_ query: Query) throws -> Int? {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard saveRunner.history == nil, !query.hasWindow, let entity = model.entity(at: query.entityIndex),
            standsAlone(entity)
        else { return nil }
        let sql = try SelectBuilder(map: map, spaces: spaces, dialect: SQLiteDialect()).deletion(query)
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                try connection.inTransaction(.immediate) {
                    try connection.run(sql)
                    let count = connection.changeCount
                    willCommit(nil)
                    return count
                }
            }
        }
    }

    /// Whether the entity's hierarchy has no relationships in either direction, and no values in external files.
    private func standsAlone(_ entity: Entity) -> Bool {
        let family = model.entities.filter { $0.rootIndex == entity.rootIndex }
        let indexes = Set(family.map(\.index))
        let isReferenced = model.entities.contains {
            $0.relationships.contains { indexes.contains($0.destinationIndex) }
        }
        return !isReferenced
            && family.allSatisfy { entity in
                entity.relationships.isEmpty
                    && map.entities[entity.index].columns.allSatisfy { $0?.isExternal != true }
            }
    }
}
