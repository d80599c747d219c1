/// How objects come into a graph: inserted by the user, or drawn in by being linked with one that is there.
extension Graph {
    /// A record with the object that represents it.
    package typealias Member = (record: Record, object: AnyObject)

    /// Registers a new object and everything linked with it. An object of this graph that waits for deletion is taken
    /// back; one of another graph is refused and reported.
    package func insert(_ member: Member) {
        let record = member.record
        if let current = record.graph, !current.isIsland {
            if current === self { takeBack(record) } else { report(.differentContexts(record.id, nil)) }
            return
        }
        if let island = record.graph {
            island.moveComponent(of: record, to: self)
        } else {
            registerLone(member)
        }
        Graph.applyDeferredLinks(of: member)
    }

    /// The deletion is off.
    private func takeBack(_ record: Record) {
        guard record.isDeleted else { return }
        if planned.deleted.contains(record.id) {
            do {
                try leaveOutOfPlanned(record)
            } catch {
                face?.report(error)
                return
            }
        }
        editCount &+= 1
        record.status.remove(.deleted)
        pending.forgetDeleted(record)
        touch(record, .insertion)
        noteUndo(.inserted(record))
        relink(record)
        tellFace()
    }

    /// Links of an object that is not deleted after all are whole again where the other end is still there and free;
    /// others are given up here too.
    func relink(_ record: Record) {
        for relationship in record.entity.relationships where relationship.inverseIndex != nil {
            for destination in destinations(of: record, relationship) {
                guard let inverse = inverse(of: relationship, on: destination) else { continue }
                if leads(destination, inverse, to: record), !destination.isDeleted { continue }
                if !destination.isDeleted, isFree(destination, inverse) {
                    addHalf(destination, inverse, record.id)
                } else {
                    removeHalf(record, relationship, destination.id)
                }
            }
        }
    }

    /// Whether this end of a link is there.
    func leads(_ record: Record, _ relationship: EntityRelationship, to other: Record) -> Bool {
        relationship.slot.map { record.value($0) == .reference(other.id) } ?? has(other, relationship, of: record)
    }

    private func isFree(_ record: Record, _ relationship: EntityRelationship) -> Bool {
        relationship.slot.map { record.value($0).isNull } ?? true
    }

    /// Registers a new object that no graph has: one just made, or one that left its graph.
    private func registerLone(_ member: Member) {
        guard member.record.wasNeverSaved || member.record.isGone else {
            // A row of a context that is gone: registering it here would make a second row of it.
            report(.differentContexts(member.record.id, nil))
            return
        }
        if member.record.wasRegistered {
            pending.forgetInserted(member.record)
            forgetLinks(of: member.record)
        }
        // Given ahead of a save that never came.
        if !member.record.id.isTemporary { becomeNew(member.record) }
        registerNew(member)
    }

    private func forgetLinks(of record: Record) {
        record.toMany = []
        for relationship in record.entity.relationships {
            if let slot = relationship.slot, slot < record.values.count { record.values[slot] = .null }
        }
    }

    func registerNew(_ member: Member) {
        let record = member.record
        if let model, record.entity !== lastNewEntity?.standalone {
            guard let entity = model.entity(named: record.entity.name) else {
                report(.unknownEntity(record.entity.name))
                return
            }
            guard face?.isObject(member.object, of: entity) ?? true else {
                report(.otherClass(entity.name))
                return
            }
            lastNewEntity = (record.entity, entity)
        }
        if let lastNewEntity, !isIsland { record.entity = lastNewEntity.own }
        if record.isGone { becomeNew(record) }
        if asksForConstants { face?.readConstants(of: member.object) }
        record.graph = self
        record.wasRegistered = true
        record.island = isIsland ? self : nil
        record.object = member.object
        identityMap.insert(record)
        if !isIsland {
            editCount &+= 1
            pending.noteInserted(record)
            if tracksTouched { touch(record, .insertion) }
            noteUndo(.inserted(record))
            tellFace()
        }
    }

    /// A deleted object that is inserted again is a new one with the old values.
    private func becomeNew(_ record: Record) {
        record.id = .temporary(in: record.entity.temporarySpace)
        record.version = 0
        record.status = []
        forgetLinks(of: record)
    }

    // MARK: Islands

    /// Moves the record, and all it is linked with, out of this island: nearest first, members of a relationship in their
    /// order, as that becomes the order of their keys.
    private func moveComponent(of record: Record, to target: Graph) {
        var component = [record]
        var seen: Set<ObjectID> = [record.id]
        var position = 0
        while position < component.count {
            let next = component[position]
            position += 1
            let neighbours = next.entity.relationships.flatMap { relationship in
                relationship.isToOne
                    ? [destination(of: next, relationship)].compactMap { $0 } : members(of: next, relationship)
            }
            for neighbour in neighbours where seen.insert(neighbour.id).inserted { component.append(neighbour) }
        }
        for record in component {
            guard let object = record.object else { continue }
            identityMap.remove(record.id)
            record.graph = nil
            target.registerNew((record, object))
        }
    }

    // MARK: Linking

    /// Sets a relationship of an object to these destinations (at most one for a to-one relationship), bringing objects
    /// that no graph knows into the graph of those that one knows.
    package static func link(_ owner: Member, _ relationship: EntityRelationship, to destinations: [Member]) {
        // What waits for deletion gains no links: they would outlive it. What is gone would come back by them.
        if owner.record.isDeleted || owner.record.isGone { return }
        if destinations.count == 1, linkNew(owner, relationship, to: destinations[0].record) { return }
        let isLive: (Member) -> Bool = { !$0.record.isGone && !$0.record.isDeleted }
        let live = destinations.allSatisfy(isLive) ? destinations : destinations.filter(isLive)
        guard let graph = unite(owner, with: live) else { return }
        if relationship.isToOne {
            graph.setDestination(of: owner.record, relationship, to: live.first?.record)
        } else {
            graph.setMembers(of: owner.record, relationship, to: live.map(\.record))
        }
    }

    /// Applies links that were asked for while the object was being initialised.
    package static func applyDeferredLinks(of owner: Member) {
        owner.record.takeDeferredLinks().forEach { apply($0, of: owner) }
    }

    private static func apply(_ deferred: DeferredLink, of owner: Member) {
        let relationships = owner.record.entity.relationships
        guard relationships.indices.contains(deferred.relationshipIndex) else { return }
        let relationship = relationships[deferred.relationshipIndex]
        if let destination = deferred.onlyDestination, linkNew(owner, relationship, to: destination.record) { return }
        link(owner, relationship, to: deferred.destinations)
    }

    /// The common case: a new object that is given one of a context.
    /// - Returns: `false`, and nothing was done, in any other case.
    private static func linkNew(
        _ owner: Member, _ relationship: EntityRelationship, to destination: Record
    ) -> Bool {
        guard relationship.isToOne, let graph = destination.graph, !graph.isIsland, !destination.isDeleted,
            owner.record.graph == nil, !owner.record.isDeleted, !owner.record.isGone
        else { return false }
        graph.registerLone(owner)
        if owner.record.graph === graph { graph.setDestination(of: owner.record, relationship, to: destination) }
        return true
    }

    /// One graph for all of them; `nil` when there is nothing to unite, or when they live in different contexts.
    static func unite(_ owner: Member, with others: [Member]) -> Graph? {
        if others.isEmpty { return owner.record.graph }
        let members = [owner] + others
        var contexts: [Graph] = []
        for case let graph? in members.map(\.record.graph) where !graph.isIsland {
            if !contexts.contains(where: { $0 === graph }) { contexts.append(graph) }
        }
        if contexts.count > 1 {
            contexts[0].report(.differentContexts(owner.record.id, others.first?.record.id))
            return nil
        }
        let target = contexts.first ?? members.lazy.compactMap(\.record.graph).first ?? .island()
        for member in members where member.record.graph !== target {
            if let island = member.record.graph {
                island.moveComponent(of: member.record, to: target)
            } else {
                target.registerLone(member)
            }
        }
        return members.allSatisfy { $0.record.graph === target } ? target : nil
    }

    private func report(_ error: GraphError) {
        face?.report(error)
    }
}

/// Misuse that has no caller to throw to.
package enum GraphError: Error, Hashable {
    case differentContexts(ObjectID, ObjectID?)
    case unknownEntity(String)
    /// The model has an entity of this name, for another class.
    case otherClass(String)
    /// What is to be taken back goes with others, in a delete that is kept as a whole.
    case deletedRecoverably(ObjectID)
}

extension GraphError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .differentContexts(let one, let other):
            "Object \(one) belongs to another context\(other.map { " than \($0)" } ?? ""); "
                + "fetch it in this context by its identifier and link or insert that one."
        case .unknownEntity(let name):
            "Model '\(name)' is not part of the container's schema; add it where the container is made."
        case .otherClass(let name):
            "The container's schema has another class named '\(name)', of another version perhaps; use the class that the "
                + "container was made with."
        case .deletedRecoverably(let id):
            "Object \(id) stays deleted, as a recoverable delete takes it along with others; roll that back, or restore it "
                + "after the save."
        }
    }
}
