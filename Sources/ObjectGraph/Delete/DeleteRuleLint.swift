/// Finds effects of a model's delete rules that its author may not have intended.
///
/// 1. A `.nullify` whose inverse is to-one and mandatory. Not if both are to-one and the inverse cascades, as the
///    destination is then a part that is deleted with its whole.
/// 2. Cascades, or denials, at both ends of a pair.
/// 3. A to-many relationship without an inverse, unless it cascades: its storage is meant for members of one owner that
///    are deleted with it.
/// 4. Cycles of cascades through several entity hierarchies by relationships that are not each other's inverses. Within
///    one hierarchy, that is a tree.
/// 5. Counts that cannot be satisfied. Only these can never work: in all other cases, objects can be deleted in some
///    order or together.
///
/// Each is reported once: for two ends at the first, for a hierarchy at the entity that declares the relationship.
package enum DeleteRuleLint {
    /// Returns the warnings in the order of the entities and their relationships; cycles last.
    package static func warnings(of model: Model) -> [DeleteRuleWarning] {
        let declared = model.entities.flatMap { entity in
            entity.relationships.filter { $0.declaringIndex == entity.index && !$0.relationship.isTransient }
        }
        var reported: Set<DeclaredRelationship> = []
        var warnings: [DeleteRuleWarning] = []
        for relationship in declared {
            warnings += alone(relationship, model)
            guard let inverse = model.inverse(of: relationship), !reported.contains(inverse.place) else { continue }
            reported.insert(relationship.place)
            warnings += pair(relationship, inverse, model)
        }
        return warnings + CascadeCycles(declared, model).warnings
    }

    private static func alone(_ relationship: EntityRelationship, _ model: Model) -> [DeleteRuleWarning] {
        guard !relationship.isToOne else { return [] }
        let rule = relationship.relationship
        let end = model.end(relationship)
        var warnings: [DeleteRuleWarning] = []
        if rule.inverseName == nil, !relationship.deletesDestinations {
            warnings.append(.toManyWithoutInverse(end, destination: rule.destinationName))
        }
        if let most = rule.mostCount, rule.leastCount > most {
            warnings.append(
                .countsInverted(end, minimum: rule.leastCount, maximum: most, isOptional: rule.isOptional))
        }
        return warnings
    }

    private static func pair(
        _ relationship: EntityRelationship, _ inverse: EntityRelationship, _ model: Model
    ) -> [DeleteRuleWarning] {
        let (end, other) = (model.end(relationship), model.end(inverse))
        switch (DeleteRules.effect(of: relationship), DeleteRules.effect(of: inverse)) {
        case (.deleteDestinations, .deleteDestinations): return [.cascadeBothWays(end, other)]
        case (.refuse, .refuse): return [.denyBothWays(end, other)]
        default: break
        }
        if nullifiesMandatory(relationship, inverse) { return [.nullifyMandatory(end, mandatory: other)] }
        if nullifiesMandatory(inverse, relationship) { return [.nullifyMandatory(other, mandatory: end)] }
        return []
    }

    /// Whether deleting an owner nullifies a mandatory reference.
    private static func nullifiesMandatory(_ relationship: EntityRelationship, _ inverse: EntityRelationship) -> Bool {
        guard relationship.nullifiesInverse, inverse.isToOne, !inverse.relationship.isOptional else { return false }
        return !(relationship.isToOne && inverse.deletesDestinations)
    }
}

/// The cascades of a model, and the possible successors of each.
private struct CascadeCycles {
    private let model: Model
    private let cascades: [EntityRelationship]
    /// By position: the positions of the cascades that an object deleted by this cascade may cause, except for its
    /// inverse.
    private let followers: [[Int]]
    private let inverses: [Int?]

    init(_ declared: [EntityRelationship], _ model: Model) {
        let cascades = declared.filter(\.deletesDestinations)
        let positions = Dictionary(
            cascades.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        let byRoot = Dictionary(grouping: cascades.indices) { model[cascades[$0].declaringIndex].rootIndex }
        let inverses = cascades.map { model.inverse(of: $0).flatMap { positions[$0.place] } }
        self.model = model
        self.cascades = cascades
        self.inverses = inverses
        followers = cascades.enumerated().map { position, cascade in
            let reached = cascade.destinationIndex
            return (byRoot[model[reached].rootIndex] ?? []).filter { follower in
                let owner = cascades[follower].declaringIndex
                return follower != inverses[position]
                    && (model.isKind(reached, of: owner) || model.isKind(owner, of: reached))
            }
        }
    }

    /// The shortest cycle from each cascade that leaves its hierarchy, unless an earlier warning contains the cascade.
    var warnings: [DeleteRuleWarning] {
        var reported: Set<Int> = []
        var warnings: [DeleteRuleWarning] = []
        for start in cascades.indices where leavesHierarchy(cascades[start]) && !reported.contains(start) {
            guard let cycle = cycle(from: start) else { continue }
            reported.formUnion(cycle)
            warnings.append(.cascadeCycle(cycle.map { model.end(cascades[$0]) }))
        }
        return warnings
    }

    private func leavesHierarchy(_ cascade: EntityRelationship) -> Bool {
        model[cascade.declaringIndex].rootIndex != model[cascade.destinationIndex].rootIndex
    }

    /// A breadth-first search. A path never contains both directions of a pair of inverses.
    private func cycle(from start: Int) -> [Int]? {
        var origins: [Int: Int] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let current = queue[next]
            next += 1
            let way = way(to: current, origins)
            for follower in followers[current] {
                if follower == start { return way }
                if let inverse = inverses[follower], way.contains(inverse) { continue }
                guard origins[follower] == nil else { continue }
                origins[follower] = current
                queue.append(follower)
            }
        }
        return nil
    }

    private func way(to last: Int, _ origins: [Int: Int]) -> [Int] {
        var way = [last]
        while let current = way.last, let origin = origins[current] { way.append(origin) }
        return way.reversed()
    }
}

/// A relationship by the entity that declares it.
private struct DeclaredRelationship: Hashable {
    let entityIndex: Int
    let name: String
}

extension EntityRelationship {
    fileprivate var place: DeclaredRelationship { DeclaredRelationship(entityIndex: declaringIndex, name: name) }
}

extension Model {
    /// Returns the relationship's end as named in warnings.
    package func end(_ relationship: EntityRelationship) -> DeleteRuleWarning.End {
        DeleteRuleWarning.End(self[relationship.declaringIndex].name, relationship.name)
    }
}
