extension Model {
    /// Returns a model with some of the entities, for a store that has only these. Entities have the same indexes as in
    /// the whole model, so queries and changes are valid in both.
    /// - Throws: `ModelError` if an entity left out is the superentity or a destination of a remaining one.
    package func restricted(to names: Set<String>) throws -> Model {
        let own = descriptions.filter { names.contains($0.name) }
        guard own.count < descriptions.count else { return self }
        return try Model(Model(own, versionIdentifiers: versionIdentifiers), partOf: self)
    }

    /// Whether both models have the same entities under the same indexes.
    package func numbersEntities(as other: Model) -> Bool {
        entities.count == other.entities.count
            && entities.allSatisfy { other.entity(named: $0.name)?.index == $0.index }
    }
}
