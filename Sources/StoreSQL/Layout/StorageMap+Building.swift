import ObjectGraph

extension StorageMap {
    /// Makes the map of a new file.
    package init(_ model: Model) {
        self.init(SchemaLayout(model))
    }

    package init(_ schema: SchemaLayout) {
        let roles = RoleTable(schema)
        model = schema.model
        entities = PerEntity(schema.model) { roles.storage(of: $0) }
        entityIndexByNumber = Dictionary(
            schema.numbers.order.map { (schema.numbers[$0], $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The inverted schema: from property to column.
private struct RoleTable {
    let schema: SchemaLayout
    /// Tables by the hierarchy's root.
    private var tables: [Int: String] = [:]
    private var columns: [TableColumn.Role: String] = [:]
    private var joins: [PropertyKey: JoinTableLayout] = [:]

    init(_ schema: SchemaLayout) {
        self.schema = schema
        for table in schema.tables {
            tables[table.rootIndex] = table.name
            for column in table.columns { columns[column.role] = column.name }
        }
        for join in schema.joinTables {
            joins[join.naming] = join
            joins[join.inverse] = join
        }
    }

    func storage(of entity: Entity) -> EntityStorage {
        EntityStorage(
            entityNumber: schema.numbers[entity.index],
            familyNumbers: entity.familyIndexes.map { schema.numbers[$0] }.sorted(),
            rootNumber: schema.numbers[entity.rootIndex], table: table(of: entity),
            columns: entity.slots.enumerated().map { column(ofSlot: $0, $1, in: entity) },
            toMany: entity.relationships.map(toMany), uniqueness: uniqueness(of: entity))
    }

    private func table(of entity: Entity) -> String {
        tables[entity.rootIndex] ?? ColumnNaming.table(schema.model[entity.rootIndex].name)
    }

    private func column(ofSlot number: Int, _ slot: Slot, in entity: Entity) -> SlotColumn? {
        switch slot {
        case .attribute(let attributeIndex, let leaf):
            leafColumn(leaf, of: entity.attributes[attributeIndex], slot: number)
        case .toOne(let relationshipIndex):
            keyColumn(of: entity.relationships[relationshipIndex])
        }
    }

    private func leafColumn(_ leaf: Attribute, of attribute: EntityAttribute, slot: Int) -> SlotColumn? {
        let key = PropertyKey(entityIndex: attribute.declaringIndex, name: attribute.name)
        return columns[.leaf(key, slot - attribute.slots.lowerBound)].map { name in
            SlotColumn(
                name: name, type: leaf.type, isExternal: leaf.allowsExternalStorage,
                isDerived: attribute.attribute.isDerived, entityNumberColumn: nil, destinationIndex: nil)
        }
    }

    private func keyColumn(of relationship: EntityRelationship) -> SlotColumn? {
        let key = relationship.propertyKey
        return columns[.key(key)].map { name in
            SlotColumn(
                name: name, type: .integer64, isExternal: false, isDerived: false,
                entityNumberColumn: columns[.entityNumber(key)], destinationIndex: relationship.destinationIndex)
        }
    }

    private func toMany(_ relationship: EntityRelationship) -> ToManyStorage? {
        guard !relationship.isToOne, !relationship.relationship.isTransient else { return nil }
        if let join = joins[relationship.propertyKey] { return joinStorage(join, relationship.propertyKey) }
        let inverse = schema.model.inverse(of: relationship)
        let key = inverse?.propertyKey ?? relationship.propertyKey
        return columns[.key(key)].map { column in
            .foreignKey(
                table: table(of: schema.model.destination(of: relationship)), column: column,
                ownerNumberColumn: columns[.entityNumber(key)], orderColumn: columns[.order(relationship.propertyKey)],
                ownsColumn: inverse == nil)
        }
    }

    private func joinStorage(_ join: JoinTableLayout, _ property: PropertyKey) -> ToManyStorage {
        let order = join.orderColumns.first { $0.relationship == property }?.column
        let isNaming = join.naming == property
        return .joinTable(
            name: join.name, ownerColumn: isNaming ? join.firstColumn : join.secondColumn,
            memberColumn: isNaming ? join.secondColumn : join.firstColumn, orderColumn: order)
    }

    /// The constraints of the entity and its superentities.
    private func uniqueness(of entity: Entity) -> [Uniqueness] {
        let inherited = entity.superentityIndex.map { uniqueness(of: schema.model[$0]) } ?? []
        let own = entity.uniquenessConstraints.map { constraint in
            Uniqueness(parts: constraint.map { part(at: $0, in: entity) }.filter { !$0.columns.isEmpty })
        }
        return inherited + own.filter { !$0.parts.isEmpty }
    }

    private func part(at path: String, in entity: Entity) -> Uniqueness.Part {
        Uniqueness.Part(
            kind: entity.relationship(named: path) == nil ? .value : .destination,
            columns: entity.columns(ofPath: path, in: columns))
    }
}
