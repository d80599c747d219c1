import ObjectGraph
import StoreSQL

/// Every column and table of a file that refers to rows, derived from its storage map. The checker queries them, the
/// repair changes them.
struct CheckLayout: Sendable {
    let map: StorageMap
    /// Entities by number, the order in which findings are listed.
    let entities: [Entity]
    let keys: [StoredKey]
    let members: [StoredMembers]
    let joins: [StoredJoin]
    let cells: [StoredCells]
    let uniqueness: [StoredUniqueness]
    /// Positions in `keys` of the two ends of each one-to-one relationship; equal if the relationship is its own inverse.
    let pairs: [OneToOne]

    struct OneToOne: Sendable {
        let ends: [Int]
    }

    init(_ map: StorageMap) {
        self.map = map
        entities = map.model.entities.sorted {
            map.entities[$0.index].entityNumber < map.entities[$1.index].entityNumber
        }
        var keys: [StoredKey] = []
        var members: [StoredMembers] = []
        var joins: [StoredJoin] = []
        let builder = Builder(map: map)
        for entity in entities {
            for relationship in entity.relationships where relationship.declaringIndex == entity.index {
                if let key = builder.key(entity, relationship) { keys.append(key) }
                if let source = builder.members(entity, relationship) { members.append(source) }
                guard let join = builder.join(entity, relationship) else { continue }
                if !joins.contains(where: { $0.table == join.table }) { joins.append(join) }
            }
        }
        self.keys = keys
        self.members = members
        self.joins = joins
        cells = entities.flatMap(builder.cells)
        uniqueness = entities.flatMap(builder.uniqueness)
        pairs = keys.indices.compactMap { first in
            guard keys[first].kind != .owned, let inverse = map.model.inverse(of: keys[first].relationship),
                let second = keys.firstIndex(where: {
                    $0.kind != .owned && $0.relationship.propertyKey == inverse.propertyKey
                }), first <= second
            else { return nil }
            return OneToOne(ends: first == second ? [first] : [first, second])
        }
    }

    func key(entity: String, property: String) -> StoredKey? {
        keys.first { $0.entity.name == entity && $0.property == property }
    }

    /// Returns the key at the other end of a pair.
    func inverse(_ position: Int, in pair: OneToOne) -> StoredKey {
        keys[pair.ends[pair.ends.count - 1 - position]]
    }
}

private struct Builder {
    let map: StorageMap

    private func numbers(_ entityIndex: Int) -> [Int] { map.entities[entityIndex].familyNumbers }

    /// The numbers of entities stored in the same table that are neither the entity nor one of its subentities.
    private func foreignNumbers(_ entityIndex: Int) -> [Int] {
        let covered = Set(numbers(entityIndex))
        return map.model.entities.filter { !$0.isAbstract && $0.rootIndex == map.model[entityIndex].rootIndex }
            .map { map.entities[$0.index].entityNumber }.filter { !covered.contains($0) }.sorted()
    }

    func key(_ entity: Entity, _ relationship: EntityRelationship) -> StoredKey? {
        if let slot = relationship.slot { return toOne(entity, relationship, slot) }
        guard
            case .foreignKey(let table, let column, let number, let order, true)? =
                map.entities[entity.index].toMany[relationship.index]
        else { return nil }
        return StoredKey(
            entity: entity, relationship: relationship, table: table, column: column, numberColumn: number,
            orderColumn: order, rowNumbers: numbers(relationship.destinationIndex),
            targetTable: map.entities[entity.index].table, coveredNumbers: numbers(entity.index),
            foreignNumbers: foreignNumbers(entity.index), kind: .owned,
            mayBeDangling: relationship.leavesDestinations, makesMember: true)
    }

    private func toOne(_ entity: Entity, _ relationship: EntityRelationship, _ slot: Int) -> StoredKey? {
        guard let column = map.entities[entity.index].columns[slot] else { return nil }
        let destination = relationship.destinationIndex
        let inverse = map.model.inverse(of: relationship)
        var order: String?
        if let inverse, case .foreignKey(_, _, _, let column, _)? = map.entities[destination].toMany[inverse.index] {
            order = column
        }
        return StoredKey(
            entity: entity, relationship: relationship, table: map.entities[entity.index].table, column: column.name,
            numberColumn: column.entityNumberColumn, orderColumn: order, rowNumbers: numbers(entity.index),
            targetTable: map.entities[destination].table, coveredNumbers: numbers(destination),
            foreignNumbers: foreignNumbers(destination),
            kind: relationship.relationship.isOptional ? .toOne : .mandatory,
            mayBeDangling: relationship.keepsDeletedDestinations,
            makesMember: inverse.map { !$0.isToOne } ?? false)
    }

    func members(_ entity: Entity, _ relationship: EntityRelationship) -> StoredMembers? {
        guard let storage = map.entities[entity.index].toMany[relationship.index] else { return nil }
        let destination = relationship.destinationIndex
        return StoredMembers(
            entity: entity, relationship: relationship, storage: storage, ownerTable: map.entities[entity.index].table,
            ownerNumbers: numbers(entity.index), memberTable: map.entities[destination].table,
            memberNumbers: numbers(destination),
            isOwnInverse: map.model.isOwnInverse(relationship) && destination == relationship.declaringIndex)
    }

    func cells(_ entity: Entity) -> [StoredCells] {
        entity.attributes.filter { $0.declaringIndex == entity.index }.flatMap { attribute in
            attribute.slots.compactMap { slot -> StoredCells? in
                guard let column = map.entities[entity.index].columns[slot] else { return nil }
                return StoredCells(
                    entity: entity, property: entity.propertyName(ofSlot: slot),
                    table: map.entities[entity.index].table, column: column.name, type: column.type,
                    isExternal: column.isExternal, rowNumbers: numbers(entity.index))
            }
        }
    }

    /// The uniqueness constraints that the entity declares itself, without inherited ones.
    func uniqueness(_ entity: Entity) -> [StoredUniqueness] {
        let storage = map.entities[entity.index]
        let inherited = entity.superentityIndex.map { map.entities[$0].uniqueness } ?? []
        return storage.uniqueness.filter { !inherited.contains($0) }.map { uniqueness in
            let properties = uniqueness.columns.compactMap { name in
                storage.columns.firstIndex { $0?.name == name }.map(entity.propertyName)
            }
            return StoredUniqueness(
                entity: entity, properties: properties,
                rows: EqualRows(table: storage.table, uniqueness: uniqueness, dialect: SQLiteDialect()))
        }
    }

    func join(_ entity: Entity, _ relationship: EntityRelationship) -> StoredJoin? {
        guard
            case .joinTable(let name, let ownerColumn, let memberColumn, _)? =
                map.entities[entity.index].toMany[relationship.index]
        else { return nil }
        let destination = relationship.destinationIndex
        return StoredJoin(
            entity: entity, relationship: relationship, table: name,
            ends: [
                StoredJoin.End(
                    column: ownerColumn, table: map.entities[entity.index].table,
                    foreignNumbers: foreignNumbers(entity.index), relationshipIndex: relationship.index),
                StoredJoin.End(
                    column: memberColumn, table: map.entities[destination].table,
                    foreignNumbers: foreignNumbers(destination), relationshipIndex: relationship.inverseIndex),
            ])
    }
}
