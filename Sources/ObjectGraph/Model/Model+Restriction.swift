extension Model {
    /// The model of some of the entities alone: what a store of them has. Its entities have the indexes that they have in the
    /// whole model, so queries and changes mean the same in both.
    /// - Throws: `ModelError` when an entity left out is the superentity or a destination of one that stays.
    package func restricted(to names: Set<String>) throws -> Model {
        let own = descriptions.filter { names.contains($0.name) }
        guard own.count < descriptions.count else { return self }
        return try Model(Model(own, versionIdentifiers: versionIdentifiers), partOf: self)
    }

    /// Whether both have the same entities under the same indexes.
    package func numbersEntities(as other: Model) -> Bool {
        entities.count == other.entities.count
            && entities.allSatisfy { other.entity(named: $0.name)?.index == $0.index }
    }
}
