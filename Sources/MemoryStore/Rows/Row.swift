import ObjectGraph

/// Identifies a row: its key is unique in the hierarchy of its entity, regardless of the entity that a reference names.
struct RowName: Sendable, Hashable, Comparable {
    /// The index of the hierarchy's root entity.
    let rootIndex: Int
    let key: Int64

    static func < (first: RowName, second: RowName) -> Bool {
        (first.rootIndex, first.key) < (second.rootIndex, second.key)
    }
}

/// One row.
struct Row: Sendable {
    let entityIndex: Int
    var version: RowVersion = 1
    /// In slot order; to-one relationships are references.
    var values: SlotValues
    /// The owner along each to-many relationship without an inverse: each member has one owner, and the link is stored
    /// only here.
    var owners: [RelationshipPlace: ObjectID] = [:]
}

/// A member of an owner's to-many relationship.
struct Link: Sendable, Hashable {
    let relationship: RelationshipPlace
    let owner: RowName
    let member: RowName
}

extension EntityRelationship {
    /// The same value for the declaring entity and for subentities that inherit the relationship.
    var place: RelationshipPlace { RelationshipPlace(entityIndex: declaringIndex, index: index) }
}
