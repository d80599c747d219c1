/// Copies of entities with the same hierarchy and relationships as the originals. A relationship to an entity that is not among
/// them keeps its destination by name.
struct EntityCopies {
    let entities: [NSEntityDescription]
    private var entityCopies: [ObjectIdentifier: NSEntityDescription] = [:]
    private var relationshipCopies: [ObjectIdentifier: NSRelationshipDescription] = [:]

    init(of originals: [NSEntityDescription]) {
        entities = originals.map { $0.copy() as? NSEntityDescription ?? NSEntityDescription() }
        for (original, copy) in zip(originals, entities) {
            entityCopies[ObjectIdentifier(original)] = copy
            for (property, own) in zip(original.ownProperties, copy.ownProperties) {
                relationshipCopies[ObjectIdentifier(property)] = own as? NSRelationshipDescription
            }
        }
        join(originals)
        for original in originals { relate(original) }
    }

    /// A hierarchy may be divided among several models, so superentities are looked up by name, too.
    private func join(_ originals: [NSEntityDescription]) {
        let byName = ModelUse.byName(entities)
        for (original, copy) in zip(originals, entities) {
            guard let superentity = original.superentity,
                let parent = entityCopies[ObjectIdentifier(superentity)] ?? superentity.name.flatMap({ byName[$0] })
            else { continue }
            // A change of the hierarchy removes the indexes.
            let indexes = parent.indexes
            parent.subentities.append(copy)
            parent.indexes = indexes
        }
    }

    private func relate(_ original: NSEntityDescription) {
        for case let relationship as NSRelationshipDescription in original.ownProperties {
            relationshipCopies[ObjectIdentifier(relationship)]?.connect(
                to: relationship.destinationEntity.flatMap { entityCopies[ObjectIdentifier($0)] },
                inverse: relationship.inverseRelationship.flatMap { relationshipCopies[ObjectIdentifier($0)] })
        }
    }
}
