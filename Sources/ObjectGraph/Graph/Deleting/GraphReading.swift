/// Reads the rows of a context, with its unsaved changes, for delete plans, and holds the objects that a plan deletes. All
/// rows are read into records, which deleting objects needs anyway.
final class GraphReading: DeleteReading {
    let model: Model
    private let graph: Graph
    private let isAsked: (Record) -> Bool
    /// All links that were read, in the order of reading.
    private(set) var links: [LinkGroup] = []
    /// The objects that the plan deletes, each once: the roots, followed by what cascades reach, in the order in which
    /// they were found; undo inserts them in reverse order.
    private(set) var deleted: [Record] = []
    private(set) var rootCount = 0
    /// Records found last, by entity. Mostly, these are the owners of the links that are read next.
    private var known: [IDSpace: (keys: KeySet, records: [Record])] = [:]

    /// Links along one relationship.
    struct LinkGroup {
        let relationship: EntityRelationship
        let links: [Link]
    }

    struct Link {
        let owner: Record
        let destination: Record
    }

    /// - Parameter isAsked: Whether a destination is included.
    init(_ graph: Graph, _ model: Model, among isAsked: @escaping (Record) -> Bool = { !$0.isDeleted }) {
        self.graph = graph
        self.model = model
        self.isAsked = isAsked
    }

    /// Plans the deletion of objects.
    /// - Throws: Errors of reading the store.
    func follow(from roots: [Record]) throws {
        let ids = roots.map(\.id)
        // The first read is for these.
        remember(roots, ids)
        let rows = RowSet(ids)
        let areDistinct = rows.count == roots.count
        let deletedRows = try DeletePlanner.deletedRows(by: rows, self)
        (deleted, rootCount) = (roots, roots.count)
        // Most deletions reach nothing else.
        if areDistinct, deletedRows == rows { return }
        var seen: Set<ObjectID> = []
        let first = roots.filter { !$0.isGone && (areDistinct || seen.insert($0.id).inserted) }
        let reached = links.lazy.flatMap(\.links).map(\.destination).filter {
            !$0.isGone && deletedRows.contains($0.id) && !rows.contains($0.id) && seen.insert($0.id).inserted
        }
        (deleted, rootCount) = (first + reached, first.count)
    }

    func entity(of space: IDSpace) -> Entity? { graph.entity(of: space) }

    func existing(_ rows: RowSet) throws -> RowSet {
        let records = rows.keysBySpace.map { self.records(of: SpaceKeys($1, in: $0)) }
        if !records.allSatisfy({ $0.allSatisfy(\.isPresent) }) { try graph.fire(records.flatMap { $0 }) }
        let areAllPresent = records.allSatisfy { $0.allSatisfy(\.isPresent) }
        if areAllPresent, records.reduce(0, { $0 + $1.count }) == rows.count { return rows }
        return RowSet(records.joined().lazy.filter { !$0.isGone }.map(\.id))
    }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let relationship = model[place.entityIndex].relationships[place.index]
        let records = records(of: owners)
        graph.resolveWhenAsked()
        var found = try graph.lastLinks(of: records, along: relationship, to: isAsked)
        if model.inverse(of: relationship)?.isToOne == true {
            found = found.keeping { !hasOtherUnsavedDestination($0, along: relationship) }
            found += try linksOfStaleValues(found, along: relationship, from: records.keeping { !$0.isGone })
            found = found.keeping { !$0.destination.isGone }
        }
        if found.isEmpty { return Destinations() }
        links.append(LinkGroup(relationship: relationship, links: found))
        var destinations: [Record] = []
        // Neighbouring owners mostly have one destination in common.
        for link in found where destinations.last !== link.destination { destinations.append(link.destination) }
        let ids = destinations.map(\.id)
        remember(destinations, ids)
        return Destinations(rows: RowSet(ids))
    }

    /// Reads destinations whose link another context has changed since they were read.
    /// - Returns: Stored links that unsaved edits replaced.
    private func linksOfStaleValues(
        _ found: [Link], along relationship: EntityRelationship, from owners: [Record]
    ) throws -> [Link] {
        try graph.readStaleSurvivors(of: found.compactMap { graph.survivorLink($0, along: relationship) })
        return try graph.storedLinksReplacedHere(of: relationship, from: owners).filter { isAsked($0.survivor) }
            .map { Link(owner: $0.deleted, destination: $0.survivor) }
    }

    /// Whether an unsaved change links the destination of a one-to-one relationship to another object. The owner's end
    /// was saved by another context and is older.
    private func hasOtherUnsavedDestination(_ link: Link, along relationship: EntityRelationship) -> Bool {
        guard relationship.isToOne, let inverse = graph.inverse(of: relationship, on: link.destination),
            link.destination.hasLinkChanges(inverse)
        else { return false }
        return !graph.refers(link.destination, inverse, to: link.owner)
    }

    /// Reads the links from the other end, because the context has no index of references.
    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        guard let entity = entity(of: rows.space),
            let inverseIndex = model[place.entityIndex].relationships[place.index].inverseIndex
        else { return RowSet() }
        return try destinations(of: RelationshipPlace(entityIndex: entity.index, index: inverseIndex), from: rows).rows
    }

    private func records(of rows: SpaceKeys) -> [Record] {
        if let known = known[rows.space], known.keys == rows.keys { return known.records }
        return rows.keys.keys.compactMap { graph.record(for: ObjectID(space: rows.space, key: $0)) }
    }

    /// Remembers records of one entity in the order of their keys. Others would have to be sorted, which costs more than
    /// looking them up again.
    private func remember(_ records: [Record], _ ids: [ObjectID]) {
        guard let space = ids.first?.space,
            zip(ids, ids.dropFirst()).allSatisfy({ $0.key < $1.key && $1.space == space })
        else { return }
        known[space] = (KeySet(ids.map(\.key)), records)
    }
}

extension Graph {
    /// Returns the link as the half that its destination loses; `nil` if the relationship has no inverse.
    func survivorLink(_ link: GraphReading.Link, along relationship: EntityRelationship) -> SurvivorLink? {
        inverse(of: relationship, on: link.destination).map {
            SurvivorLink(survivor: link.destination, inverse: $0, deleted: link.owner)
        }
    }
}
