import ObjectGraph
import TestSupport

/// A random query over one of the entities of a `DeleteSchema`: joins, order, offset, limit, with and without
/// subentities.
enum RandomQuery {
    static func make(_ model: Model, _ random: inout SeededGenerator) -> Query {
        let entity = random.pick(model.entities) ?? model.entities[0]
        var query = Query(entityIndex: entity.index)
        query.includesSubentities = random.chance(70)
        if random.chance(80) { query.predicate = predicate(entity, model, depth: 0, &random) }
        if random.chance(50) {
            query.sort = [SortKey(number(.variable(.root), entity), ascending: random.chance(50))]
            let toOne = entity.toOneRelationships
            if random.chance(40), let relationship = random.pick(toOne) {
                let destination = model.destination(of: relationship)
                let key = number(.toOne(.variable(.root), reference(relationship, entity)), destination)
                query.sort.insert(SortKey(key, ascending: random.chance(50)), at: 0)
            }
        }
        if random.chance(40) { query.limit = random.roll(8) }
        if random.chance(25) { query.offset = random.roll(5) }
        return query
    }

    private static func number(_ object: QueryExpression, _ entity: Entity) -> QueryExpression {
        .attribute(
            object, AttributeReference(entityIndex: entity.index, slot: 0, path: entity.attributes.first?.name ?? ""))
    }

    private static func reference(_ relationship: EntityRelationship, _ entity: Entity) -> RelationshipReference {
        RelationshipReference(entityIndex: entity.index, index: relationship.index, name: relationship.name)
    }

    private static func comparison(
        _ object: QueryExpression, _ entity: Entity, _ random: inout SeededGenerator
    ) -> QueryExpression {
        .compare(
            random.pick(ComparisonOperator.allCases) ?? .less, number(object, entity),
            .literal(.integer(Int64(random.roll(24)))))
    }

    private static func predicate(
        _ entity: Entity, _ model: Model, depth: Int, _ random: inout SeededGenerator
    ) -> QueryExpression {
        let root = QueryExpression.variable(.root)
        switch random.roll(depth > 1 ? 4 : 7) {
        case 0, 1: return comparison(root, entity, &random)
        case 2:
            guard let relationship = random.pick(entity.toOneRelationships) else { return .constant(true) }
            let destination = model.destination(of: relationship)
            return comparison(.toOne(root, reference(relationship, entity)), destination, &random)
        case 3:
            guard let relationship = random.pick(entity.toManyRelationships) else { return .constant(true) }
            let members = QueryCollection.toMany(root, reference(relationship, entity))
            if random.chance(40) {
                return .compare(.greater, .count(members), .literal(.integer(Int64(random.roll(3)))))
            }
            let variable = QueryVariable(1 + random.roll(1_000_000))
            let test = comparison(.variable(variable), model.destination(of: relationship), &random)
            return random.chance(60) ? .exists(members, variable, test) : .all(members, variable, test)
        case 4: return .not(predicate(entity, model, depth: depth + 1, &random))
        case 5:
            return .and((0..<2).map { _ in predicate(entity, model, depth: depth + 1, &random) })
        default:
            return .or((0..<2).map { _ in predicate(entity, model, depth: depth + 1, &random) })
        }
    }
}
