import ObjectGraph
import StoreInspection

/// A delete plan as boxes and arrows: deleted rows with the rule that reaches them, nullified links, and blocking rows.
struct PlanGraph: Sendable {
    struct Node: Sendable {
        enum Kind: String, Sendable {
            /// A root of the delete.
            case asked
            /// Deleted by cascade.
            case goes
            /// Survives and loses a link.
            case stays
            /// Blocks the delete.
            case blocks
        }

        let entity: String
        let kind: Kind
        /// The number of rows. The count of a root box excludes rows deleted by cascade.
        var count: Int
        /// The distance from the roots.
        let level: Int
        /// Relationships from the entity to itself, with the number of rows deleted along them.
        var loops: [(name: String, count: Int)] = []
        /// In a root box, further rows of the same entity deleted by cascade.
        var along = 0

        var total: Int { count + along }
    }

    struct Edge: Sendable {
        /// Several boxes if it was not examined which of them the links point to.
        let from: [Int]
        let to: Int
        let relationship: String
        /// The rule's effect: `cascade`, `becomes nil`, `deny`.
        let rule: String
        let count: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private let model: Model

    /// - Parameter ends: the deleted entities that nullified links pointed to, as far as they were examined.
    init(_ plan: DeletePlan, _ model: Model, _ ends: CutEnds = CutEnds()) {
        self.model = model
        addDeletedRows(plan)
        // A refused plan shows blockers only, as nullified links would hide them.
        if plan.isRefused { addObstacles(plan) } else { addSurvivors(plan, ends) }
    }

    // MARK: Deleted rows

    private mutating func addDeletedRows(_ plan: DeletePlan) {
        for reach in plan.reaches {
            guard let via = reach.via else {
                addCount(reach.count, reach.entity, .asked, level: 0)
                continue
            }
            let from = place(whoHas: via.entity) ?? 0
            guard nodes.indices.contains(from) else { continue }
            if let own = place(of: reach.entity), own == from {
                addCascaded(reach.count, to: own)
                nodes[own].loops.append((via.relationship, reach.count))
                continue
            }
            let to = addCount(reach.count, reach.entity, .goes, level: nodes[from].level + 1)
            edges.append(
                Edge(from: [from], to: to, relationship: via.relationship, rule: "cascade", count: reach.count))
        }
    }

    @discardableResult
    private mutating func addCount(_ count: Int, _ entity: String, _ kind: Node.Kind, level: Int) -> Int {
        if let known = place(of: entity) {
            if kind == .goes { addCascaded(count, to: known) } else { nodes[known].count += count }
            return known
        }
        nodes.append(Node(entity: entity, kind: kind, count: count, level: level))
        return nodes.count - 1
    }

    /// Adds rows deleted by cascade.
    private mutating func addCascaded(_ count: Int, to place: Int) {
        if nodes[place].kind == .asked { nodes[place].along += count } else { nodes[place].count += count }
    }

    /// The box of a deleted entity.
    private func place(of entity: String) -> Int? {
        nodes.firstIndex { $0.entity == entity && ($0.kind == .asked || $0.kind == .goes) }
    }

    /// The box of a deleted entity, or else of a superentity or subentity of it.
    private func place(whoHas entity: String) -> Int? {
        if let exact = place(of: entity) { return exact }
        guard let wanted = model.entity(named: entity) else { return nil }
        return nodes.firstIndex { node in
            guard node.kind == .asked || node.kind == .goes, let own = model.entity(named: node.entity) else {
                return false
            }
            return model.isKind(own.index, of: wanted.index) || model.isKind(wanted.index, of: own.index)
        }
    }

    // MARK: Surviving rows

    private struct Survivors: Hashable {
        let entity: String
        let from: [Int]
    }

    /// The boxes of an entity and its subentities: links to the entity may point to any of them.
    private func places(whichAre entity: String) -> [Int] {
        guard let wanted = model.entity(named: entity) else { return [] }
        let found = nodes.indices.filter { place in
            let node = nodes[place]
            guard node.kind == .asked || node.kind == .goes, let own = model.entity(named: node.entity) else {
                return false
            }
            return model.isKind(own.index, of: wanted.index)
        }
        return found.isEmpty ? [place(whoHas: entity)].compactMap { $0 } : found
    }

    private mutating func addSurvivors(_ plan: DeletePlan, _ ends: CutEnds) {
        var order: [Survivors] = []
        var links: [Survivors: [NullifiedLink]] = [:]
        for link in plan.cleared {
            guard
                let relationship = model.entity(named: link.name.entity)?.relationship(named: link.name.relationship)
            else { continue }
            let from = places(whichAre: relationship.relationship.destinationName)
            guard !from.isEmpty else { continue }
            let survivors = Survivors(entity: link.space.entityName, from: from)
            if links[survivors] == nil { order.append(survivors) }
            links[survivors, default: []].append(link)
        }
        for survivors in order {
            let own = links[survivors] ?? []
            let keys = own.reduce(KeySet()) { $0.union($1.keys) }
            let level = survivors.from.map { nodes[$0].level }.max() ?? 0
            nodes.append(Node(entity: survivors.entity, kind: .stays, count: keys.count, level: level + 1))
            for link in own { addCut(link, survivors.from, ends) }
        }
    }

    /// Adds an arrow to the last box from each box that the links point to, or from all of them if that is unknown.
    private mutating func addCut(_ link: NullifiedLink, _ from: [Int], _ ends: CutEnds) {
        let rule = link.kind == .toOne ? "becomes nil" : "loses members"
        func edge(_ from: [Int], _ count: Int) -> Edge {
            Edge(
                from: from, to: nodes.count - 1, relationship: link.name.relationship, rule: rule, count: count)
        }
        let known = from.compactMap { place in ends.count(of: link, to: nodes[place].entity).map { (place, $0) } }
        if known.isEmpty {
            edges.append(edge(from, link.keys.count))
        } else {
            edges += known.map { edge([$0.0], $0.1) }
        }
    }

    private mutating func addObstacles(_ plan: DeletePlan) {
        for refusal in plan.refusals {
            guard let from = place(whoHas: refusal.relationship.entity) else { continue }
            let destination = model.entity(named: refusal.relationship.entity)?
                .relationship(named: refusal.relationship.relationship)?.relationship.destinationName
            let rule =
                switch refusal.reason {
                case .denied: "deny"
                case .mandatory: "must not be empty"
                case .tooFew(_, let minimum): "needs \(minimum)"
                }
            let entity = refusal.examples.first?.entityName ?? destination ?? refusal.relationship.entity
            nodes.append(Node(entity: entity, kind: .blocks, count: refusal.count, level: nodes[from].level + 1))
            edges.append(
                Edge(
                    from: [from], to: nodes.count - 1, relationship: refusal.relationship.relationship, rule: rule,
                    count: refusal.count))
        }
    }
}
