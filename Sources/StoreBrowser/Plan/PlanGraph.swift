import ObjectGraph
import StoreInspection

/// A delete plan as boxes and arrows: what goes, by which rule it was reached, what is cut loose, what stands in the way.
struct PlanGraph: Sendable {
    struct Node: Sendable {
        enum Kind: String, Sendable {
            /// Goes because it was asked for.
            case asked
            /// Goes because a rule led there.
            case goes
            /// Stays and loses a link.
            case stays
            /// Stands in the way.
            case blocks
        }

        let entity: String
        let kind: Kind
        /// Rows of this kind: those asked for do not have among them what rules lead to.
        var count: Int
        /// Steps from what was asked for.
        let level: Int
        /// Relationships that lead to rows of the same entity, and how many.
        var loops: [(name: String, count: Int)] = []
        /// Of what was asked for: further rows of the same entity, which rules lead to.
        var along = 0

        var total: Int { count + along }
    }

    struct Edge: Sendable {
        /// Several where it was not looked up which of them the links lead to.
        let from: [Int]
        let to: Int
        let relationship: String
        /// `cascade`, `becomes nil`, `deny`.
        let rule: String
        let count: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private let model: Model

    /// - Parameter ends: what the links that are cut lead to, as far as it was looked up.
    init(_ plan: DeletePlan, _ model: Model, _ ends: CutEnds = CutEnds()) {
        self.model = model
        addWhatGoes(plan)
        // What would be cut loose hides what is in the way.
        if plan.isRefused { addObstacles(plan) } else { addWhatStays(plan, ends) }
    }

    // MARK: What goes

    private mutating func addWhatGoes(_ plan: DeletePlan) {
        for reach in plan.reaches {
            guard let via = reach.via else {
                addCount(reach.count, reach.entity, .asked, level: 0)
                continue
            }
            let from = place(whoHas: via.entity) ?? 0
            guard nodes.indices.contains(from) else { continue }
            if let own = place(of: reach.entity), own == from {
                addLed(reach.count, to: own)
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
            if kind == .goes { addLed(count, to: known) } else { nodes[known].count += count }
            return known
        }
        nodes.append(Node(entity: entity, kind: kind, count: count, level: level))
        return nodes.count - 1
    }

    /// Rows that a rule led to.
    private mutating func addLed(_ count: Int, to place: Int) {
        if nodes[place].kind == .asked { nodes[place].along += count } else { nodes[place].count += count }
    }

    /// Of the box of an entity that goes.
    private func place(of entity: String) -> Int? {
        nodes.firstIndex { $0.entity == entity && ($0.kind == .asked || $0.kind == .goes) }
    }

    /// The same for an entity that may be above or below it.
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

    // MARK: What stays

    private struct Survivors: Hashable {
        let entity: String
        let from: [Int]
    }

    /// Boxes of the entity and of those below it: links that lead to it may lead to any of them.
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

    private mutating func addWhatStays(_ plan: DeletePlan, _ ends: CutEnds) {
        var order: [Survivors] = []
        var links: [Survivors: [ClearedLink]] = [:]
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

    /// An arrow to the last box, from each that the links lead to; from all of them where that is not known.
    private mutating func addCut(_ link: ClearedLink, _ from: [Int], _ ends: CutEnds) {
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
