/// What the results of a query depend on, as a tree: the fetched objects, and the objects at the ends of relationships
/// that the query follows from there, each with the properties that are read of it.
///
/// A change of an object at a node concerns the fetched objects that refer to it through the node's relationships.
struct LiveDependencies {
    struct Node {
        let entityIndex: Int
        /// The relationship whose destination this is, and the node of its owners; `nil` for the fetched objects.
        let link: Link?
        /// Includes the existence of the object.
        var mask = PropertyMask.existence
    }

    struct Link: Hashable {
        let parent: Int
        let relationship: RelationshipReference
        /// Whether deleting a destination leaves the objects that refer to it unchanged. Once it is deleted, these
        /// cannot be determined.
        let isLostSilently: Bool
    }

    /// The fetched objects are first; a parent precedes its children.
    private(set) var nodes: [Node]
    /// What cannot be followed: any change then requires a fetch. `nil` if everything can.
    private(set) var obstacle: Obstacle?

    enum Obstacle: Sendable, Hashable {
        /// A derived attribute with values of other objects changes without a change of its row.
        case derivedAttribute
        /// The query names properties that the model lacks.
        case unknownProperty
    }

    private let model: Model
    private var nodesOfVariable: [QueryVariable: [Int]] = [.root: [0]]

    init(_ query: LiveQuery, in model: Model) {
        self.model = model
        nodes = [Node(entityIndex: query.query.entityIndex, link: nil)]
        if let predicate = query.query.predicate { visit(predicate) }
        for key in query.query.sort { visit(key.expression) }
        for expression in query.alsoRead { visit(expression) }
        if query.updates == .ofAllProperties { nodes[0].mask = .all }
    }

    /// Whether the results depend on other objects than the fetched ones.
    var readsOtherObjects: Bool { nodes.count > 1 }

    /// The relationships to follow from the fetched objects, as paths of names.
    var paths: [[String]] { nodes.indices.dropFirst().map(path) }

    private func path(to node: Int) -> [String] {
        guard let link = nodes[node].link else { return [] }
        return path(to: link.parent) + [link.relationship.name]
    }
}

// MARK: - Search

extension LiveDependencies {
    private mutating func visit(_ expression: QueryExpression) {
        switch expression {
        case .variable, .toOne, .cast, .member:
            _ = objects(expression)
        case .attribute(let base, let attribute):
            note(attribute, of: objects(base))
        case .identity(let base), .isKind(let base, _):
            _ = objects(base)
        case .count(let collection):
            _ = members(collection)
        case .aggregate(_, let collection, let variable, let body), .exists(let collection, let variable, let body),
            .all(let collection, let variable, let body):
            nodesOfVariable[variable] = members(collection)
            visit(body)
        default:
            for child in expression.children { visit(child) }
        }
    }

    /// Returns the nodes of the objects that an expression may be.
    private mutating func objects(_ expression: QueryExpression) -> [Int] {
        switch expression {
        case .variable(let variable): return nodesOfVariable[variable] ?? []
        case .cast(let base, _): return objects(base)
        case .toOne(let base, let relationship): return follow(relationship, from: objects(base))
        case .member(let collection, _): return members(collection)
        case .conditional(let test, let then, let otherwise):
            visit(test)
            return objects(then) + objects(otherwise)
        case .coalesce(let first, let second): return objects(first) + objects(second)
        default:
            visit(expression)
            return []
        }
    }

    private mutating func members(_ collection: QueryCollection) -> [Int] {
        switch collection {
        case .toMany(let owner, let relationship):
            return follow(relationship, from: objects(owner))
        case .filtered(let inner, let variable, let test):
            let found = members(inner)
            nodesOfVariable[variable] = found
            visit(test)
            return found
        case .joined(let first, let variable, let second):
            nodesOfVariable[variable] = members(first)
            return members(second)
        }
    }

    private mutating func note(_ attribute: AttributeReference, of owners: [Int]) {
        guard let entity = model.entity(at: attribute.entityIndex), entity.slots.indices.contains(attribute.slot) else {
            obstacle = obstacle ?? .unknownProperty
            return
        }
        for node in owners { nodes[node].mask.insert(slot: attribute.slot) }
        guard entity.derivedSlots.contains(attribute.slot) else { return }
        let derived = entity.attributes.first { $0.slots.contains(attribute.slot) }
        let value = derived.flatMap { try? model.derivedValue(of: $0, entity) }
        if value?.hops.isEmpty != true { obstacle = obstacle ?? .derivedAttribute }
    }

    private mutating func follow(_ reference: RelationshipReference, from owners: [Int]) -> [Int] {
        guard let entity = model.entity(at: reference.entityIndex),
            entity.relationships.indices.contains(reference.index)
        else {
            obstacle = obstacle ?? .unknownProperty
            return []
        }
        let relationship = entity.relationships[reference.index]
        var found: [Int] = []
        for owner in owners {
            nodes[owner].mask.insert(relationship)
            let link = Link(
                parent: owner, relationship: reference, isLostSilently: !relationship.losesDeletedDestinations)
            if let known = nodes.firstIndex(where: { $0.link == link }) {
                found.append(known)
            } else {
                found.append(nodes.count)
                nodes.append(Node(entityIndex: relationship.destinationIndex, link: link))
            }
        }
        return found
    }
}
