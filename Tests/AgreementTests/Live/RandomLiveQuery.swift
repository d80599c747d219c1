import ObjectGraph

/// A random query to be followed, with and without sections, over one of the entities of a `DeleteSchema`.
enum RandomLiveQuery {
    static func make(_ model: Model, _ random: inout Seeded) -> LiveQuery {
        var query = RandomQuery.make(model, &random)
        if query.limit == 0 { query.limit = 3 }
        let rule = random.chance(50) ? LiveQuery.UpdateRule.ofReadProperties : .ofAllProperties
        guard random.chance(40) else { return LiveQuery(query, updates: rule) }
        let section = SortKey(sectionKey(model[query.entityIndex], model, &random), ascending: random.chance(60))
        return LiveQuery(query, sectionsBy: section, updates: rule)
    }

    /// A third of the number, the number of a destination, or the destination itself.
    private static func sectionKey(_ entity: Entity, _ model: Model, _ random: inout Seeded) -> QueryExpression {
        let root = QueryExpression.variable(.root)
        if random.chance(50), let relationship = random.pick(entity.toOneRelationships) {
            let destination = QueryExpression.toOne(
                root,
                RelationshipReference(
                    entityIndex: entity.index, index: relationship.index, name: relationship.name))
            if random.chance(40) { return .identity(destination) }
            return number(destination, model.destination(of: relationship))
        }
        return .arithmetic(.divide, number(root, entity), .literal(.integer(3)))
    }

    private static func number(_ object: QueryExpression, _ entity: Entity) -> QueryExpression {
        .attribute(
            object, AttributeReference(entityIndex: entity.index, slot: 0, path: entity.attributes.first?.name ?? ""))
    }
}
