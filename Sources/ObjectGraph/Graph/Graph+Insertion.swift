/// How objects enter a graph: inserted explicitly, or linked to an object of the graph. Objects that are linked before any
/// of them is inserted form a detached graph.
extension Graph {
    /// A record with the object that represents it.
    package typealias Member = (record: Record, object: AnyObject)

    /// Registers a new object and everything linked to it. An object of this graph that is pending deletion is
    /// undeleted; one of another graph, or of an entity that the model lacks, is refused.
    package func insert(_ member: Member) {
        resolveWhenAsked()
        let record = member.record
        if record.graph === self { return undelete(member) }
        do throws(GraphError) {
            try registerWithLinked(member)
            unsaved.resolveRefused(.insertion, of: record)
            Graph.applyDeferredLinks(of: member)
        } catch {
            refuse(.insertion, of: record, error)
        }
    }

    /// Registers an object of no graph, or one of a detached graph together with the objects linked to it.
    private func registerWithLinked(_ member: Member) throws(GraphError) {
        guard let current = member.record.graph else { return try registerLone(member) }
        guard current.isDetached else { throw .differentContexts(member.record.id) }
        try current.moveComponent(of: member, to: self)
    }

    /// Undoes a pending deletion. If another context deleted the row, the object becomes a new one.
    private func undelete(_ member: Member) {
        let record = member.record
        guard record.isDeleted else { return }
        if deletes.isRemote(record) { return becomeNewRow(record, member.object) }
        if deletes.bulk.deleted.contains(record.id) {
            do {
                try excludeFromBulkDeletes(record)
            } catch let error as GraphError {
                return refuse(.insertion, of: record, error)
            } catch {
                unsaved.unreadable.insert(record.id)
                face?.report(error)
                return
            }
        }
        edits.count &+= 1
        endDeletion(of: record)
        noteEventChange(record, .inserted)
        noteUndo(.inserted(record))
        restoreInverseLinks(record)
        notifyFace()
    }

    /// Restores the inverses of an undeleted object's links if the other end exists and is free. Removes the other
    /// links from the object, too, but for those to deleted objects whose deletion they refuse.
    func restoreInverseLinks(_ record: Record) {
        for relationship in record.entity.relationships where relationship.inverseIndex != nil {
            for destination in destinations(of: record, relationship) {
                guard let inverse = inverse(of: relationship, on: destination) else { continue }
                if refers(destination, inverse, to: record), !destination.isDeleted { continue }
                if destination.isDeleted, relationship.protectsDestinations { continue }
                if !destination.isDeleted, isFree(destination, inverse) {
                    addHalf(destination, inverse, record.id)
                } else {
                    readMembersBeforeLoss(of: destination, inverse, relationship)
                    removeHalf(record, relationship, destination.id)
                }
            }
        }
    }

    /// Reads the list of a deleted owner before one of its members loses the reference by which the list is read. If the
    /// owner is inserted again, too, it regains the member.
    private func readMembersBeforeLoss(
        of owner: Record, _ list: EntityRelationship, _ reference: EntityRelationship
    ) {
        if owner.isDeleted, reference.isToOne, !list.isToOne { _ = memberIDs(of: owner, list) }
    }

    /// Whether this end of a link exists.
    func refers(_ record: Record, _ relationship: EntityRelationship, to other: Record) -> Bool {
        relationship.slot.map { record.value($0) == .reference(other.id) } ?? has(other, relationship, of: record)
    }

    func isFree(_ record: Record, _ relationship: EntityRelationship) -> Bool {
        relationship.slot.map { record.value($0).isNull } ?? true
    }

    /// Registers a new object of no graph: one just created, or one that left its graph.
    private func registerLone(_ member: Member) throws(GraphError) {
        guard member.record.wasNeverSaved || member.record.isGone else {
            // A row of a deallocated context: registering it here would insert the row a second time.
            throw .differentContexts(member.record.id)
        }
        try checkEntity(of: member)
        if member.record.wasRegistered {
            unsaved.removeInserted(member.record)
            discardLinks(of: member.record)
        }
        // Reserved for a save that never happened.
        if !member.record.id.isTemporary { becomeNew(member.record) }
        try registerNew(member)
    }

    /// Looks up the model's entity of a new object.
    private func checkEntity(of member: Member) throws(GraphError) {
        let record = member.record
        guard let model, record.entity !== recentEntities.ofNewObject?.standalone else { return }
        guard let entity = model.entity(named: record.entity.name) else { throw .unknownEntity(record.entity.name) }
        guard face?.isObject(member.object, of: entity) ?? true else { throw .otherClass(entity.name) }
        recentEntities.ofNewObject = (record.entity, entity)
    }

    /// Registers an object that was in this graph before.
    func registerAgain(_ member: Member) {
        do throws(GraphError) {
            try registerNew(member)
        } catch {
            refuse(.insertion, of: member.record, error)
        }
    }

    private func registerNew(_ member: Member) throws(GraphError) {
        try checkEntity(of: member)
        let record = member.record
        if let known = recentEntities.ofNewObject, !isDetached { record.entity = known.own }
        if record.isGone { becomeNew(record) }
        record.lender = nil
        if options.asksForConstants { face?.readConstants(of: member.object) }
        record.graph = self
        if record.observer != nil { identityMap.isObserved = true }
        if !isDetached { record.wasRegistered = true }
        record.detachedGraph = isDetached ? self : nil
        record.object = member.object
        identityMap.insert(record)
        if !isDetached {
            edits.count &+= 1
            log.followed?.note(record, .all)
            unsaved.noteInserted(record)
            if tracksEventChanges { noteEventChange(record, .inserted) }
            noteUndo(.inserted(record))
            notifyFace()
        }
    }

    /// Turns a deleted object that is inserted again into a new one with the old values.
    private func becomeNew(_ record: Record) {
        let former = record.id
        record.id = .temporary(in: record.entity.temporarySpace)
        log.noteRenamed(record, from: former)
        record.version = 0
        record.status = []
        discardLinks(of: record)
    }

    // MARK: Detached graphs

    /// Moves an object and all objects linked to it out of this detached graph: nearest first, members in the order of
    /// their relationship, because this order determines the order of their keys.
    /// - Throws: The reason why the object itself cannot move; then nothing has moved.
    private func moveComponent(of root: Member, to target: Graph) throws(GraphError) {
        try target.checkEntity(of: root)
        let component = component(of: root.record)
        for record in component {
            guard let object = record.object else { continue }
            identityMap.remove(record.id)
            record.graph = nil
            if record.wasRegistered { target.unsaved.removeInserted(record) }
            do throws(GraphError) {
                try target.registerNew((record, object))
            } catch {
                removeRefusedLinks(record, of: component, movingTo: target, error)
            }
        }
        target.unsaved.takeRefused(from: unsaved, of: component)
    }

    /// Returns an object and all objects that its links refer to, directly or through others, nearest first.
    private func component(of record: Record) -> [Record] {
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
        return component
    }

    /// Removes the links of an object that the target refuses, and records the refusals in the target.
    private func removeRefusedLinks(
        _ record: Record, of component: [Record], movingTo target: Graph, _ reason: GraphError
    ) {
        for other in component where other !== record {
            for relationship in other.entity.relationships where refers(other, relationship, to: record) {
                (other.graph ?? self).removeHalf(other, relationship, record.id)
                target.refuse(.link(relationship: relationship.name), of: other, with: record, reason)
            }
        }
        discardLinks(of: record)
        record.detachedGraph = nil
        record.object = nil
    }

    // MARK: Linking

    /// Sets the destinations of a relationship (at most one for a to-one relationship). Objects of no graph are
    /// registered in the graph of the others.
    package static func link(_ owner: Member, _ relationship: EntityRelationship, to destinations: [Member]) {
        owner.record.graph?.resolveWhenAsked()
        // An object pending deletion gets no links, which would outlive its row. A link would insert an object without
        // a row again.
        if owner.record.isDeleted || owner.record.isGone { return }
        if destinations.count == 1, linkNew(owner, relationship, to: destinations[0].record) { return }
        let isLive: (Member) -> Bool = { !$0.record.isGone && !$0.record.isDeleted }
        let live = destinations.allSatisfy(isLive) ? destinations : destinations.filter(isLive)
        guard let graph = unite(owner, with: live, by: relationship) else { return }
        if relationship.isToOne {
            graph.setDestination(of: owner.record, relationship, to: live.first?.record)
        } else {
            graph.setMembers(of: owner.record, relationship, to: live.map(\.record))
        }
    }

    /// Applies links that were set while the object's initializer ran.
    package static func applyDeferredLinks(of owner: Member) {
        owner.record.removeDeferredLinks().forEach { apply($0, of: owner) }
    }

    private static func apply(_ deferred: DeferredLink, of owner: Member) {
        let relationships = owner.record.entity.relationships
        guard relationships.indices.contains(deferred.relationshipIndex) else { return }
        let relationship = relationships[deferred.relationshipIndex]
        if let destination = deferred.onlyDestination, linkNew(owner, relationship, to: destination.record) { return }
        link(owner, relationship, to: deferred.destinations)
    }

    /// Handles the most frequent case: a new object is linked to an object of a context.
    /// - Returns: `false`, without any change, in all other cases.
    private static func linkNew(
        _ owner: Member, _ relationship: EntityRelationship, to destination: Record
    ) -> Bool {
        guard relationship.isToOne, let graph = destination.graph, !graph.isDetached, !destination.isDeleted,
            owner.record.graph == nil, !owner.record.isDeleted, !owner.record.isGone
        else { return false }
        do throws(GraphError) {
            try graph.registerLone(owner)
            graph.setDestination(of: owner.record, relationship, to: destination)
        } catch {
            graph.refuse(.link(relationship: relationship.name), of: owner.record, with: destination, error)
        }
        return true
    }

    /// Moves all objects into one graph. Returns `nil` if there are none, or if the link is refused because the objects
    /// belong to different contexts or the graph refuses one of them.
    static func unite(
        _ owner: Member, with others: [Member], by relationship: EntityRelationship
    ) -> Graph? {
        if others.isEmpty { return owner.record.graph }
        let members = [owner] + others
        let target = graph(uniting: members)
        for case let graph? in members.lazy.map(\.record.graph) where graph !== target && !graph.isDetached {
            let reason = GraphError.differentContexts(
                others.first { $0.record.graph === graph }?.record.id ?? owner.record.id)
            target.refuse(.link(relationship: relationship.name), of: owner.record, with: others.first?.record, reason)
            return nil
        }
        for member in members where member.record.graph !== target {
            do throws(GraphError) {
                try target.registerWithLinked(member)
            } catch {
                let other = member.record === owner.record ? others.first?.record : member.record
                target.refuse(.link(relationship: relationship.name), of: owner.record, with: other, error)
                return nil
            }
        }
        return target
    }

    /// Returns the graph of a context if any of the objects has one; the owner, which is first, has precedence.
    private static func graph(uniting members: [Member]) -> Graph {
        var detachedGraph: Graph?
        for case let graph? in members.lazy.map(\.record.graph) {
            if !graph.isDetached { return graph }
            detachedGraph = detachedGraph ?? graph
        }
        return detachedGraph ?? .detached()
    }
}
