/// Links to deleted rows that were written after the rows were planned for deletion, or by the same save.
extension DeletePlanner {
    /// Returns the stored references to deleted rows along relationships that the delete rules follow. They are found
    /// only from to-one inverses: join rows are deleted with either end.
    /// - Complexity: One read for each relationship that refers to an entity with deleted rows.
    package static func lateReferences(to rows: RowSet, _ reading: Reading) throws -> [LateReferences] {
        let planner = DeletePlanner(reading, DeleteRequest(.rows(rows)), nil)
        var found: [LateReferences] = []
        for (entity, rows) in planner.parts(of: rows) {
            for relationship in entity.relationships {
                let effect = DeleteRules.effect(of: relationship)
                guard effect != .nothing, let inverse = planner.model.inverse(of: relationship), inverse.isToOne else {
                    continue
                }
                let place = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
                let late = try reading.referencingRows(of: place, referringTo: rows)
                if late.isEmpty { continue }
                found.append(
                    LateReferences(
                        relationship: inverse, rows: late,
                        isNullified: effect == .clearInverse && inverse.relationship.isOptional))
            }
        }
        return found
    }
}

/// References to deleted rows along one relationship.
package struct LateReferences: Sendable {
    /// The relationship of the referring rows.
    package let relationship: EntityRelationship
    /// The referring rows.
    package let rows: RowSet
    /// Whether the delete rules nullify the references. Otherwise the rows are deleted too, or prevent the deletion.
    package let isNullified: Bool
}

/// A link that a save writes, of which the same save deletes one end.
struct LateLink {
    let deleted: ObjectID
    /// Whether the delete rules would have followed the link if the plan had known it.
    private let isFollowed: Bool

    /// The deleted end of a link.
    enum End {
        case owner, destination
    }

    init(_ end: End, _ deleted: ObjectID, along relationship: EntityRelationship) {
        self.deleted = deleted
        isFollowed =
            switch end {
            case .owner: !relationship.leavesDestinations
            case .destination: !relationship.keepsDeletedDestinations
            }
    }

    /// Returns the deleted rows whose links the delete rules would have followed, if the plan had known them.
    static func followed(_ links: [LateLink]) -> Set<ObjectID> {
        Set(links.lazy.filter(\.isFollowed).map(\.deleted))
    }
}
