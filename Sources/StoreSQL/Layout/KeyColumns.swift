import ObjectGraph

/// The columns of one reference: its key, and the columns beside it.
package struct KeyColumns: Sendable, Hashable {
    package let key: String
    /// The column of the destination row's entity number.
    package let entityNumber: String?
    /// The order key of an ordered to-many relationship.
    package let order: String?
    /// The table that the key refers to.
    package let destinationTable: String
    /// The destination's key that refers back, in a one-to-one relationship.
    package let inverseKey: String?
    /// The relationship that the key stores: to-one, or to-many without an inverse, whose members have the key.
    package let name: RelationshipName
    package let isMandatory: Bool
    /// Whether the key exists for a to-many relationship without inverse.
    package let isOwned: Bool

    package var names: [String] { [key, entityNumber, order].compactMap { $0 } }
}

/// The two keys of a join table.
package struct JoinColumns: Sendable, Hashable {
    package let table: String
    package let owner: String
    package let ownerTable: String
    package let member: String
    package let memberTable: String
    /// The relationship, named by its owner.
    package let name: RelationshipName
}

extension StorageMap {
    /// - Returns: `nil` unless the relationship is a stored to-one relationship.
    package func keyColumns(of relationship: EntityRelationship, _ entityIndex: Int) -> KeyColumns? {
        guard let slot = relationship.slot, let column = entities[entityIndex].columns.element(slot) ?? nil else {
            return nil
        }
        return KeyColumns(
            key: column.name, entityNumber: column.entityNumberColumn, order: orderColumn(beside: relationship),
            destinationTable: entities[relationship.destinationIndex].table, inverseKey: inverseKey(of: relationship),
            name: RelationshipName(entity: model[entityIndex].name, relationship: relationship.name),
            isMandatory: !relationship.relationship.isOptional, isOwned: false)
    }

    private func inverseKey(of relationship: EntityRelationship) -> String? {
        guard let slot = model.inverse(of: relationship)?.slot else { return nil }
        return (entities[relationship.destinationIndex].columns.element(slot) ?? nil)?.name
    }

    /// Returns all references that rows of a table may have, each once.
    package func keyColumns(ofTable table: String) -> [KeyColumns] {
        var found: [KeyColumns] = []
        func add(_ columns: KeyColumns) {
            if !found.contains(where: { $0.key == columns.key }) { found.append(columns) }
        }
        for entity in model.entities {
            for (relationship, storage) in zip(entity.relationships, entities[entity.index].toMany) {
                if entities[entity.index].table == table, let columns = keyColumns(of: relationship, entity.index) {
                    add(columns)
                }
                if case .foreignKey(table, let column, let number, let order, ownsColumn: true)? = storage {
                    let name = RelationshipName(entity: entity.name, relationship: relationship.name)
                    add(
                        KeyColumns(
                            key: column, entityNumber: number, order: order,
                            destinationTable: entities[entity.index].table, inverseKey: nil, name: name,
                            isMandatory: false,
                            isOwned: true))
                }
            }
        }
        return found
    }

    /// All join tables, each once.
    package var joinColumns: [JoinColumns] {
        var found: [JoinColumns] = []
        for entity in model.entities {
            for (relationship, storage) in zip(entity.relationships, entities[entity.index].toMany) {
                guard case .joinTable(let name, let owner, let member, _)? = storage,
                    !found.contains(where: { $0.table == name })
                else { continue }
                found.append(
                    JoinColumns(
                        table: name, owner: owner, ownerTable: entities[entity.index].table, member: member,
                        memberTable: entities[relationship.destinationIndex].table,
                        name: RelationshipName(entity: entity.name, relationship: relationship.name)))
            }
        }
        return found
    }

    /// The tables of entities, each once.
    package var entityTables: [String] {
        entities.map(\.table).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension StorageMap {
    /// Returns the columns whose values may be in external files.
    package func externalColumns(ofTable table: String) -> [String] {
        slotColumns(ofTable: table).filter(\.isExternal).map(\.name)
    }

    /// Returns the columns of keys, numbers and dates.
    package func smallColumns(ofTable table: String) -> Set<String> {
        let numbers = slotColumns(ofTable: table).filter { column in
            switch column.type {
            case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: true
            case .decimal, .string, .binary, .uuid, .uri, .transformable, .composite: false
            }
        }
        return Set(
            [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn] + numbers.map(\.name)
                + keyColumns(ofTable: table).flatMap(\.names))
    }

    /// Returns the uniqueness constraints of a table with the names of their properties, each once.
    package func uniqueness(ofTable table: String) -> [(uniqueness: Uniqueness, properties: [String])] {
        var found: [(uniqueness: Uniqueness, properties: [String])] = []
        for entity in model.entities where entities[entity.index].table == table {
            let storage = entities[entity.index]
            for uniqueness in storage.uniqueness where !found.contains(where: { $0.uniqueness == uniqueness }) {
                let columns = Set(uniqueness.columns)
                let slots = storage.columns.indices.filter { slot in
                    storage.columns[slot].map { columns.contains($0.name) } ?? false
                }
                found.append((uniqueness, slots.map(entity.propertyName)))
            }
        }
        return found
    }

    /// Returns the root of the entities whose rows are in a table.
    package func rootEntity(ofTable table: String) -> Entity? {
        model.entities.first { $0.isRoot && entities[$0.index].table == table }
    }

    /// Returns the slots' columns, each once.
    private func slotColumns(ofTable table: String) -> [SlotColumn] {
        var found: [SlotColumn] = []
        for entity in entities where entity.table == table {
            for case let column? in entity.columns where !found.contains(where: { $0.name == column.name }) {
                found.append(column)
            }
        }
        return found
    }
}
