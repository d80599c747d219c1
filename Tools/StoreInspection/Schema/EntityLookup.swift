import ObjectGraph

extension Model {
    /// Returns the entity with a name, ignoring case if that is unambiguous.
    /// - Throws: `InspectionError.unknownEntity`.
    package func inspectedEntity(_ name: String) throws -> Entity {
        if let entity = entity(named: name) { return entity }
        let close = entities.filter { $0.name.lowercased() == name.lowercased() }
        guard close.count == 1, let entity = close.first else {
            throw InspectionError.unknownEntity(name, known: entities.map(\.name))
        }
        return entity
    }
}

extension Entity {
    package var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

    /// - Throws: `InspectionError.unknownProperty`.
    package func inspectedRelationship(_ name: String) throws -> EntityRelationship {
        let close =
            relationships.first { $0.name == name } ?? relationships.first { $0.name.lowercased() == name.lowercased() }
        guard let close else {
            if attribute(named: name) != nil {
                throw InspectionError.unsuitableProperty(
                    entity: self.name, property: name, reason: "it is a value, and references no object.")
            }
            throw InspectionError.unknownProperty(
                entity: self.name, property: name, known: relationships.map(\.name))
        }
        return close
    }
}
