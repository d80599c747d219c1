import ObjectGraph

/// The storage of every property of a model: one `EntityStorage` per entity. Consists of names only; made from the model
/// alone, and checked against a file's actual columns when it is opened.
package struct StorageMap: Sendable {
    package let model: Model
    package let entities: PerEntity<EntityStorage>
    /// Entity index by entity number (`Z_ENT`).
    package let entityIndexByNumber: [Int: Int]

    /// The order key beside a to-one key, if the inverse is ordered.
    package func orderColumn(beside relationship: EntityRelationship) -> String? {
        guard relationship.isToOne, let inverse = relationship.inverseIndex,
            case .foreignKey(_, _, _, let order, _)?? = entities[relationship.destinationIndex].toMany.element(inverse)
        else { return nil }
        return order
    }
}

/// The storage of one entity's rows.
package struct EntityStorage: Sendable {
    /// `Z_ENT` of the entity's own rows.
    package let entityNumber: Int
    /// `Z_ENT` of the rows of the entity and its subentities, ascending.
    package let familyNumbers: [Int]
    /// The entity number of the hierarchy's root, whose `Z_MAX` counts the keys.
    package let rootNumber: Int
    package let table: String
    /// One column per slot of the entity; `nil` for transient attributes.
    package let columns: [SlotColumn?]
    /// One storage per relationship, in the order of `Entity.relationships`; `nil` for to-one relationships.
    package let toMany: [ToManyStorage?]
    /// The uniqueness constraints of the entity's rows, own and inherited.
    package let uniqueness: [Uniqueness]

    /// The columns of each uniqueness constraint.
    package var uniqueColumns: [[String]] { uniqueness.map(\.columns) }
}

/// The column of one slot.
package struct SlotColumn: Sendable, Hashable {
    package let name: String
    /// Determines how a cell is read and written. A to-one key is `.integer64`.
    package let type: AttributeType
    package let isExternal: Bool
    /// Whether the column is computed by triggers and never written.
    package let isDerived: Bool
    /// For a to-one key whose destination has subentities, the column of the destination row's entity number.
    package let entityNumberColumn: String?
    /// For a to-one key, the index of the declared destination entity.
    package let destinationIndex: Int?
}

/// The storage of a to-many relationship's members.
package enum ToManyStorage: Sendable, Hashable {
    /// A key in the members' table: the inverse's column, or (`ownsColumn`) one that exists for this relationship alone.
    /// `ownerNumberColumn` has the owner's entity number if the owner's entity has subentities.
    case foreignKey(table: String, column: String, ownerNumberColumn: String?, orderColumn: String?, ownsColumn: Bool)
    /// A join table of two keys.
    case joinTable(name: String, ownerColumn: String, memberColumn: String, orderColumn: String?)
}
