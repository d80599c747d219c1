/// A save that violates uniqueness constraints. Nothing was written.
package struct UniqueViolation: Error, Hashable, CustomStringConvertible {
    package let entity: String
    /// The properties of the constraint; of all the entity's constraints if it is not known which one.
    package let properties: [String]
    /// All objects that violate this constraint, except for the one of several equal new objects that may stay. At most
    /// one for a batch.
    package let ids: [ObjectID]

    package init(entity: String, properties: [String], ids: [ObjectID]) {
        self.entity = entity
        self.properties = properties
        self.ids = ids
    }

    package init(of constraint: UniqueConstraint, _ entity: Entity, ids: [ObjectID]) {
        self.init(entity: entity.name, properties: constraint.slots.map(entity.propertyName), ids: ids)
    }

    package var description: String {
        let names = properties.joined(separator: ", ")
        let objects = ids.isEmpty ? "" : " as " + ids.prefix(5).map(\.uriText).joined(separator: ", ")
        return "Another '\(entity)' already has the same \(names)\(objects); change one of them and save again."
    }
}
