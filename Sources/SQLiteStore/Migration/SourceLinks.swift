import ObjectGraph
import StoreSQL

/// The stored links of one relationship: two columns of keys in one table, of the relationship's owners and of its
/// members. One of them may be the primary key of the table's rows.
struct SourceLinks {
    let table: String
    let owner: Side
    let member: Side

    struct Side {
        let column: String
        /// The column of the row's entity number beside the key.
        var number: String?
        /// The column of the order key of the other side's row among this side's members.
        var order: String?
        /// The index of the entity that these rows, or those of its subentities, belong to.
        let entityIndex: Int

        var isRow: Bool { column == SystemTables.keyColumn }
    }

    /// The same links from the inverse side.
    var reversed: SourceLinks { SourceLinks(table: table, owner: member, member: owner) }
}

extension StorageMap {
    /// - Parameter relationship: A relationship of any entity that has it.
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
