/// Survivors whose to-one relationship refers to a deleted row.
package struct DanglingLinks: Sendable, Hashable {
    package let name: RelationshipName
    package let count: Int
    /// A few of the survivors.
    package let examples: [ObjectID]

    package static let exampleCount = 5

    package init(name: RelationshipName, count: Int, examples: [ObjectID] = []) {
        self.name = name
        self.count = count
        self.examples = examples
    }

    /// Returns the references to deleted rows that survivors keep, because no delete rule clears them.
    /// - Complexity: One call of `survivors(referringBy:of:after:)` for each declared relationship that keeps them.
    package static func links(after plan: DeletePlan, _ reading: some DanglingReading) throws -> [DanglingLinks] {
        if plan.deleted.isEmpty { return [] }
        var found: [DanglingLinks] = []
        for entity in reading.entitiesInOrder {
            for relationship in entity.toOneRelationships
            where relationship.declaringIndex == entity.index && relationship.keepsDeletedDestinations {
                let (count, examples) = try reading.survivors(referringBy: relationship, of: entity, after: plan)
                if count == 0 { continue }
                let name = RelationshipName(entity: entity.name, relationship: relationship.name)
                found.append(DanglingLinks(name: name, count: count, examples: examples))
            }
        }
        return found
    }
}

extension DanglingReading where Self: DeleteReading {
    package var entitiesInOrder: [Entity] { model.entities }
}

/// The reads that finding dangling links requires.
package protocol DanglingReading {
    /// All entities, in the order in which their links are listed.
    var entitiesInOrder: [Entity] { get }

    /// Returns the number of rows that refer to rows deleted by the plan, without those that it deletes themselves, and
    /// at most `DanglingLinks.exampleCount` of them.
    func survivors(
        referringBy relationship: EntityRelationship, of entity: Entity, after plan: DeletePlan
    ) throws -> (count: Int, examples: [ObjectID])
}
