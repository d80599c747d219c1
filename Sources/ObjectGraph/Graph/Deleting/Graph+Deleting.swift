/// Deleting objects: `DeletePlanner` follows the delete rules over the context's objects, with one statement for each
/// relationship and level, regardless of the number of objects. Nothing is marked before the plan is complete.
extension Graph {
    /// Marks objects, and those that cascades reach, for deletion, and nullifies the inverses of survivors at once.
    /// `deny` rules are checked at the save, when the survivors are known.
    /// - Throws: Errors of reading the store; then nothing is marked.
    /// - Parameter limit: If more objects than this would be marked, including those reached by cascades, nothing is
    ///   marked.
    package func delete(_ roots: [Record], atMost limit: Int? = nil) throws {
        mergeWaitingChanges()
        edits.count &+= 1
        for root in roots where root.graph !== self { refuseDeletion(of: root) }
        let own = roots.filter { $0.graph === self && !$0.isGone }
        // Also for roots whose deletion is pending already.
        unsaved.resolveAllRefused(of: own)
        let plan = try self.plan(deleting: own.filter { !$0.isDeleted })
        if let limit, plan.deleted.count > limit {
            throw DeleteError.tooManyRows(count: plan.deleted.count, limit: limit)
        }
        let deletedBefore = own.filter(\.isDeleted)
        apply(plan)
        deletedBefore.forEach(markDeletedExplicitly)
    }

    /// Follows the delete rules again from all deleted objects, because rows have changed since.
    func repropagateDeletes() throws {
        let deleted = unsaved.deleted.filter { !$0.isGone && deletes.isOwn($0) }
        guard !deleted.isEmpty else { return deletes.needsPropagation = false }
        for record in deleted {
            record.discardStoredMembers()
        }
        try apply(plan(deleting: deleted))
        deletes.needsPropagation = false
    }

    /// Marks an object for deletion. `propagateMarkedDeletes` follows the delete rules from it.
    package func markForDeletion(_ record: Record) {
        guard record.graph === self, !record.isGone else { return }
        if record.isDeleted { return markDeletedExplicitly(record) }
        deletes.add(.explicit, to: record)
        log.followed?.note(record, .all)
        if tracksEventChanges { noteEventChange(record) }
        noteUndo(.deleted(record, record.object))
        deletes.unresolved.append(record)
        notifyFace()
    }

    /// The object, which is pending deletion already, was deleted explicitly, too. A bulk delete, which is undone as a whole,
    /// deletes its row even if no cascade reaches it at the save.
    private func markDeletedExplicitly(_ record: Record) {
        if deletes.causes(of: record).contains(.bulk) {
            deletes.bulk.addRoot(record.id)
        } else {
            deletes.add(.explicit, to: record)
        }
    }

    package var hasMarkedDeletes: Bool { !deletes.unresolved.isEmpty || deletes.needsPropagation }

    /// Follows the delete rules from the objects marked since the last call.
    /// - Parameter willDelete: Called with objects that cascades are about to delete, before anything is changed;
    ///   returns whether it may have changed anything.
    /// - Throws: Errors of reading the store; the objects stay marked, and the call may be repeated.
    package func propagateMarkedDeletes(_ willDelete: ([Record]) -> Bool = { _ in false }) throws {
        if deletes.needsPropagation { try repropagateDeletes() }
        try followFromMarked(willDelete)
    }

    private func followFromMarked(_ willDelete: ([Record]) -> Bool = { _ in false }) throws {
        deletes.resolvesWhenAsked = false
        guard !deletes.unresolved.isEmpty else { return }
        var plan = try self.plan(deleting: self.marked)
        var announced: Set<ObjectID> = []
        // Hooks may delete more objects, at any depth of a cascade.
        for _ in 0..<Self.mostHookRounds {
            let new = plan.deleted.filter { !$0.isDeleted && announced.insert($0.id).inserted }
            guard !new.isEmpty, willDelete(new) else { break }
            plan = try self.plan(deleting: self.marked)
        }
        let marked = recordsUndo ? self.marked : []
        deletes.unresolved = []
        apply(plan, marked: marked)
    }

    /// Guards against a hook that inserts or deletes objects forever.
    private static var mostHookRounds: Int { 1000 }

    private var marked: [Record] { deletes.unresolved.keeping { $0.isDeleted && $0.isRegistered(with: self) } }

    /// - Parameter marked: Objects marked earlier by `markForDeletion`.
    private func apply(_ plan: GraphReading, marked: [Record] = []) {
        markDeleted(plan.deleted, rootCount: plan.rootCount, marked: marked, links: plan.links)
    }

    /// - Parameters:
    ///   - records: The roots, followed by what cascades reach.
    ///   - marked: Objects marked earlier by `markForDeletion`.
    ///   - links: From deleted objects to ones that may survive.
    func markDeleted(
        _ records: [Record], rootCount: Int = 0, marked: [Record] = [], links: [GraphReading.LinkGroup] = []
    ) {
        // Objects that were deleted before are not part of this undo step.
        let new = recordsUndo || tracksEventChanges ? records.filter { !$0.isDeleted } : []
        unsaved.resolveAllRefused(of: records)
        var discarded: [Record] = []
        for (place, record) in records.enumerated() {
            if record.isInserted { discarded.append(record) }
            if record.isDeleted { continue }
            deletes.add(place < rootCount ? .explicit : .rule, to: record)
            log.followed?.note(record, .all)
        }
        if tracksEventChanges { for record in new { noteEventChange(record) } }
        for group in links { removeLinks(group) }
        // Marked objects were recorded when they were marked. Recorded again, because undo must restore them before
        // their links.
        for record in new { noteUndo(.deleted(record, record.object)) }
        for record in marked { noteUndo(.deleted(record, record.object)) }
        for record in discarded { leave(record, as: .discarded) }
        if !records.isEmpty { notifyFace() }
    }

    private func removeLinks(_ group: GraphReading.LinkGroup) {
        var (entity, inverse) = (Entity?.none, EntityRelationship?.none)
        for link in group.links where !link.destination.isDeleted {
            if entity !== link.destination.entity {
                entity = link.destination.entity
                inverse = self.inverse(of: group.relationship, on: link.destination)
            }
            guard let inverse else { continue }
            discardListWithout(link.owner, inverse, of: link.destination)
            removeHalf(link.destination, inverse, link.owner.id)
        }
    }

    /// Discards a member list that lacks a deleted member, because it was read before another context added the member.
    /// Removing the member from such a list would be no edit, and the save would not raise the owner's version.
    private func discardListWithout(_ member: Record, _ list: EntityRelationship, of owner: Record) {
        guard let index = list.toManyIndex, owner.isRead(toMany: index) else { return }
        if owner.withMembers(index, { $0.holds(member.id) }) == false { owner.toMany[index].discardStored() }
    }

    /// Marks one object for deletion. The delete rules are followed later, from all marked objects together: before a
    /// result that may depend on them, or at the save. If the store cannot be read then, the error is reported, and the
    /// save throws.
    ///
    /// With an undo manager or observers, the rules are followed at once: undo steps belong to the call that caused
    /// them, and observers are notified of the effects.
    package func deleteLater(_ record: Record) {
        if recordsUndo || identityMap.isObserved { return deleteNow(record) }
        edits.count &+= 1
        guard record.graph === self else { return refuseDeletion(of: record) }
        unsaved.resolveAllRefused(of: CollectionOfOne(record))
        markForDeletion(record)
        deletes.resolvesWhenAsked = !deletes.unresolved.isEmpty
    }

    /// Deletes one object like `delete(_:)`, for callers that cannot throw: if the store cannot be read, the object is
    /// marked, and the save throws.
    func deleteNow(_ record: Record) {
        do {
            try delete([record])
        } catch {
            face?.report(error)
            markForDeletion(record)
        }
    }

    /// Whether links and unsaved changes depend on delete rules that have not been followed yet.
    @inline(__always) var isWaitingToResolve: Bool { unsaved.deletes.resolvesWhenAsked }

    @inline(__always) func resolveWhenAsked() {
        if isWaitingToResolve { resolveMarked() }
    }

    private func resolveMarked() {
        deletes.resolvesWhenAsked = false
        do {
            try followFromMarked()
        } catch {
            face?.report(error)
        }
    }

    /// A link from a deleted object to one that may survive.
    struct SurvivorLink {
        let survivor: Record
        let inverse: EntityRelationship
        let deleted: Record
    }

    /// Plans the deletion of objects, by the delete rules over this context's objects.
    /// - Throws: Errors of reading the store.
    private func plan(deleting roots: [Record]) throws -> GraphReading {
        guard let model, !roots.isEmpty else { return GraphReading(self, Model()) }
        let reading = GraphReading(self, model)
        try reading.follow(from: roots)
        return reading
    }

    /// Returns the destinations of a to-one or to-many relationship.
    package func destinations(of record: Record, _ relationship: EntityRelationship) -> [Record] {
        guard relationship.isToOne else { return members(of: record, relationship) }
        return destination(of: record, relationship).map { [$0] } ?? []
    }

    /// A deletion that a `deny` rule of the object refuses.
    package struct DeniedDelete {
        package let record: Record
        package let relationship: EntityRelationship
        /// The destinations that survive.
        package fileprivate(set) var blockers: [Record]
    }

    /// Returns the refusals of `deny` rules for the pending deletions. The store checks those of bulk deletes in the
    /// transaction of the save.
    /// - Throws: Errors of reading the store.
    func deniedDeletes() throws -> [ValidationError] {
        let deleted = unsaved.deleted.filter { $0.entity.mayRefuseDeletes && deletes.isOwn($0) }
        return try deniedDeletes(of: deleted).map { denied in
            .deniedDelete(
                denied.record.id, relationship: denied.relationship.name, blockerCount: denied.blockers.count,
                blockers: denied.blockers.prefix(5).map(\.id))
        }
    }

    /// Returns the refusals of `deny` rules if these objects are deleted together.
    /// - Throws: Errors of reading the store.
    package func deniedDeletes(of records: [Record]) throws -> [DeniedDelete] {
        let records = records.filter(\.entity.mayRefuseDeletes)
        guard let model, !records.isEmpty else { return [] }
        let reading = GraphReading(self, model)
        let rows = RowSet(records.lazy.map(\.id))
        if try DeletePlanner.denials(of: rows, reading).isEmpty { return [] }
        return reading.links.flatMap { denials(among: $0, of: rows) }
    }

    private func denials(among group: GraphReading.LinkGroup, of deleted: RowSet) -> [DeniedDelete] {
        var denied: [DeniedDelete] = []
        for link in group.links where !deleted.contains(link.destination.id) {
            if denied.last?.record === link.owner {
                denied[denied.count - 1].blockers.append(link.destination)
            } else {
                denied.append(
                    DeniedDelete(
                        record: link.owner, relationship: group.relationship, blockers: [link.destination]))
            }
        }
        return denied
    }
}
