import ObjectGraph

/// Links of to-many relationships that no to-one key tells, gathered so that each is told once: from the end whose
/// relationship comes first, or from the ordered one.
struct LinkCollection {
    private struct End: Hashable {
        let owner: Int
        let relationshipIndex: Int
    }

    private struct Pair: Hashable {
        let end: End
        let member: Int
    }

    private var members: [End: [Int]] = [:]
    private var ends: [End] = []
    private var known: Set<Pair> = []
    private var ordered: Set<End> = []

    /// - Parameters: places of rows.
    mutating func add(_ owner: Int, _ relationship: EntityRelationship, _ targets: [Int], _ model: Model) {
        let end = End(owner: owner, relationshipIndex: relationship.index)
        let isOrdered = relationship.relationship.isOrdered
        if isOrdered { return setOrder(of: owner, relationship, targets) }
        guard let inverse = model.inverse(of: relationship) else { return targets.forEach { note(end, $0) } }
        let own = (relationship.declaringIndex, relationship.name)
        let other = (inverse.declaringIndex, inverse.name)
        let isFirst = !inverse.relationship.isOrdered && own <= other
        for target in targets {
            if isFirst {
                note(end, target)
            } else {
                note(End(owner: target, relationshipIndex: inverse.index), owner)
            }
        }
    }

    /// What the ordered end itself tells: its members come first and in this order, before any that other rows told
    /// earlier.
    mutating func setOrder(of owner: Int, _ relationship: EntityRelationship, _ targets: [Int]) {
        let end = End(owner: owner, relationshipIndex: relationship.index)
        ordered.insert(end)
        let toldEarlier = members.removeValue(forKey: end) ?? []
        if !toldEarlier.isEmpty {
            for member in toldEarlier { known.remove(Pair(end: end, member: member)) }
            members[end] = []
        }
        for target in targets + toldEarlier { note(end, target) }
    }

    private mutating func note(_ end: End, _ member: Int) {
        guard known.insert(Pair(end: end, member: member)).inserted else { return }
        if members[end] == nil { ends.append(end) }
        members[end, default: []].append(member)
    }

    func changes(ids: [ObjectID], entities: [Entity], model: Model) -> [ChangeSet.LinkChange] {
        ends.map { end in
            let found = (members[end] ?? []).map { ids[$0] }
            return ChangeSet.LinkChange(
                owner: ids[end.owner], ownerEntityIndex: entities[end.owner].index,
                relationshipIndex: end.relationshipIndex, added: found, removed: [],
                order: ordered.contains(end) ? found : nil)
        }
    }
}
