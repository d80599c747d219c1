/// Reads the rows of a context, with its unsaved changes, for delete plans. All rows are read into records, which
/// deleting objects needs anyway.
final class GraphReading: DeleteReading {
    let model: Model
    private let graph: Graph
    private let isAsked: (Record) -> Bool
    /// All links that were read, in the order of reading.
    private(set) var links: [Link] = []

    struct Link {
        let owner: Record
        let relationship: EntityRelationship
        let destination: Record
    }

    /// - Parameter isAsked: Whether a destination is included.
    init(_ graph: Graph, _ model: Model, among isAsked: @escaping (Record) -> Bool = { !$0.isDeleted }) {
        self.graph = graph
        self.model = model
        self.isAsked = isAsked
    }

    func entity(of space: IDSpace) -> Entity? { graph.entity(of: space) }

    func existing(_ rows: RowSet) throws -> RowSet {
        let records = rows.ids.compactMap { graph.record(for: $0) }
        try graph.fire(records)
        return RowSet(records.lazy.filter { !$0.isGone }.map(\.id))
    }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let relationship = model[place.entityIndex].relationships[place.index]
        let records = records(of: owners)
        try graph.prefetch(relationship, of: records)
        var found: [Link] = []
        for record in records {
            for destination in graph.destinations(of: record, relationship)
            where isAsked(destination) && !hasOtherUnsavedDestination(destination, from: record, along: relationship) {
                found.append(Link(owner: record, relationship: relationship, destination: destination))
            }
        }
        try graph.readStaleSurvivors(of: found.compactMap(graph.survivorLink))
        for link in try graph.storedLinksReplacedHere(of: relationship, from: records) where isAsked(link.survivor) {
            found.append(Link(owner: link.deleted, relationship: relationship, destination: link.survivor))
        }
        found.removeAll(where: \.destination.isGone)
        links += found
        return Destinations(rows: RowSet(found.lazy.map(\.destination.id)))
    }

    /// Whether an unsaved change links the destination of a one-to-one relationship to another object. The owner's end
    /// was saved by another context and is older. A rule `deny` counts that end as well, as the store does.
    private func hasOtherUnsavedDestination(
        _ destination: Record, from owner: Record, along relationship: EntityRelationship
    ) -> Bool {
        guard relationship.isToOne, let inverse = graph.inverse(of: relationship, on: destination), inverse.isToOne,
            !inverse.protectsDestinations, destination.hasLinkChanges(inverse)
        else { return false }
        return !graph.refers(destination, inverse, to: owner)
    }

    /// Reads the links from the other end, because the context has no index of references.
    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        guard let entity = entity(of: rows.space),
            let inverseIndex = model[place.entityIndex].relationships[place.index].inverseIndex
        else { return RowSet() }
        return try destinations(of: RelationshipPlace(entityIndex: entity.index, index: inverseIndex), from: rows).rows
    }

    private func records(of rows: SpaceKeys) -> [Record] {
        rows.keys.keys.compactMap { graph.record(for: ObjectID(space: rows.space, key: $0)) }.filter { !$0.isGone }
    }
}

extension Graph {
    /// Returns the link as the half that its destination loses; `nil` if the relationship has no inverse.
    func survivorLink(_ link: GraphReading.Link) -> SurvivorLink? {
        inverse(of: link.relationship, on: link.destination).map {
            SurvivorLink(survivor: link.destination, inverse: $0, deleted: link.owner)
        }
    }
}
