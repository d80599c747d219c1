import ObjectGraph
import StoreTestSupport

@testable import SQLiteStore

/// One cell of the matrix: a relationship of one shape, with one rule and the given inverse.
struct DeleteMatrixCell: CustomStringConvertible, Sendable {
    enum Shape: CaseIterable { case oneToOne, oneToMany, manyToMany, selfReferential, inherited, ordered }
    enum Inverse: CaseIterable { case optional, mandatory, none }

    let shape: Shape
    let rule: DeleteRule
    let inverse: Inverse
    let limit: Int?
    let isInSet: Bool

    static let all: [DeleteMatrixCell] = Shape.allCases.flatMap { shape in
        DeleteRule.allCases.flatMap { rule in
            Inverse.allCases.flatMap { inverse in
                [nil, 2].flatMap { limit in
                    [false, true].map {
                        DeleteMatrixCell(shape: shape, rule: rule, inverse: inverse, limit: limit, isInSet: $0)
                    }
                }
            }
        }
    }

    var description: String {
        "\(shape), \(rule), inverse \(inverse), \(limit.map { "limit \($0)" } ?? "no limit"), "
            + (isInSet ? "two stores" : "one store")
    }

    // MARK: Expected result

    /// Whether the delete is refused.
    var isRefused: Bool { rule == .deny || (rule == .nullify && inverse == .mandatory) }
    /// Whether the destinations are deleted too.
    var takesDestinations: Bool { rule == .cascade }
    /// Whether survivors lose their references, with a new version.
    var clearsDestinations: Bool { rule == .nullify && inverse == .optional }
    var isToMany: Bool { shape != .oneToOne }
    /// Destinations of each owner.
    var width: Int { isToMany ? 2 : 1 }

    // MARK: Model

    var ownerName: String { shape == .inherited ? "SubOwner" : "Owner" }
    var memberName: String {
        switch shape {
        case .selfReferential: "Owner"
        case .inherited: "SubMember"
        default: "Member"
        }
    }

    /// For self-referential rows, the relationship is declared in the superentity.
    private var declaredMember: String { shape == .selfReferential ? "Owner" : "Member" }

    private static func entity(_ name: String, _ superentity: String? = nil) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = [Attribute("number\(name)", .integer64, optional: true)]
        return description
    }

    /// The first entity, unrelated, in a store of its own if there are two.
    static let bystander = entity("Bystander")

    var descriptions: [EntityDescription] {
        var owner = Self.entity("Owner")
        var member = Self.entity(declaredMember)
        var there = Relationship(
            "members", to: declaredMember, isToMany ? .toMany : .toOne, inverse: inverse == .none ? nil : "owner",
            deleteRule: rule)
        there.isOrdered = shape == .ordered
        var back = Relationship(
            "owner", to: "Owner", shape == .manyToMany ? .toMany : .toOne, inverse: "members")
        if inverse == .mandatory {
            back.isOptional = false
            if shape == .manyToMany { back.minimumCount = 1 }
        }
        owner.relationships.append(there)
        if shape == .selfReferential {
            if inverse != .none { owner.relationships.append(back) }
            return [owner]
        }
        if inverse != .none { member.relationships.append(back) }
        if shape != .inherited { return [owner, member] }
        return [owner, member, Self.entity("SubOwner", "Owner"), Self.entity("SubMember", "Member")]
    }
}

/// The store or stores of a cell: four owners, each with its members, and a few rows beside them.
final class DeleteMatrixStore {
    let cell: DeleteMatrixCell
    let model: Model
    let store: any Store
    /// The store with the cell's rows.
    let own: SQLiteStore
    let owners: [ObjectID]
    let members: [[ObjectID]]
    let bystander: ObjectID

    init(_ cell: DeleteMatrixCell) throws {
        self.cell = cell
        model = try Model([DeleteMatrixCell.bystander] + cell.descriptions)
        if cell.isInSet {
            own = try SQLiteStore(
                model: try model.restricted(to: Set(cell.descriptions.map(\.name))), location: .memory)
            let other = try SQLiteStore(
                model: try model.restricted(to: [DeleteMatrixCell.bystander.name]), location: .memory)
            store = StoreView(try StoreGroup(model: model, stores: [own, other]))
        } else {
            own = try SQLiteStore(model: model, location: .memory)
            store = own
        }
        let graph = Graph(model: model, store: store, face: TestFace())
        (owners, members, bystander) = try Self.fill(graph, cell, model)
    }

    private static func fill(
        _ graph: Graph, _ cell: DeleteMatrixCell, _ model: Model
    ) throws -> ([ObjectID], [[ObjectID]], ObjectID) {
        guard let owner = model.entity(named: cell.ownerName), let member = model.entity(named: cell.memberName),
            let relationship = owner.relationship(named: "members")
        else { throw Difference(text: "no such entities") }
        func insert(_ entity: Entity, _ number: Int) -> Graph.Member {
            let new = newMember(entity)
            new.record.initializeValue(.integer(Int64(number)), at: 0)
            graph.insert(new)
            return new
        }
        let bystander = insert(model[0], 0).record
        let owners = (1...4).map { insert(owner, $0) }
        let members = owners.map { _ in (0..<cell.width).map { insert(member, 100 + $0) } }
        for (owner, members) in zip(owners, members) { Graph.link(owner, relationship, to: members) }
        if cell.shape == .selfReferential, cell.inverse == .mandatory, let back = owner.relationship(named: "owner") {
            // Owners need an owner too: the last one owns all, itself included.
            for one in owners { Graph.link(one, back, to: [owners[3]]) }
        }
        try graph.save()
        return (owners.map(\.record.id), members.map { $0.map(\.record.id) }, bystander.id)
    }

    /// The owners, or the first ones.
    var query: Query {
        let entity = model.entity(named: cell.ownerName)
        var query = Query(entityIndex: entity?.index ?? 0)
        query.predicate = .compare(
            .less,
            .attribute(
                .variable(.root), AttributeReference(entityIndex: query.entityIndex, slot: 0, path: "number")),
            .literal(.integer(100)))
        query.limit = cell.limit
        return query
    }

    var asked: ArraySlice<ObjectID> { owners.prefix(cell.limit ?? owners.count) }

    func snapshots(_ ids: [ObjectID]) throws -> [ObjectID: Snapshot] {
        Dictionary(try store.snapshots(of: ids).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Owners of one member, by its own end.
    func owners(of member: Snapshot) throws -> [ObjectID]? {
        guard let entity = model.entity(named: cell.memberName), let back = entity.relationship(named: "owner") else {
            return nil
        }
        if let slot = back.slot {
            if case .reference(let id) = member.values[slot] { return [id] }
            return []
        }
        return try store.members(of: back.index, entityIndex: entity.index, owners: [member.id])[member.id] ?? []
    }

    /// Rows of join tables.
    func joinRowCount() throws -> Int? {
        guard let entity = own.model.entity(named: cell.ownerName),
            let relationship = entity.relationship(named: "members"),
            case .joinTable(let name, _, _, _)? = own.map.entities[entity.index].toMany[relationship.index]
        else { return nil }
        return try StoreDump(own)[name].count
    }
}
