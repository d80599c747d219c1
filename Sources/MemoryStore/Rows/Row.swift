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
    /// The row's positions in ordered lists that contain it because of a reference, its own or that to an owner.
    var places: [RelationshipPlace: Int64] = [:]
}

/// A link of a many-to-many relationship.
struct Join: Sendable, Hashable {
    /// The relationship of the first of the two ends.
    let relationship: RelationshipPlace
    let owner: RowName
    let member: RowName
}

/// The positions of a link's ends in ordered lists.
struct JoinPlaces: Sendable {
    /// The position of the member in the owner's list.
    var ofMember: Int64?
    /// The position of the owner in the member's list.
    var ofOwner: Int64?
}

extension EntityRelationship {
    /// The same value for the declaring entity and for subentities that inherit the relationship.
    var place: RelationshipPlace { RelationshipPlace(entityIndex: declaringIndex, index: index) }
}
