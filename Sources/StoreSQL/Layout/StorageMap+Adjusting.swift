import ObjectGraph

extension StorageMap {
    /// Adjusts the map to an existing file: its entity numbers, its spelling, and the actual names of its join tables.
    ///
    /// Every column of the model must exist; unknown columns and tables are ignored.
    /// - Parameter rows: The file's key table; empty to keep this map's numbers.
    /// - Throws: `StorageMapError` for the first missing table or column.
    package func adjusted(to tables: FileTables, rows: [PrimaryKeyRow] = []) throws -> StorageMap {
        // Rows of history contain no numbers of the model's entities.
        let numbered =
            !rows.contains(where: \.isOfModel)
            ? self : StorageMap(SchemaLayout(model, numbers: try EntityNumbers(model, rows: rows)))
        let adjustment = Adjustment(map: numbered, tables: tables, rows: rows)
        let entities = try PerEntity(model) { try adjustment.storage(of: $0) }
        return StorageMap(model: model, entities: entities, entityIndexByNumber: numbered.entityIndexByNumber)
    }
}

/// Finds each name of a map in a file.
private struct Adjustment {
    let map: StorageMap
    let tables: FileTables
    let rows: [PrimaryKeyRow]

    func storage(of entity: Entity) throws -> EntityStorage {
        let expected = map.entities[entity.index]
        let table = try table(of: entity)
        for column in [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn] {
            _ = try find(column, in: table, entity, property: column)
        }
        return EntityStorage(
            entityNumber: expected.entityNumber, familyNumbers: expected.familyNumbers,
            rootNumber: expected.rootNumber, table: table.name,
            columns: try expected.columns.enumerated().map { slot, column in
                try column.map { try adjusted($0, in: table, entity, property: entity.propertyName(ofSlot: slot)) }
            },
            toMany: try zip(entity.relationships, expected.toMany).map { relationship, storage in
                try storage.map { try adjusted($0, relationship, entity) }
            },
            uniqueness: expected.uniqueness.map { $0.mapColumns { table.column($0) ?? $0 } })
    }

    /// A migration that renamed the root entity may have kept its table's name. The former name comes from the file, so
    /// it is only used if it is a valid SQL name.
    private func table(of entity: Entity) throws -> FileTables.Table {
        let expected = map.entities[entity.index]
        let former = rows.first { $0.number == expected.rootNumber && PlainName.isValid($0.name) }
        let names = [expected.table] + (former.map { [ColumnNaming.table($0.name)] } ?? [])
        guard let table = names.lazy.compactMap({ tables.table($0) }).first else {
            throw StorageMapError.missingTable(entity: entity.name, table: expected.table)
        }
        return table
    }

    private func find(
        _ column: String, in table: FileTables.Table, _ entity: Entity, property: String
    ) throws -> String {
        guard let found = table.column(column) else {
            throw StorageMapError.missingColumn(
                entity: entity.name, property: property, table: table.name, column: column)
        }
        return found
    }

    private func adjusted(
        _ column: SlotColumn, in table: FileTables.Table, _ entity: Entity, property: String
    ) throws -> SlotColumn {
        SlotColumn(
            name: try find(column.name, in: table, entity, property: property), type: column.type,
            isExternal: column.isExternal, isDerived: column.isDerived,
            entityNumberColumn: try column.entityNumberColumn.map {
                try find($0, in: table, entity, property: property)
            },
            destinationIndex: column.destinationIndex)
    }

    private func adjusted(
        _ storage: ToManyStorage, _ relationship: EntityRelationship, _ entity: Entity
    ) throws -> ToManyStorage {
        switch storage {
        case .foreignKey(_, let column, let ownerNumberColumn, let orderColumn, let ownsColumn):
            let members = try table(of: map.model.destination(of: relationship))
            // The naming of the number beside a key that exists for one relationship is not established. Without it, the
            // owner is found by its key, which is unique in its hierarchy.
            let number = ownerNumberColumn.flatMap { members.column($0) }
            if let ownerNumberColumn, number == nil, !ownsColumn {
                _ = try find(ownerNumberColumn, in: members, entity, property: relationship.name)
            }
            return .foreignKey(
                table: members.name, column: try find(column, in: members, entity, property: relationship.name),
                ownerNumberColumn: number,
                orderColumn: try orderColumn.map { try find($0, in: members, entity, property: relationship.name) },
                ownsColumn: ownsColumn)
        case .joinTable(let name, let ownerColumn, let memberColumn, let orderColumn):
            let join = try joinTable(name, relationship, entity)
            let keys = try keys(of: join, (owner: ownerColumn, member: memberColumn), relationship, entity)
            return .joinTable(
                name: join.name, ownerColumn: keys.owner, memberColumn: keys.member,
                orderColumn: try orderColumn.map { try find($0, in: join, entity, property: relationship.name) })
        }
    }

    /// Finds the two columns that are not order keys, by the entity's number and the relationship's name. A number after
    /// it, which makes equal names unique in a file, may differ from that in a new file, or be missing.
    private func keys(
        of join: FileTables.Table, _ expected: (owner: String, member: String), _ relationship: EntityRelationship,
        _ entity: Entity
    ) throws -> (owner: String, member: String) {
        let inverse = map.model.inverse(of: relationship) ?? relationship
        let isReflexive = inverse.propertyKey == relationship.propertyKey
        func wanted(_ name: String, _ owner: EntityRelationship) -> String {
            ColumnNaming.join(name, number: map.entities[owner.declaringIndex].entityNumber)
        }
        let owners = candidates(expected.owner, wanted(inverse.name, relationship), join)
        let members =
            isReflexive
            ? candidates(expected.member, expected.member, join)
            : candidates(expected.member, wanted(relationship.name, inverse), join)
        for owner in owners {
            if let member = members.first(where: { $0 != owner }) { return (owner, member) }
        }
        let missing = owners.isEmpty ? expected.owner : expected.member
        throw StorageMapError.missingColumn(
            entity: entity.name, property: relationship.name, table: join.name, column: missing)
    }

    /// Returns the candidates, the most likely first.
    private func candidates(_ expected: String, _ base: String, _ join: FileTables.Table) -> [String] {
        let keys = join.columns.filter { !ColumnNaming.isOrder($0) }
        let exact = [base, expected].flatMap { name in keys.filter { $0.uppercased() == name.uppercased() } }
        return exact + keys.filter { !exact.contains($0) && ColumnNaming.isName($0, wanted: base) }
    }

    /// Either side of a many-to-many relationship may have named its table; the key columns are the same.
    private func joinTable(
        _ name: String, _ relationship: EntityRelationship, _ entity: Entity
    ) throws -> FileTables.Table {
        let ends = [relationship] + (map.model.inverse(of: relationship).map { [$0] } ?? [])
        let names = ends.map { end in
            ColumnNaming.join(end.name, number: map.entities[end.declaringIndex].entityNumber)
        }
        guard let table = ([name] + names).lazy.compactMap({ tables.table($0) }).first else {
            throw StorageMapError.missingJoinTable(entity: entity.name, relationship: relationship.name, table: name)
        }
        return table
    }
}
