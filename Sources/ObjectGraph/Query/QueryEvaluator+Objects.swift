/// Objects and collections. The destination of a missing object is missing, too.
extension QueryEvaluator {
    func object(_ expression: QueryExpression, _ bindings: Bindings) throws -> Object? {
        switch expression {
        case .variable(let variable):
            return bindings[variable]
        case .toOne(let base, let relationship):
            guard let owner = try object(base, bindings), isKind(owner, relationship.entityIndex) else { return nil }
            return try source.destination(of: owner, relationship: relationship.index)
        case .cast(let base, let entityIndex):
            guard let object = try object(base, bindings), isKind(object, entityIndex) else { return nil }
            return object
        case .member(let collection, let place):
            let members = try members(collection, bindings)
            switch place {
            case .last: return members.last
            case .index(let index): return members.indices.contains(index) ? members[index] : nil
            }
        case .conditional(let condition, let then, let otherwise):
            return try object(try test(condition, bindings) ? then : otherwise, bindings)
        case .coalesce(let first, let second):
            return try object(first, bindings) ?? object(second, bindings)
        default:
            return nil
        }
    }

    func isKind(_ object: Object, _ entityIndex: Int) -> Bool {
        source.model.isKind(source.entityIndex(of: object), of: entityIndex)
    }

    func members(_ collection: QueryCollection, _ bindings: Bindings) throws -> [Object] {
        switch collection {
        case .toMany(let base, let relationship):
            guard let owner = try object(base, bindings), isKind(owner, relationship.entityIndex) else { return [] }
            return try source.members(of: owner, relationship: relationship.index)
        case .filtered(let inner, let variable, let condition):
            return try members(inner, bindings).filter { member in
                try test(condition, bindings.binding(variable, to: member))
            }
        case .joined(let first, let variable, let second):
            return try members(first, bindings).flatMap { member in
                try members(second, bindings.binding(variable, to: member))
            }
        }
    }
}
