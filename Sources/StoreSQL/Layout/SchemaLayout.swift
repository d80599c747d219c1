import ObjectGraph

/// The tables of a model in a new file: names, columns in order, join tables.
package struct SchemaLayout: Sendable {
    package let model: Model
    package let numbers: EntityNumbers
    /// The entity tables in the order of their root entities' numbers.
    package private(set) var tables: [TableLayout] = []
    /// The join tables by the number of the entity that names them, then by name.
    package private(set) var joinTables: [JoinTableLayout] = []

    package init(_ model: Model) {
        self.init(model, numbers: EntityNumbers(model))
    }

    /// - Parameter numbers: The numbers of a file, if they differ from those of a new file.
    package init(_ model: Model, numbers: EntityNumbers) {
        self.model = model
        self.numbers = numbers
        var names = ColumnNaming(reserved: SystemTables.tableNames)
        for index in numbers.order where model[index].isRoot {
            var table = TableLayout(name: names.claim(ColumnNaming.table(model[index].name)), rootIndex: index)
            table.columns = columns(of: index)
            tables.append(table)
        }
        let keyNames = JoinKeyNames(model, numbers)
        for index in numbers.order {
            for relationship in storedRelationships(of: index).sorted(by: byName) where namesJoinTable(relationship) {
                joinTables.append(joinTable(named: relationship, keyNames, &names))
            }
        }
    }

    private func byName(_ left: EntityRelationship, _ right: EntityRelationship) -> Bool {
        left.name.precedesByBytes(right.name)
    }

    /// The stored relationships that an entity declares itself.
    private func storedRelationships(of index: Int) -> [EntityRelationship] {
        model[index].relationships.filter { $0.declaringIndex == index && !$0.relationship.isTransient }
    }

    // MARK: Columns

    private func columns(of rootIndex: Int) -> [TableColumn] {
        let family = model[rootIndex].familyIndexes.sorted { numbers[$0] < numbers[$1] }
        var naming = ColumnNaming()
        var columns: [TableColumn] = []
        for group in ColumnGroup.allCases {
            for index in family {
                columns += attributeColumns(of: index, in: group, &naming)
                if group == .integers { columns += relationshipColumns(of: index, &naming) }
            }
        }
        return columns
    }

    private func attributeColumns(
        of index: Int, in group: ColumnGroup, _ naming: inout ColumnNaming
    ) -> [TableColumn] {
        let attributes = model[index].attributes.filter { $0.declaringIndex == index && !$0.attribute.isTransient }
        var columns: [TableColumn] = []
        for attribute in attributes.map(\.attribute).sorted(by: { $0.name.precedesByBytes($1.name) }) {
            for (position, leaf) in attribute.leaves.enumerated() where ColumnGroup(leaf.type) == group {
                columns.append(
                    TableColumn(
                        name: naming.claim(ColumnNaming.column(leaf.name)), declaredType: leaf.type.declaredColumnType,
                        role: .leaf(PropertyKey(entityIndex: index, name: attribute.name), position)))
            }
        }
        return columns
    }

    /// To-one keys, then order keys, then keys of to-many relationships without inverse whose members are of this entity.
    private func relationshipColumns(of index: Int, _ naming: inout ColumnNaming) -> [TableColumn] {
        let toOnes = storedRelationships(of: index).filter(\.isToOne).sorted(by: byName)
        let owned = ownedRelationships(to: index)
        var columns: [TableColumn] = []
        for relationship in toOnes {
            columns += keyColumns(
                relationship.propertyKey, ColumnNaming.column(relationship.name), label: relationship.name,
                destination: relationship.destinationIndex, &naming)
        }
        for relationship in toOnes {
            guard let inverse = model.inverse(of: relationship), inverse.relationship.isOrdered else { continue }
            let name = ColumnNaming.orderColumn(relationship.name)
            columns.append(integer(naming.claim(name), .order(inverse.propertyKey)))
        }
        for relationship in owned where relationship.relationship.isOrdered {
            let name = ColumnNaming.orderColumn(relationship.name, number: numbers[relationship.declaringIndex])
            columns.append(integer(naming.claim(name), .order(relationship.propertyKey)))
        }
        for relationship in owned {
            let owner = relationship.declaringIndex
            columns += keyColumns(
                relationship.propertyKey, ColumnNaming.ownedKeyColumn(relationship.name, owner: numbers[owner]),
                label: "\(numbers[owner])\(relationship.name)", destination: owner, &naming)
        }
        return columns
    }

    /// A key and, if its destination may be of several entities, the column of the entity number.
    private func keyColumns(
        _ property: PropertyKey, _ name: String, label: String, destination: Int, _ naming: inout ColumnNaming
    ) -> [TableColumn] {
        let key = integer(naming.claim(name), .key(property))
        guard model[destination].hasSubentities else { return [key] }
        let number = ColumnNaming.entityNumberColumn(label, destination: numbers[destination])
        return [key, integer(naming.claim(number), .entityNumber(property))]
    }

    private func integer(_ name: String, _ role: TableColumn.Role) -> TableColumn {
        TableColumn(name: name, declaredType: AttributeType.integer64.declaredColumnType, role: role)
    }

    /// The to-many relationships without inverse whose members are of the entity, by their owners' numbers and by name.
    private func ownedRelationships(to index: Int) -> [EntityRelationship] {
        numbers.order.flatMap { owner in
            storedRelationships(of: owner).sorted(by: byName).filter {
                !$0.isToOne && $0.inverseIndex == nil && $0.destinationIndex == index
            }
        }
    }

    // MARK: Join tables

    /// Whether a many-to-many relationship names the join table: it is the ordered side, otherwise the one declared by
    /// the lower entity number, otherwise (both by one entity) the later one by name.
    private func namesJoinTable(_ relationship: EntityRelationship) -> Bool {
        guard !relationship.isToOne, let inverse = model.inverse(of: relationship), !inverse.isToOne else {
            return false
        }
        if relationship.relationship.isOrdered != inverse.relationship.isOrdered {
            return relationship.relationship.isOrdered
        }
        let (own, other) = (numbers[relationship.declaringIndex], numbers[inverse.declaringIndex])
        return own == other ? !relationship.name.precedesByBytes(inverse.name) : own < other
    }

    private func joinTable(
        named relationship: EntityRelationship, _ keyNames: JoinKeyNames, _ names: inout ColumnNaming
    ) -> JoinTableLayout {
        let inverse = model.inverse(of: relationship) ?? relationship
        let (own, other) = (numbers[relationship.declaringIndex], numbers[inverse.declaringIndex])
        let isReflexive = inverse.propertyKey == relationship.propertyKey
        var orders: [(relationship: PropertyKey, column: String)] = []
        // In the order of the key columns: the owner's place among a member's owners, then the member's place.
        if inverse.relationship.isOrdered, !isReflexive {
            orders.append((inverse.propertyKey, ColumnNaming.orderColumn(inverse.name, number: own)))
        }
        if relationship.relationship.isOrdered {
            orders.append((relationship.propertyKey, ColumnNaming.orderColumn(relationship.name, number: other)))
        }
        return JoinTableLayout(
            name: names.claim(ColumnNaming.join(relationship.name, number: own)), naming: relationship.propertyKey,
            inverse: inverse.propertyKey, firstColumn: keyNames.ownerColumn(of: relationship),
            secondColumn: isReflexive ? ColumnNaming.reflexiveColumn : keyNames.ownerColumn(of: inverse),
            orderColumns: orders)
    }
}

extension EntityRelationship {
    package var propertyKey: PropertyKey { PropertyKey(entityIndex: declaringIndex, name: name) }
}
