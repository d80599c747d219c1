import ObjectGraph

/// Where every property of a model is stored: one `EntityStorage` per entity.
/// Pure names; made from the model alone, checked against a file's real columns when one is opened.
package struct StorageMap: Sendable {
    package let model: Model
    package let entities: PerEntity<EntityStorage>
    /// Entity index by entity number (`Z_ENT`).
    package let entityIndexByNumber: [Int: Int]

    /// The column beside a to-one key that holds the row's place in its owner's order, where the inverse is ordered.
    func orderColumn(beside relationship: EntityRelationship) -> String? {
        guard relationship.isToOne, let inverse = relationship.inverseIndex,
            case .foreignKey(_, _, _, let order, _)?? = entities[relationship.destinationIndex].toMany.element(inverse)
        else { return nil }
        return order
    }
}

/// Where the rows of one entity are stored.
package struct EntityStorage: Sendable {
    /// `Z_ENT` of the entity's own rows.
    package let entityNumber: Int
    /// `Z_ENT` of its rows and of those of the entities below it, ascending.
    package let familyNumbers: [Int]
    /// Entity number of the hierarchy's root, whose `Z_MAX` counts the keys.
    package let rootNumber: Int
    package let table: String
    /// One per slot of the entity; `nil` for transient attributes.
    package let columns: [SlotColumn?]
    /// One per relationship of the entity, in the order of `Entity.relationships`; `nil` for to-one relationships.
    package let toMany: [ToManyStorage?]
    /// The uniqueness constraints that hold for the entity's rows (own and inherited).
    package let uniqueness: [Uniqueness]

    /// Their column lists.
    package var uniqueColumns: [[String]] { uniqueness.map(\.columns) }
}

/// The column of one slot.
package struct SlotColumn: Sendable, Hashable {
    package let name: String
    /// Decides how a cell is read and written. A to-one key is `.integer64`.
    package let type: AttributeType
    package let isExternal: Bool
    /// A derived attribute's column is kept by triggers and never written.
    package let isDerived: Bool
    /// For a to-one key whose destination has subentities: the column that holds the destination row's entity number.
    package let entityNumberColumn: String?
    /// For a to-one key: index of the declared destination entity.
    package let destinationIndex: Int?
}

/// Where the members of a to-many relationship are found.
package enum ToManyStorage: Sendable, Hashable {
    /// A key on the members' table: the inverse's column, or (`ownsColumn`) one that exists for this relationship alone.
    /// `ownerNumberColumn` holds the owner's entity number where the owner's entity has subentities.
    case foreignKey(table: String, column: String, ownerNumberColumn: String?, orderColumn: String?, ownsColumn: Bool)
    /// A join table of two keys.
    case joinTable(name: String, ownerColumn: String, memberColumn: String, orderColumn: String?)
}
