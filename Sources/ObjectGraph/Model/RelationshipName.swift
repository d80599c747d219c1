/// The name of a relationship, with its entity.
package struct RelationshipName: Sendable, Hashable, CustomStringConvertible {
    package let entity: String
    package let relationship: String

    package init(entity: String, relationship: String) {
        self.entity = entity
        self.relationship = relationship
    }

    package var description: String { "\(entity).\(relationship)" }
}
