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
        var count: Int
        /// Steps from what was asked for.
        let level: Int
        /// Relationships that lead to rows of the same entity, and how many.
        var loops: [(name: String, count: Int)] = []
    }

    struct Edge: Sendable {
        let from: Int
        let to: Int
        let relationship: String
        /// `cascade`, `becomes nil`, `deny`.
        let rule: String
        let count: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private let model: Model

    init(_ plan: DeletePlan, _ model: Model) {
        self.model = model
        addWhatGoes(plan)
        // What would be cut loose hides what is in the way.
        if plan.isRefused { addObstacles(plan) } else { addWhatStays(plan) }
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
                nodes[own].count += reach.count
                nodes[own].loops.append((via.relationship, reach.count))
                continue
            }
            let to = addCount(reach.count, reach.entity, .goes, level: nodes[from].level + 1)
            edges.append(
                Edge(from: from, to: to, relationship: via.relationship, rule: "cascade", count: reach.count))
        }
    }

    @discardableResult
    private mutating func addCount(_ count: Int, _ entity: String, _ kind: Node.Kind, level: Int) -> Int {
        if let known = place(of: entity) {
            nodes[known].count += count
            return known
        }
        nodes.append(Node(entity: entity, kind: kind, count: count, level: level))
        return nodes.count - 1
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
        let from: Int
    }

    private mutating func addWhatStays(_ plan: DeletePlan) {
        var order: [Survivors] = []
        var links: [Survivors: [ClearedLink]] = [:]
        for link in plan.cleared {
            guard
                let relationship = model.entity(named: link.name.entity)?.relationship(named: link.name.relationship),
                let from = place(whoHas: relationship.relationship.destinationName)
            else { continue }
            let survivors = Survivors(entity: link.space.entityName, from: from)
            if links[survivors] == nil { order.append(survivors) }
            links[survivors, default: []].append(link)
        }
        for survivors in order {
            let own = links[survivors] ?? []
            let keys = own.reduce(KeySet()) { $0.union($1.keys) }
            nodes.append(
                Node(
                    entity: survivors.entity, kind: .stays, count: keys.count, level: nodes[survivors.from].level + 1))
            for link in own {
                edges.append(
                    Edge(
                        from: survivors.from, to: nodes.count - 1, relationship: link.name.relationship,
                        rule: link.kind == .toOne ? "becomes nil" : "loses members", count: link.keys.count))
            }
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
                    from: from, to: nodes.count - 1, relationship: refusal.relationship.relationship, rule: rule,
                    count: refusal.count))
        }
    }
}
