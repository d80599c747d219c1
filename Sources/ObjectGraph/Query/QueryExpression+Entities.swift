/// The properties and entities that an expression reads, to determine whether unsaved changes can affect a query.
package struct QueryDependencies: Sendable, Hashable {
    package var attributes: Set<AttributeReference> = []
    package var relationships: Set<RelationshipReference> = []
    /// Entities of the objects read other than the fetched one: destinations of followed relationships. If none of
    /// these has unsaved changes, only the changed objects of the fetched entity can enter or leave the result.
    package var entitiesBeyondRoot: Set<Int> = []

    package init() {}

    /// All entities concerned: owners of the properties read, and destinations.
    package var entityIndexes: Set<Int> {
        entitiesBeyondRoot.union(attributes.map(\.entityIndex)).union(relationships.map(\.entityIndex))
    }

    /// Whether a change to an object of this entity, other than the fetched one, can change the result.
    package func readsBeyondRoot(_ entityIndex: Int, in model: Model) -> Bool {
        entitiesBeyondRoot.contains { model.isKind(entityIndex, of: $0) }
    }

    package mutating func formUnion(_ other: QueryDependencies) {
        attributes.formUnion(other.attributes)
        relationships.formUnion(other.relationships)
        entitiesBeyondRoot.formUnion(other.entitiesBeyondRoot)
    }
}

extension Query {
    /// Returns the dependencies of the predicate and the sort keys.
    package func dependencies(in model: Model) -> QueryDependencies {
        var found = predicate?.dependencies(in: model) ?? QueryDependencies()
        for key in sort { found.formUnion(key.expression.dependencies(in: model)) }
        return found
    }
}

extension QueryExpression {
    package func dependencies(in model: Model) -> QueryDependencies {
        var search = DependencySearch(model: model)
        search.visit(self)
        return search.found
    }

    /// The direct subexpressions, including those of collections.
    package var children: [QueryExpression] {
        switch self {
        case .variable, .literal, .constant: []
        case .toOne(let base, _), .cast(let base, _), .attribute(let base, _), .identity(let base), .negative(let base),
            .textLength(let base), .not(let base), .isMember(let base, _), .isKind(let base, _):
            [base]
        case .arithmetic(_, let left, let right), .coalesce(let left, let right), .textOrder(_, let left, let right),
            .compare(_, let left, let right), .text(_, let left, let right):
            [left, right]
        case .conditional(let test, let then, let otherwise): [test, then, otherwise]
        case .function(_, let arguments): arguments
        case .and(let parts), .or(let parts): parts
        case .count(let collection), .member(let collection, _): collection.children
        case .aggregate(_, let collection, _, let body), .exists(let collection, _, let body),
            .all(let collection, _, let body):
            collection.children + [body]
        }
    }

    /// The collection that this case iterates over.
    package var collection: QueryCollection? {
        switch self {
        case .count(let collection), .member(let collection, _), .aggregate(_, let collection, _, _),
            .exists(let collection, _, _), .all(let collection, _, _):
            collection
        default: nil
        }
    }
}

extension QueryCollection {
    /// The direct subexpressions.
    package var children: [QueryExpression] {
        switch self {
        case .toMany(let base, _): [base]
        case .filtered(let inner, _, let test): inner.children + [test]
        case .joined(let first, _, let second): first.children + second.children
        }
    }

    /// The relationship with these members, or some of them; `nil` if there are several.
    package var source: (owner: QueryExpression, relationship: RelationshipReference)? {
        switch self {
        case .toMany(let owner, let relationship): (owner, relationship)
        case .filtered(let inner, _, _): inner.source
        case .joined: nil
        }
    }
}

private struct DependencySearch {
    let model: Model
    var found = QueryDependencies()

    mutating func visit(_ expression: QueryExpression) {
        switch expression {
        case .attribute(let base, let attribute):
            found.attributes.insert(attribute)
            noteFollowed(base)
        case .toOne(let base, let relationship):
            found.relationships.insert(relationship)
            noteFollowed(base)
        case .isKind(let base, _), .cast(let base, _):
            noteFollowed(base)
        default:
            break
        }
        if let collection = expression.collection { note(collection) }
        for child in expression.children { visit(child) }
    }

    /// If the destination of a to-one relationship is read, not only compared, the result depends on that object.
    private mutating func noteFollowed(_ base: QueryExpression) {
        switch base {
        case .toOne(_, let relationship): noteDestination(of: relationship)
        case .cast(let inner, _): noteFollowed(inner)
        case .conditional(_, let then, let otherwise):
            noteFollowed(then)
            noteFollowed(otherwise)
        case .coalesce(let first, let second):
            noteFollowed(first)
            noteFollowed(second)
        default: break
        }
    }

    /// Changes of the destination may add or remove members, even if the link is stored at the other end.
    private mutating func note(_ collection: QueryCollection) {
        switch collection {
        case .toMany(let owner, let relationship):
            found.relationships.insert(relationship)
            noteDestination(of: relationship)
            noteFollowed(owner)
        case .filtered(let inner, _, _):
            note(inner)
        case .joined(let first, _, let second):
            note(first)
            note(second)
        }
    }

    private mutating func noteDestination(of reference: RelationshipReference) {
        guard model.has(reference.entityIndex) else { return }
        let relationships = model[reference.entityIndex].relationships
        guard relationships.indices.contains(reference.index) else { return }
        found.entitiesBeyondRoot.insert(relationships[reference.index].destinationIndex)
    }
}
