import ObjectGraph
import TestSupport

/// A random query to be followed, with and without sections, over one of the entities of a `DeleteSchema`.
enum RandomLiveQuery {
    static func make(_ model: Model, _ random: inout SeededGenerator) -> LiveQuery {
        var query = RandomQuery.make(model, &random)
        if query.limit == 0 { query.limit = 3 }
        let rule = random.chance(50) ? LiveQuery.UpdateRule.ofReadProperties : .ofAllProperties
        // A small reserve is used up, and filled again.
        let reserve = query.limit.map { $0 % 2 == 0 ? 1 : 16 } ?? 16
        guard random.chance(40) else { return LiveQuery(query, updates: rule, leastReserve: reserve) }
        let section = SortKey(sectionKey(model[query.entityIndex], model, &random), ascending: random.chance(60))
        return LiveQuery(query, sectionsBy: section, updates: rule, leastReserve: reserve)
    }

    /// Groups by up to two keys, with some functions of numbers.
    static func makeGroups(_ model: Model, _ random: inout SeededGenerator) -> GroupQuery {
        var rows = RandomQuery.make(model, &random)
        (rows.limit, rows.offset, rows.sort) = (nil, 0, [])
        let entity = model[rows.entityIndex]
        let root = QueryExpression.variable(.root)
        let keys = (0..<random.roll(3)).map { _ in sectionKey(entity, model, &random) }
        let functions: [AggregateFunction] = random.some(AggregateFunction.allCases, atMost: 6)
        let results = functions.map { function in
            var operand = number(root, entity)
            if random.chance(40), let relationship = random.pick(entity.toOneRelationships) {
                operand = number(
                    .toOne(
                        root,
                        RelationshipReference(
                            entityIndex: entity.index, index: relationship.index, name: relationship.name)),
                    model.destination(of: relationship))
            }
            if random.chance(30) { operand = .arithmetic(.multiply, operand, .literal(.real(0.1))) }
            return GroupQuery.Result(function, of: operand, with: random.chance(50) ? .reals : .decimals)
        }
        return GroupQuery(rows, by: keys, results: results)
    }

    /// A third of the number, the number of a destination, or the destination itself.
    private static func sectionKey(_ entity: Entity, _ model: Model, _ random: inout SeededGenerator) -> QueryExpression
    {
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
