/// Finds the objects whose relationships refer to changed ones, for the event that is being dispatched. Observers that
/// follow the same relationship share the result.
///
/// An inverse in memory answers without a statement; otherwise there is one for each relationship.
final class LinkSources {
    private let graph: Graph
    private let model: Model
    private var known: [Question: [ObjectID]] = [:]
    /// The number of objects read.
    private(set) var readCount = 0

    private struct Question: Hashable {
        let entityIndex: Int
        let relationshipIndex: Int
        let destinations: [ObjectID]
    }

    /// Above this number of changed destinations, a fetch is cheaper than following them.
    private static let mostDestinations = 1000

    init(_ graph: Graph, _ model: Model) {
        self.graph = graph
        self.model = model
    }

    /// Replaces the changed and deleted objects at other nodes by the fetched objects that refer to them.
    /// - Throws: Errors of reading the store.
    func climb(_ work: inout LiveResults.Work, _ dependencies: LiveDependencies) throws {
        if work.reached.isEmpty, work.lost.isEmpty { return }
        for node in dependencies.nodes.indices.reversed() {
            guard let link = dependencies.nodes[node].link else { continue }
            var sources: [ObjectID] = []
            if let lost = work.lost.removeValue(forKey: node) {
                sources = unsavedSources(of: lost, by: link.relationship)
            }
            if let changed = work.reached.removeValue(forKey: node) {
                if changed.count > Self.mostDestinations { return work.requireRefetch(.manyRows) }
                sources += try self.sources(of: changed, by: link.relationship)
            }
            if sources.isEmpty { continue }
            if link.parent == 0 {
                work.tested += sources.map { ($0, false) }
            } else {
                work.reached[link.parent, default: []] += sources
            }
        }
        try read(work.tested.map(\.id))
    }

    /// Reads the objects that the graph has not read, with one statement, and those with unsaved changes to rows that
    /// others have changed, with another.
    func read(_ ids: [ObjectID]) throws {
        var (faults, stale): ([Record], [Record]) = ([], [])
        for case let record? in ids.lazy.map(graph.record) {
            if record.isFault {
                if !record.isDeleted { faults.append(record) }
            } else if record.status.contains(.stale), !graph.isRemotelyDeleted(record) {
                // Objects pending deletion as well: links that the delete rules keep still refer to them.
                stale.append(record)
            }
        }
        if faults.isEmpty, stale.isEmpty { return }
        readCount += faults.count
        graph.log.isReading = true
        defer { graph.log.isReading = false }
        try graph.fire(faults)
        guard let store = graph.store, !stale.isEmpty else { return }
        for row in try store.snapshots(of: stale.map(\.id)) { _ = graph.register(row) }
    }

    // MARK: One relationship

    /// Returns the objects whose unsaved links refer to any of the rows.
    private func unsavedSources(of rows: RowSet, by reference: RelationshipReference) -> [ObjectID] {
        let relationship = model[reference.entityIndex].relationships[reference.index]
        return edited(reference.entityIndex).filter { record in
            if let slot = relationship.slot { return record.reference(at: slot).map(rows.contains) ?? false }
            return relationship.toManyIndex.map { record.members($0).added.all.contains(where: rows.contains) } ?? false
        }.map(\.id)
    }

    private func sources(of destinations: [ObjectID], by reference: RelationshipReference) throws -> [ObjectID] {
        let question = Question(
            entityIndex: reference.entityIndex, relationshipIndex: reference.index, destinations: destinations)
        if let sources = known[question] { return sources }
        let relationship = model[reference.entityIndex].relationships[reference.index]
        let sources =
            relationship.isToOne
            ? try referencingRows(of: relationship, of: reference.entityIndex, referringTo: destinations)
            : try owners(of: relationship, of: reference.entityIndex, with: destinations)
        known[question] = sources
        return sources
    }

    /// Returns the objects with a reference to any of the destinations.
    private func referencingRows(
        of relationship: EntityRelationship, of entityIndex: Int, referringTo destinations: [ObjectID]
    ) throws -> [ObjectID] {
        var found: [ObjectID] = []
        var unknown: [ObjectID] = []
        for id in destinations {
            if let known = knownHolders(of: relationship, referringTo: id) {
                found += known
            } else {
                unknown.append(id)
            }
        }
        if unknown.isEmpty { return found }
        let wanted = Set(unknown)
        let reference = QueryExpression.toOne(
            .variable(.root),
            RelationshipReference(entityIndex: entityIndex, index: relationship.index, name: relationship.name))
        found += try stored(entityIndex, .identity(reference), among: unknown)
        for record in edited(entityIndex) {
            if let slot = relationship.slot, case .reference(let id) = record.value(slot), wanted.contains(id) {
                found.append(record.id)
            }
        }
        return found
    }

    /// Returns the members that a destination's inverse has in memory; `nil` if they have not been read.
    private func knownHolders(of relationship: EntityRelationship, referringTo id: ObjectID) -> [ObjectID]? {
        guard let record = graph.registeredRecord(for: id), !record.isDeleted,
            let inverse = graph.inverse(of: relationship, on: record), let index = inverse.toManyIndex
        else { return nil }
        return record.currentMembers(index)
    }

    /// Returns the objects that have any of the destinations as a member.
    private func owners(
        of relationship: EntityRelationship, of entityIndex: Int, with destinations: [ObjectID]
    ) throws -> [ObjectID] {
        guard relationship.inverseIndex != nil else {
            return try ownersWithoutInverse(of: relationship, of: entityIndex, with: destinations)
        }
        try read(destinations)
        let records = destinations.compactMap { graph.registeredRecord(for: $0) }.filter { !$0.isGone }
        var found: [ObjectID] = []
        for group in Dictionary(grouping: records, by: \.entity.index).values {
            guard let first = group.first, let inverse = graph.inverse(of: relationship, on: first) else { continue }
            if let slot = inverse.slot {
                for record in group { if case .reference(let id) = record.value(slot) { found.append(id) } }
            } else {
                try graph.readMembers(of: inverse, owners: group)
                for record in group { found += graph.memberIDs(of: record, inverse) }
            }
        }
        return found
    }

    private func ownersWithoutInverse(
        of relationship: EntityRelationship, of entityIndex: Int, with destinations: [ObjectID]
    ) throws -> [ObjectID] {
        let reference = RelationshipReference(
            entityIndex: entityIndex, index: relationship.index, name: relationship.name)
        let variable = QueryVariable(1)
        let stored = destinations.filter { !$0.isTemporary }
        var found: [ObjectID] = []
        if !stored.isEmpty, let store = graph.store {
            let test = QueryExpression.isMember(.identity(.variable(variable)), of: stored.map(Value.reference))
            found = try store.fetchIDs(
                Query(
                    entityIndex: entityIndex,
                    predicate: .exists(.toMany(.variable(.root), reference), variable, test)))
        }
        let wanted = Set(destinations)
        for record in edited(entityIndex) where record.isEdited(relationship) {
            if graph.memberIDs(of: record, relationship).contains(where: wanted.contains) { found.append(record.id) }
        }
        return found
    }

    /// Returns stored rows without unsaved changes for which an identity is among others.
    private func stored(
        _ entityIndex: Int, _ identity: QueryExpression, among ids: [ObjectID]
    ) throws -> [ObjectID] {
        let stored = ids.filter { !$0.isTemporary }
        guard let store = graph.store, !stored.isEmpty else { return [] }
        let query = Query(entityIndex: entityIndex, predicate: .isMember(identity, of: stored.map(Value.reference)))
        return try store.fetchIDs(query).filter { graph.registeredRecord(for: $0)?.hasChanges != true }
    }

    private func edited(_ entityIndex: Int) -> [Record] {
        (graph.unsaved.inserted + graph.unsaved.updated).filter { model.isKind($0.entity.index, of: entityIndex) }
    }
}
