import ObjectGraph

/// A line between two boxes: a relationship and its inverse, or inheritance.
struct DiagramEdge {
    enum Kind: String {
        case nullify, cascade, deny, inherits
    }

    enum Mark {
        case one, many, none
    }

    struct End {
        let entity: Int
        /// The index in `Entity.relationships`; `nil` for an end without a row.
        let relationshipIndex: Int?
        let mark: Mark
    }

    /// The owner's end: the one that cascades, or that is to-many.
    let from: End
    let to: End
    let kind: Kind

    static func all(_ model: Model) -> [DiagramEdge] {
        var edges: [DiagramEdge] = []
        for entity in model.entities {
            for relationship in entity.relationships
            where relationship.declaringIndex == entity.index && !relationship.relationship.isTransient {
                let inverse = model.inverse(of: relationship)
                if let inverse, !isFirst(relationship, inverse, model) { continue }
                edges.append(edge(entity, relationship, inverse, model))
            }
            if let above = entity.superentityIndex {
                edges.append(
                    DiagramEdge(
                        from: End(entity: above, relationshipIndex: nil, mark: .none),
                        to: End(entity: entity.index, relationshipIndex: nil, mark: .none), kind: .inherits))
            }
        }
        return edges
    }

    private static func isFirst(_ one: EntityRelationship, _ other: EntityRelationship, _ model: Model) -> Bool {
        let (own, back) = ((one.declaringIndex, one.index), (other.declaringIndex, other.index))
        return own <= back
    }

    private static func edge(
        _ entity: Entity, _ relationship: EntityRelationship, _ inverse: EntityRelationship?, _ model: Model
    ) -> DiagramEdge {
        let rules = [relationship.relationship.deleteRule, inverse?.relationship.deleteRule].compactMap { $0 }
        let kind: Kind = rules.contains(.cascade) ? .cascade : rules.contains(.deny) ? .deny : .nullify
        // Each end's mark shows the cardinality of the relationship that points to it.
        let own = End(
            entity: entity.index, relationshipIndex: relationship.index,
            mark: inverse.map { $0.isToOne ? .one : .many } ?? .none)
        let other = End(
            entity: inverse?.declaringIndex ?? relationship.destinationIndex, relationshipIndex: inverse?.index,
            mark: relationship.isToOne ? .one : .many)
        return isOwner(relationship, inverse)
            ? DiagramEdge(from: own, to: other, kind: kind) : DiagramEdge(from: other, to: own, kind: kind)
    }

    private static func isOwner(_ relationship: EntityRelationship, _ inverse: EntityRelationship?) -> Bool {
        guard let inverse else { return !relationship.isToOne || relationship.relationship.deleteRule == .cascade }
        func weight(_ end: EntityRelationship) -> Int {
            (end.relationship.deleteRule == .cascade ? 2 : 0) + (end.isToOne ? 0 : 1)
        }
        return weight(relationship) >= weight(inverse)
    }
}
