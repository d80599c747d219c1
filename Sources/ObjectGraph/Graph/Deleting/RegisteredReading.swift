/// Reads the objects that a context has in memory, for deletions that other contexts saved. Reads nothing from the
/// store; rows without a registered object are treated as missing.
final class RegisteredReading: DeleteReading {
    let model: Model
    private let graph: Graph
    private let isAsked: (Record) -> Bool
    /// Rows that others changed, too, and whose new values the context has not read: of their links, only unsaved ones count.
    private let outdated: RowSet
    /// Objects by the destinations of their to-one relationships; created at the first use.
    private lazy var referrers = makeReferrers()

    private struct Reference: Hashable {
        let destination: ObjectID
        /// The position in the `relationships` of the referring entity, and the root entity of its hierarchy.
        let relationshipIndex: Int
        let rootIndex: Int
    }

    /// - Parameter isAsked: Whether a destination is included.
    init(
        _ graph: Graph, _ model: Model, outdated: RowSet = RowSet(),
        among isAsked: @escaping (Record) -> Bool = { !$0.isDeleted }
    ) {
        self.model = model
        self.graph = graph
        self.isAsked = isAsked
        self.outdated = outdated
    }

    func entity(of space: IDSpace) -> Entity? { graph.entity(of: space) }

    func existing(_ rows: RowSet) throws -> RowSet {
        RowSet(rows.ids.filter { graph.registeredRecord(for: $0)?.isGone == false })
    }

    /// Uses both ends: members that have been read, and objects with a reference to an owner.
    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let relationship = model[place.entityIndex].relationships[place.index]
        var found: [ObjectID] = []
        for key in owners.keys.keys {
            guard let owner = graph.registeredRecord(for: ObjectID(space: owners.space, key: key)) else { continue }
            found += known(relationship, of: owner)
            if let inverse = model.inverse(of: relationship), inverse.isToOne {
                let reference = Reference(
                    destination: owner.id, relationshipIndex: inverse.index,
                    rootIndex: model[relationship.destinationIndex].rootIndex)
                found += referrers[reference] ?? []
            }
        }
        return Destinations(rows: RowSet(found.filter(isFound)))
    }

    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        let rootIndex = model[place.entityIndex].rootIndex
        let found = rows.keys.keys.flatMap { key in
            referrers[
                Reference(
                    destination: ObjectID(space: rows.space, key: key), relationshipIndex: place.index,
                    rootIndex: rootIndex)] ?? []
        }
        return RowSet(found.filter(isFound))
    }

    private func known(_ relationship: EntityRelationship, of owner: Record) -> [ObjectID] {
        if let index = relationship.toManyIndex {
            let members = owner.members(index)
            let current = members.current ?? []
            if outdated.isEmpty { return current }
            let added = Set(members.added.all)
            return current.filter { !outdated.contains($0) || added.contains($0) }
        }
        guard let slot = relationship.slot, slot < owner.values.count, case .reference(let id) = owner.values[slot]
        else { return [] }
        return [id]
    }

    private func isFound(_ id: ObjectID) -> Bool {
        graph.registeredRecord(for: id).map { isAsked($0) && !$0.isGone } ?? false
    }

    private func makeReferrers() -> [Reference: [ObjectID]] {
        var referrers: [Reference: [ObjectID]] = [:]
        for record in graph.registeredRecords where !record.isFault && isAsked(record) && !record.isGone {
            for relationship in record.entity.toOneRelationships where relationship.inverseIndex != nil {
                guard let slot = relationship.slot, slot < record.values.count,
                    case .reference(let id) = record.values[slot],
                    !outdated.contains(record.id) || record.hasLinkChanges(relationship)
                else { continue }
                let reference = Reference(
                    destination: id, relationshipIndex: relationship.index, rootIndex: record.entity.rootIndex)
                referrers[reference, default: []].append(record.id)
            }
        }
        return referrers
    }
}
