import ObjectGraph

/// The links of one relationship as a file has them: two columns of keys in one table, of the relationship's owners and of
/// its members. One of them may be the key of the table's own rows.
struct SourceLinks {
    let table: String
    let owner: Side
    let member: Side

    struct Side {
        let column: String
        /// Where the row's entity number stands beside the key.
        var number: String?
        /// Where the place stands that the other side's row has in the order of this side's.
        var order: String?
        /// Index of the entity whose rows, or those of entities below it, these are.
        let entityIndex: Int

        var isRow: Bool { column == SystemTables.keyColumn }
    }

    /// The same links, as the inverse has them.
    var reversed: SourceLinks { SourceLinks(table: table, owner: member, member: owner) }
}

extension StorageMap {
    /// - Parameter relationship: any entity's that has it.
    /// - Returns: `nil` for a relationship that is not stored.
    func links(of relationship: EntityRelationship) -> SourceLinks? {
        let entity = relationship.declaringIndex
        let destination = relationship.destinationIndex
        if let slot = relationship.slot {
            guard let column = entities[entity].columns.element(slot) ?? nil else { return nil }
            return SourceLinks(
                table: entities[entity].table, owner: .init(column: SystemTables.keyColumn, entityIndex: entity),
                member: .init(
                    column: column.name, number: column.entityNumberColumn, order: orderColumn(beside: relationship),
                    entityIndex: destination))
        }
        switch entities[entity].toMany.element(relationship.index) ?? nil {
        case .foreignKey(let table, let column, let number, let order, _)?:
            return SourceLinks(
                table: table, owner: .init(column: column, number: number, order: order, entityIndex: entity),
                member: .init(column: SystemTables.keyColumn, entityIndex: destination))
        case .joinTable(let name, let ownerColumn, let memberColumn, let order)?:
            return SourceLinks(
                table: name, owner: .init(column: ownerColumn, order: order, entityIndex: entity),
                member: .init(column: memberColumn, order: inverseOrder(of: relationship), entityIndex: destination))
        case nil: return nil
        }
    }

    private func inverseOrder(of relationship: EntityRelationship) -> String? {
        guard let inverse = relationship.inverseIndex,
            case .joinTable(_, _, _, let order)?? = entities[relationship.destinationIndex].toMany.element(inverse)
        else { return nil }
        return order
    }
}
