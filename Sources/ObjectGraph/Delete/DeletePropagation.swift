/// Applying delete rules to live records: first everything is read that the rules reach, level by level, with one
/// statement per relationship and level however many objects it holds; only then is anything marked.
extension Graph {
    /// Marks objects, and what the rules take along, for deletion; survivors' inverses are cleared at once. A `deny`
    /// rule is judged at save, when it is known who survives.
    /// - Throws: What reading the store throws; nothing is marked then.
    /// - Parameters:
    ///   - origin: the delete observer is told of what goes by query, when it is saved.
    ///   - limit: more objects than this, those taken along included, and nothing is marked.
    package func delete(_ roots: [Record], _ origin: DeleteOrigin = .objects, atMost limit: Int? = nil) throws {
        mergeWaitingChanges()
        editCount &+= 1
        for root in roots where root.graph !== self { refuseDeletion(of: root) }
        let own = roots.filter { $0.graph === self && !$0.isGone }
        // Also for roots whose deletion is pending already.
        if !refused.isEmpty { for root in own { refused.resolveAll(of: root) } }
        let closure = try closure(of: own.filter { !$0.isDeleted })
        if let limit, closure.doomed.count > limit {
            throw DeleteError.tooManyRows(count: closure.doomed.count, limit: limit)
        }
        if origin == .query, deleteObserver != nil {
            announced.formUnion(closure.doomed.lazy.filter { !$0.isInserted }.map(\.id))
        }
        apply(closure)
        own.forEach(noteAskedFor)
    }

    /// Whether somebody knows the objects, or has only said what they are like.
    package enum DeleteOrigin: Sendable {
        case objects
        case query
    }

    /// Rows changed under a delete that waits for its save: the rules are followed again over what is there now.
    func spreadDeletes() throws {
        let doomed = pending.deleted.filter {
            !$0.isGone && !planned.deleted.contains($0.id) && !deletedElsewhere.contains($0.id)
        }
        guard !doomed.isEmpty else { return deletesWantSpreading = false }
        for record in doomed {
            for index in record.toMany.indices { record.toMany[index].forgetStored() }
        }
        try apply(closure(of: doomed))
        deletesWantSpreading = false
    }

    /// Marks an object for deletion; the rules are followed from it by `spreadMarkedDeletes`.
    package func markForDeletion(_ record: Record) {
        guard record.graph === self, !record.isGone else { return }
        noteAskedFor(record)
        if record.isDeleted { return }
        pending.noteDeleted(record)
        if tracksTouched { touch(record) }
        noteUndo(.deleted(record, record.object))
        unspread.append(record)
        tellFace()
    }

    /// The deletion is somebody's wish, wherever else rules lead.
    private func noteAskedFor(_ record: Record) { record.status.remove(.deletedByRule) }

    package var hasMarkedDeletes: Bool { !unspread.isEmpty || deletesWantSpreading }

    /// Follows the delete rules from the objects that were marked since this was last done.
    /// - Parameter willDelete: told of those that the rules are about to take along, while nothing of it is done; says
    ///   whether it may have changed anything.
    /// - Throws: What reading the store throws; the objects stay marked, and it may be done again.
    package func spreadMarkedDeletes(_ willDelete: ([Record]) -> Bool = { _ in false }) throws {
        if deletesWantSpreading { try spreadDeletes() }
        guard !unspread.isEmpty else { return }
        var closure = try closureOfMarked()
        var told: Set<ObjectID> = []
        // What is told may bring up more, as deep as the rules reach.
        for _ in 0..<Self.mostTellingRounds {
            let new = closure.doomed.filter { !$0.isDeleted && told.insert($0.id).inserted }
            guard !new.isEmpty, willDelete(new) else { break }
            closure = try closureOfMarked()
        }
        let marked = self.marked
        unspread = []
        apply(closure, marked: marked)
    }

    /// Somebody who adds something each time would never come to an end.
    private static var mostTellingRounds: Int { 1000 }

    private var marked: [Record] { unspread.filter { $0.graph === self && $0.isDeleted } }

    private func closureOfMarked() throws -> Closure {
        let marked = marked
        return marked.isEmpty ? Closure() : try closure(of: marked)
    }

    /// - Parameter marked: those that were marked before by `markForDeletion`.
    func apply(_ closure: Closure, marked: [Record] = []) {
        // Those that wait for deletion already are not to be undone with this.
        let new = recordsUndo || tracksTouched ? closure.doomed.filter { !$0.isDeleted } : []
        if !refused.isEmpty { for record in closure.doomed { refused.resolveAll(of: record) } }
        for record in closure.doomed where !record.isDeleted {
            pending.noteDeleted(record)
            record.status.insert(.deletedByRule)
        }
        if tracksTouched { for record in new { touch(record) } }
        for link in closure.links where !link.survivor.isDeleted {
            removeHalf(link.survivor, link.inverse, link.doomed.id)
        }
        // Those marked were noted then, but must be back before their links are.
        for record in new { noteUndo(.deleted(record, record.object)) }
        for record in marked { noteUndo(.deleted(record, record.object)) }
        for record in closure.doomed where record.isInserted { drop(record) }
        if !closure.doomed.isEmpty { tellFace() }
    }

    /// Marks one object like `delete(_:)`, for callers that cannot throw: when the store cannot be read now, the delete is
    /// tried again at save, which throws.
    package func deleteLater(_ record: Record) {
        editCount &+= 1
        do {
            mergeWaitingChanges()
            if deleteAtHand(record) { return }
            try readAhead(beside: record)
            try delete([record])
        } catch {
            face?.report(error)
            postponedDeletes.append(record)
        }
    }

    /// Deletes one object when all that it leads to has been read: then nothing else is to be worked out.
    /// - Returns: `false`, and nothing was done, when something has not, or when it is more than a few objects.
    private func deleteAtHand(_ root: Record) -> Bool {
        guard root.graph === self, !root.isDeleted, !root.isGone else { return false }
        var closure = spareClosure
        spareClosure = Closure()
        let isAtHand = follow(root, into: &closure)
        if isAtHand {
            apply(closure)
            noteAskedFor(root)
        }
        closure.empty()
        spareClosure = closure
        return isAtHand
    }

    /// - Returns: whether all that the object leads to is at hand.
    private func follow(_ root: Record, into closure: inout Closure) -> Bool {
        closure.doomed.append(root)
        var position = 0
        while position < closure.doomed.count {
            let record = closure.doomed[position]
            position += 1
            guard !record.isFault, add(linksOf: record, to: &closure) else { return false }
        }
        return true
    }

    /// Beyond so many, looking through them for each costs more than a set.
    private static var mostAtHand: Int { 32 }

    /// - Returns: whether all that the record leads to is at hand.
    private func add(linksOf record: Record, to closure: inout Closure) -> Bool {
        for relationship in record.entity.relationships {
            let effect = DeleteRules.effect(of: relationship)
            if effect == .nothing || effect == .refuse { continue }
            if let slot = relationship.slot {
                if isLedElsewhere(record, relationship, slot) { return false }
                guard case .reference(let id) = record.value(slot) else { continue }
                guard add(id, by: relationship, effect, of: record, to: &closure) else { return false }
            } else {
                guard let index = relationship.toManyIndex, let ids = record.currentMembers(index) else { return false }
                for id in ids where !add(id, by: relationship, effect, of: record, to: &closure) { return false }
            }
        }
        return true
    }

    /// - Returns: whether the destination is at hand.
    private func add(
        _ id: ObjectID, by relationship: EntityRelationship, _ effect: DeleteRules.Effect, of record: Record,
        to closure: inout Closure
    ) -> Bool {
        guard let destination = identityMap[id], !destination.isFault else { return false }
        if destination.isGone { return true }
        if effect == .clearInverse {
            guard let inverse = inverse(of: relationship, on: destination) else { return true }
            if isUnaware(destination, inverse, of: record.id) { return false }
            closure.links.append(CutLink(survivor: destination, inverse: inverse, doomed: record))
        } else if !destination.isDeleted, !closure.doomed.contains(where: { $0 === destination }) {
            guard closure.doomed.count < Self.mostAtHand else { return false }
            closure.doomed.append(destination)
        }
        return true
    }

    func retryPostponedDeletes() throws {
        guard !postponedDeletes.isEmpty else { return }
        try delete(postponedDeletes)
        postponedDeletes = []
    }

    /// What a delete takes along, and what it cuts loose unless that goes too.
    struct Closure {
        var doomed: [Record] = []
        var links: [CutLink] = []

        /// Keeps the room. One by one, as there are a few at most: the library's own way costs more than that.
        mutating func empty() {
            while doomed.popLast() != nil {}
            while links.popLast() != nil {}
        }
    }

    /// A link of what goes with what may stay.
    struct CutLink {
        let survivor: Record
        let inverse: EntityRelationship
        let doomed: Record
    }

    func closure(of roots: [Record]) throws -> Closure {
        var closure = Closure()
        var seen: Set<ObjectID> = []
        var level = roots.filter { seen.insert($0.id).inserted }
        while !level.isEmpty {
            try fire(level)
            level.removeAll(where: \.isGone)
            closure.doomed += level
            var next: [Record] = []
            for records in groupedByEntity(level) {
                for relationship in records.entity.relationships {
                    switch DeleteRules.effect(of: relationship) {
                    case .nothing, .refuse: continue
                    case .clearInverse:
                        closure.links += try inverseLinks(of: relationship, from: records.members)
                        closure.links += try lingeringLinks(of: relationship, from: records.members)
                    case .deleteDestinations:
                        let lingering = try lingeringLinks(of: relationship, from: records.members)
                        next += try (destinations(of: records.members, relationship) + lingering.map(\.survivor))
                            .filter { !$0.isDeleted && seen.insert($0.id).inserted }
                    }
                }
            }
            level = next
        }
        return closure
    }

    private func groupedByEntity(_ records: [Record]) -> [(entity: Entity, members: [Record])] {
        // Objects deleted one by one come alone.
        if records.count == 1 { return [(records[0].entity, records)] }
        return Dictionary(grouping: records) { $0.entity.index }
            .sorted { $0.key < $1.key }
            .compactMap { group in group.value.first.map { ($0.entity, group.value) } }
    }

    private func destinations(of records: [Record], _ relationship: EntityRelationship) throws -> [Record] {
        try readMembers(of: relationship, owners: records)
        return records.flatMap { destinations(of: $0, relationship) }
    }

    private func inverseLinks(
        of relationship: EntityRelationship, from records: [Record]
    ) throws -> [CutLink] {
        try prefetch(relationship, of: records)
        var links: [CutLink] = []
        for record in records {
            for destination in destinations(of: record, relationship) {
                guard let inverse = inverse(of: relationship, on: destination) else { continue }
                links.append(CutLink(survivor: destination, inverse: inverse, doomed: record))
            }
        }
        try readStaleSurvivors(of: links)
        return links
    }

    /// Where a relationship leads, whatever its cardinality.
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

    /// Objects that a `deny` rule protects from a pending deletion.
    func deniedDeletes() throws -> [ValidationError] {
        var denied: [ValidationError] = []
        // The planner judges its own.
        let deleted = pending.deleted.filter {
            $0.entity.mayRefuseDeletes && !planned.deleted.contains($0.id) && !deletedElsewhere.contains($0.id)
        }
        for group in groupedByEntity(deleted) {
            for relationship in group.entity.relationships
            where DeleteRules.effect(of: relationship) == .refuse {
                try prefetch(relationship, of: group.members)
                denied += group.members.compactMap { denial(of: $0, relationship) }
            }
        }
        return denied
    }

    private func denial(of record: Record, _ relationship: EntityRelationship) -> ValidationError? {
        let survivors = destinations(of: record, relationship).filter { !$0.isDeleted && !$0.isGone }
        guard !survivors.isEmpty else { return nil }
        return .deniedDelete(
            record.id, relationship: relationship.name, blockerCount: survivors.count,
            blockers: survivors.prefix(5).map(\.id))
    }
}
