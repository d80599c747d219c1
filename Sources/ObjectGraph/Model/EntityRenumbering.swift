extension Model {
    /// The model of some of the entities alone, in the same order. Slots and relationships keep their places; only
    /// entity indexes differ.
    /// - Throws: `ModelError` when an entity left out is the superentity or a destination of one that stays.
    package func restricted(to names: Set<String>) throws -> Model {
        try Model(descriptions.filter { names.contains($0.name) }, versionIdentifiers: versionIdentifiers)
    }
}

/// Says in the entity indexes of a restricted model what was said in those of the whole one.
package struct EntityRenumbering: Sendable {
    private let names: [String]
    /// By index in the whole model; `nil` for entities left out.
    private let indexes: [Int?]

    package init(from whole: Model, to part: Model) {
        names = whole.entities.map(\.name)
        indexes = whole.entities.map { part.entity(named: $0.name)?.index }
    }

    /// - Throws: `EntityElsewhere`.
    package func index(_ index: Int) throws(EntityElsewhere) -> Int {
        guard indexes.indices.contains(index) else { throw EntityElsewhere(entity: "\(index)") }
        guard let renumbered = indexes[index] else { throw EntityElsewhere(entity: names[index]) }
        return renumbered
    }

    /// - Throws: `EntityElsewhere` for a query that reads properties of an entity left out.
    package func query(_ query: Query) throws(EntityElsewhere) -> Query {
        var renumbered = query
        renumbered.entityIndex = try index(query.entityIndex)
        if let predicate = query.predicate { renumbered.predicate = try expression(predicate) }
        for position in query.sort.indices {
            renumbered.sort[position].expression = try expression(query.sort[position].expression)
        }
        return renumbered
    }

    /// - Throws: `EntityElsewhere` for a query that reads properties of an entity left out.
    package func groups(_ query: GroupQuery) throws(EntityElsewhere) -> GroupQuery {
        var renumbered = GroupQuery(try self.query(query.rows), by: try expressions(query.keys), results: query.results)
        for place in renumbered.results.indices {
            renumbered.results[place].operand = try expression(query.results[place].operand)
        }
        return renumbered
    }

    private func expression(_ whole: QueryExpression) throws(EntityElsewhere) -> QueryExpression {
        switch whole {
        case .variable, .literal, .constant: return whole
        case .toOne(let base, let reference): return .toOne(try expression(base), try self.reference(reference))
        case .cast(let base, let entityIndex): return .cast(try expression(base), entityIndex: try index(entityIndex))
        case .attribute(let base, let reference):
            let place = AttributeReference(
                entityIndex: try index(reference.entityIndex), slot: reference.slot, path: reference.path)
            return .attribute(try expression(base), place)
        case .identity(let base): return .identity(try expression(base))
        case .arithmetic(let sign, let left, let right):
            return .arithmetic(sign, try expression(left), try expression(right))
        case .negative(let value): return .negative(try expression(value))
        case .conditional(let test, let then, let otherwise):
            return .conditional(
                test: try expression(test), then: try expression(then), otherwise: try expression(otherwise))
        case .coalesce(let first, let second): return .coalesce(try expression(first), try expression(second))
        case .member(let members, let place): return .member(try collection(members), at: place)
        case .count(let members): return .count(try collection(members))
        case .aggregate(let function, let members, let variable, let operand):
            return .aggregate(function, try collection(members), variable, try expression(operand))
        case .textOrder(let order, let left, let right):
            return .textOrder(order, try expression(left), try expression(right))
        case .textLength(let text): return .textLength(try expression(text))
        case .function(let function, let arguments): return .function(function, try expressions(arguments))
        case .compare(let sign, let left, let right):
            return .compare(sign, try expression(left), try expression(right))
        case .and(let parts): return .and(try expressions(parts))
        case .or(let parts): return .or(try expressions(parts))
        case .not(let test): return .not(try expression(test))
        case .isMember(let value, let list): return .isMember(try expression(value), of: list)
        case .text(let test, let left, let right): return .text(test, try expression(left), try expression(right))
        case .isKind(let base, let entityIndex): return try isKind(base, entityIndex)
        case .exists(let members, let variable, let test):
            return .exists(try collection(members), variable, try expression(test))
        case .all(let members, let variable, let test):
            return .all(try collection(members), variable, try expression(test))
        }
    }

    private func expressions(_ parts: [QueryExpression]) throws(EntityElsewhere) -> [QueryExpression] {
        var renumbered: [QueryExpression] = []
        renumbered.reserveCapacity(parts.count)
        for part in parts { renumbered.append(try expression(part)) }
        return renumbered
    }

    /// No object of the part is of an entity left out.
    private func isKind(_ base: QueryExpression, _ entityIndex: Int) throws(EntityElsewhere) -> QueryExpression {
        let base = try expression(base)
        guard let renumbered = try? index(entityIndex) else { return .constant(false) }
        return .isKind(base, entityIndex: renumbered)
    }

    private func collection(_ whole: QueryCollection) throws(EntityElsewhere) -> QueryCollection {
        switch whole {
        case .toMany(let base, let reference): return .toMany(try expression(base), try self.reference(reference))
        case .filtered(let inner, let variable, let test):
            return .filtered(try collection(inner), variable, try expression(test))
        case .joined(let first, let variable, let second):
            return .joined(try collection(first), variable, try collection(second))
        }
    }

    private func reference(_ whole: RelationshipReference) throws(EntityElsewhere) -> RelationshipReference {
        RelationshipReference(entityIndex: try index(whole.entityIndex), index: whole.index, name: whole.name)
    }
}

/// An entity that is not among those a store keeps.
package struct EntityElsewhere: Error, Hashable, CustomStringConvertible {
    package let entity: String

    package var description: String {
        "Entity '\(entity)' is kept in another store; a query reads the entities of one store only. Fetch them one "
            + "after the other."
    }
}
