/// Deleting objects: `DeletePlanner` follows the delete rules over what the context has, with one statement for each
/// relationship and level however many objects it holds; only then is anything marked.
extension Graph {
    /// Marks objects, and those that cascades reach, for deletion, and nullifies the inverses of survivors at once. A `deny`
    /// rule is judged at the save, when the survivors are known.
    /// - Throws: What reading the store throws; nothing is marked then.
    /// - Parameter limit: with more objects than this, those that cascades reach included, nothing is marked.
    package func delete(_ roots: [Record], atMost limit: Int? = nil) throws {
        mergeWaitingChanges()
        edits.count &+= 1
        for root in roots where root.graph !== self { refuseDeletion(of: root) }
        let own = roots.filter { $0.graph === self && !$0.isGone }
        // Also for roots whose deletion is pending already.
        if !unsaved.refused.isEmpty { for root in own { unsaved.refused.resolveAll(of: root) } }
        let closure = try closure(of: own.filter { !$0.isDeleted })
        if let limit, closure.doomed.count > limit {
            throw DeleteError.tooManyRows(count: closure.doomed.count, limit: limit)
        }
        apply(closure)
        own.forEach(noteAskedFor)
    }

    /// Follows the delete rules again from all deleted objects: rows have changed since that was last done.
    func spreadDeletes() throws {
        let doomed = unsaved.deleted.filter { !$0.isGone && deletes.isOwn($0) }
        guard !doomed.isEmpty else { return deletes.needsPropagation = false }
        for record in doomed {
            for index in record.toMany.indices { record.toMany[index].forgetStored() }
        }
        try apply(closure(of: doomed))
        deletes.needsPropagation = false
    }

    /// Marks an object for deletion; the rules are followed from it by `spreadMarkedDeletes`.
    package func markForDeletion(_ record: Record) {
        guard record.graph === self, !record.isGone else { return }
        noteAskedFor(record)
        if record.isDeleted { return }
        unsaved.noteDeleted(record)
        if tracksTouched { touch(record) }
        noteUndo(.deleted(record, record.object))
        deletes.unresolved.append(record)
        tellFace()
    }

    /// The object was deleted explicitly, not only by cascade.
    private func noteAskedFor(_ record: Record) { record.status.remove(.deletedByRule) }

    package var hasMarkedDeletes: Bool { !deletes.unresolved.isEmpty || deletes.needsPropagation }

    /// Follows the delete rules from the objects that were marked since this was last done.
    /// - Parameter willDelete: called with objects that cascades are about to delete, before anything is done; returns whether
    ///   it may have changed anything.
    /// - Throws: What reading the store throws; the objects stay marked, and it may be done again.
    package func spreadMarkedDeletes(_ willDelete: ([Record]) -> Bool = { _ in false }) throws {
        if deletes.needsPropagation { try spreadDeletes() }
        try followFromMarked(willDelete)
    }

    private func followFromMarked(_ willDelete: ([Record]) -> Bool = { _ in false }) throws {
        deletes.resolvesWhenAsked = false
        guard !deletes.unresolved.isEmpty else { return }
        var closure = try closureOfMarked()
        var announced: Set<ObjectID> = []
        // Hooks may delete more, at any depth that the rules reach.
        for _ in 0..<Self.mostHookRounds {
            let new = closure.doomed.filter { !$0.isDeleted && announced.insert($0.id).inserted }
            guard !new.isEmpty, willDelete(new) else { break }
            closure = try closureOfMarked()
        }
        let marked = self.marked
        deletes.unresolved = []
        apply(closure, marked: marked)
    }

    /// Guards against a hook that inserts or deletes objects forever.
    private static var mostHookRounds: Int { 1000 }

    private var marked: [Record] { deletes.unresolved.filter { $0.graph === self && $0.isDeleted } }

    private func closureOfMarked() throws -> Closure {
        let marked = marked
        return marked.isEmpty ? Closure() : try closure(of: marked)
    }

    /// - Parameter marked: those that were marked before by `markForDeletion`.
    func apply(_ closure: Closure, marked: [Record] = []) {
        // Objects that were deleted before are not part of this undo step.
        let new = recordsUndo || tracksTouched ? closure.doomed.filter { !$0.isDeleted } : []
        if !unsaved.refused.isEmpty { for record in closure.doomed { unsaved.refused.resolveAll(of: record) } }
        for record in closure.doomed where !record.isDeleted {
            unsaved.noteDeleted(record)
            record.status.insert(.deletedByRule)
        }
        if tracksTouched { for record in new { touch(record) } }
        for link in closure.links where !link.survivor.isDeleted {
            removeHalf(link.survivor, link.inverse, link.doomed.id)
        }
        // Marked objects were recorded when they were marked. Undo must restore them before their links, so once more here.
        for record in new { noteUndo(.deleted(record, record.object)) }
        for record in marked { noteUndo(.deleted(record, record.object)) }
        for record in closure.doomed where record.isInserted { drop(record) }
        if !closure.doomed.isEmpty { tellFace() }
    }

    /// Marks one object for deletion. The delete rules are followed from all that were marked so together, when anything is
    /// asked that may depend on it, or at the save. Where the store cannot be read then, that is reported, and the save throws.
    ///
    /// Steps to undo belong to where the program makes them, and observers are notified of what they caused, so with either
    /// the rules are followed at once.
    package func deleteLater(_ record: Record) {
        if recordsUndo || identityMap.isObserved { return deleteNow(record) }
        edits.count &+= 1
        guard record.graph === self else { return refuseDeletion(of: record) }
        if !unsaved.refused.isEmpty { unsaved.refused.resolveAll(of: record) }
        markForDeletion(record)
        deletes.resolvesWhenAsked = !deletes.unresolved.isEmpty
    }

    /// Deletes one object like `delete(_:)`, for callers that cannot throw: where the store cannot be read, the object is
    /// marked, and the save throws.
    func deleteNow(_ record: Record) {
        do {
            try delete([record])
        } catch {
            face?.report(error)
            markForDeletion(record)
        }
    }

    /// Whether what this graph says of links and unsaved work depends on delete rules that have not been followed yet.
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

    /// What a delete deletes, and the links that survivors lose.
    struct Closure {
        var doomed: [Record] = []
        var links: [CutLink] = []
    }

    /// A link of a deleted object with one that may survive.
    struct CutLink {
        let survivor: Record
        let inverse: EntityRelationship
        let doomed: Record
    }

    /// What deleting the objects deletes, by the delete rules over what this context has.
    /// - Throws: What reading the store throws.
    func closure(of roots: [Record]) throws -> Closure {
        guard let model, !roots.isEmpty else { return Closure() }
        let reading = GraphReading(self, model)
        let rows = RowSet(roots.lazy.map(\.id))
        let deleted = try DeletePlanner.deletedRows(by: rows, reading)
        var seen: Set<ObjectID> = []
        // In the order in which they were found: objects that undo inserts again are in its reverse.
        let found = (roots + reading.links.map(\.destination)).filter {
            !$0.isGone && deleted.contains($0.id) && seen.insert($0.id).inserted
        }
        return Closure(doomed: found, links: reading.links.compactMap(cutLink))
    }

    /// The destinations of a relationship, whatever its cardinality.
    package func destinations(of record: Record, _ relationship: EntityRelationship) -> [Record] {
        guard relationship.isToOne else { return members(of: record, relationship) }
        return destination(of: record, relationship).map { [$0] } ?? []
    }

    /// An object that was never saved leaves no trace.
    func drop(_ record: Record) {
        record.status = []
        record.committed = nil
        identityMap.remove(record.id)
        record.graph = nil
        record.object = nil
    }

    /// A deletion that a `deny` rule of the object forbids.
    package struct DeniedDelete {
        package let record: Record
        package let relationship: EntityRelationship
        /// The destinations that stay.
        package fileprivate(set) var blockers: [Record]
    }

    /// What `deny` rules forbid of the pending deletions. Deletes by query are judged by the store, in the transaction of the
    /// save.
    /// - Throws: What reading the store throws.
    func deniedDeletes() throws -> [ValidationError] {
        try deniedDeletes(of: unsaved.deleted.filter(deletes.isOwn)).map { denied in
            .deniedDelete(
                denied.record.id, relationship: denied.relationship.name, blockerCount: denied.blockers.count,
                blockers: denied.blockers.prefix(5).map(\.id))
        }
    }

    /// What `deny` rules forbid of deleting these objects together.
    /// - Throws: What reading the store throws.
    package func deniedDeletes(of records: [Record]) throws -> [DeniedDelete] {
        let records = records.filter(\.entity.mayRefuseDeletes)
        guard let model, !records.isEmpty else { return [] }
        let reading = GraphReading(self, model)
        let rows = RowSet(records.lazy.map(\.id))
        if try DeletePlanner.denials(of: rows, reading).isEmpty { return [] }
        var denied: [DeniedDelete] = []
        for link in reading.links where !rows.contains(link.destination.id) {
            if let last = denied.last, last.record === link.owner, last.relationship.index == link.relationship.index {
                denied[denied.count - 1].blockers.append(link.destination)
            } else {
                denied.append(
                    DeniedDelete(record: link.owner, relationship: link.relationship, blockers: [link.destination]))
            }
        }
        return denied
    }
}
