/// Upkeep of both ends of every relationship. A link has two halves: this end's and, if there is an inverse, the other
/// end's. Edits of links are made here; bulk deletes and merges remove links by sets (`Graph+RemovedLinks`).
extension Graph {
    /// Returns the inverse as declared by the destination's own entity. Positions are the same in every model that has
    /// both classes, so this works for objects of different models.
    func inverse(of relationship: EntityRelationship, on destination: Record) -> EntityRelationship? {
        guard let index = relationship.inverseIndex, index < destination.entity.relationships.count else { return nil }
        return destination.entity.relationships[index]
    }

    // MARK: Reading

    /// Returns the destination of a to-one relationship; `nil` if there is none or its row does not exist. A reference
    /// without an inverse may be dangling, so its row is read.
    package func destination(of record: Record, _ relationship: EntityRelationship) -> Record? {
        relationship.slot.flatMap { destination(of: record, at: $0) }
    }

    private func destination(of record: Record, at slot: Int) -> Record? {
        resolveWhenAsked()
        guard let id = reference(of: record, at: slot), let destination = self.record(for: id) else { return nil }
        fire(destination)
        return destination.isGone ? nil : destination
    }

    func reference(of record: Record, at slot: Int) -> ObjectID? {
        if let id = record.reference(at: slot) { return id }
        guard case .reference(let id) = record.value(slot) else { return nil }
        return id
    }

    /// Returns the object at the other end of a to-one relationship.
    /// - Parameter slot: The slot of the relationship.
    package func destinationObject(of record: Record, at slot: Int) -> AnyObject? {
        destination(of: record, at: slot).flatMap(object)
    }

    /// Returns the identifiers of the members of a to-many relationship, in order.
    package func memberIDs(of record: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        resolveWhenAsked()
        guard let index = relationship.toManyIndex else { return [] }
        if let current = record.currentMembers(index) { return current }
        readMembers(of: record, relationship)
        return record.currentMembers(index) ?? []
    }

    /// Reads the members unless they have been read.
    func readMembers(of record: Record, _ relationship: EntityRelationship) {
        guard let index = relationship.toManyIndex, !record.isRead(toMany: index) else { return }
        if store == nil || record.id.isTemporary || record.isGone {
            _ = record.withMembers(index) { $0.read([]) }
            return
        }
        do {
            try readMembers(of: relationship, owners: [record])
        } catch {
            // They stay unread, so the next access tries again.
            face?.report(error)
        }
    }

    package func members(of record: Record, _ relationship: EntityRelationship) -> [Record] {
        memberIDs(of: record, relationship).compactMap { id in
            self.record(for: id).flatMap { $0.isGone ? nil : $0 }
        }
    }

    // MARK: Writing

    /// Sets the destination of a to-one relationship; `nil` clears it.
    package func setDestination(of record: Record, _ relationship: EntityRelationship, to new: Record?) {
        resolveWhenAsked()
        guard let slot = relationship.slot, !record.isGone else { return }
        resolveRefused(relationship, of: record)
        let old = record.value(slot)
        if case .reference(let id) = old {
            if id == new?.id { return }
            if new == nil, destination(of: record, relationship) == nil {
                // It already reads as nil, so undoing this would have no visible effect.
                withoutUndo { disconnect(record, relationship, fromID: id) }
            } else {
                disconnect(record, relationship, fromID: id)
            }
        }
        if let new { connect(record, relationship, new) }
    }

    /// Sets the members of a to-many relationship, and their order if it is ordered.
    package func setMembers(of record: Record, _ relationship: EntityRelationship, to new: [Record]) {
        resolveWhenAsked()
        guard let index = relationship.toManyIndex, !record.isGone else { return }
        resolveRefused(relationship, of: record)
        let old = memberIDs(of: record, relationship)
        guard record.members(index).isRead else {
            // The members could not be read, so it is not known which ones to unlink.
            unsaved.unreadable.insert(record.id)
            return
        }
        if let member = appended(to: old, in: new) {
            connect(record, relationship, member)
        } else {
            let wanted = Set(new.map(\.id))
            for id in old where !wanted.contains(id) {
                disconnect(record, relationship, fromID: id)
            }
            var known = Set(old)
            for member in new where known.insert(member.id).inserted {
                connect(record, relationship, member)
            }
        }
        if relationship.relationship.isOrdered {
            var placed: Set<ObjectID> = []
            place(new.filter { !$0.isGone && placed.insert($0.id).inserted }.map(\.id), in: record, relationship)
        }
    }

    /// Returns the one new member appended to otherwise equal members, as when a program appends in a loop. Comparing
    /// the lists costs much less than making sets of all members.
    private func appended(to old: [ObjectID], in new: [Record]) -> Record? {
        guard let last = new.last, new.count == old.count + 1, zip(old, new).allSatisfy({ $0 == $1.id }),
            !old.contains(last.id)
        else { return nil }
        return last
    }

    /// Sets the order of the members of an ordered relationship.
    func place(_ order: [ObjectID], in record: Record, _ relationship: EntityRelationship) {
        guard let index = relationship.toManyIndex, order != memberIDs(of: record, relationship) else { return }
        noteOrder(of: record, relationship)
        change(record, relationship) { record.withMembers(index) { $0.place(order) } }
    }

    /// Links two objects, and breaks other links of their to-one ends.
    func connect(_ record: Record, _ relationship: EntityRelationship, _ destination: Record) {
        let inverse = inverse(of: relationship, on: destination)
        // One half alone would stay if the other end's row did not exist.
        if inverse != nil { for end in [record, destination] where end.isFault { fire(end) } }
        if record.isGone || destination.isGone { return }
        if let slot = relationship.slot, case .reference(let id) = record.value(slot), id != destination.id {
            disconnect(record, relationship, fromID: id)
        }
        if let inverse, let slot = inverse.slot, case .reference(let id) = destination.value(slot), id != record.id {
            disconnect(destination, inverse, fromID: id)
        }
        addHalf(record, relationship, destination.id)
        // A relationship that is its own inverse, from an object to itself, has one half.
        if let inverse, record !== destination || inverse.index != relationship.index {
            addHalf(destination, inverse, record.id)
        }
    }

    /// Breaks a link. If the other end is not registered, it needs no upkeep.
    func disconnect(_ record: Record, _ relationship: EntityRelationship, fromID id: ObjectID) {
        removeHalf(record, relationship, id)
        guard relationship.inverseIndex != nil, let destination = self.record(for: id), !destination.isGone,
            let inverse = inverse(of: relationship, on: destination)
        else { return }
        removeHalf(destination, inverse, record.id)
    }

    func addHalf(_ record: Record, _ relationship: EntityRelationship, _ id: ObjectID) {
        readMembers(of: record, relationship) { $0.mustBeRead(toAdd: id) }
        noteUndo(UndoStep.linkAdded, record, relationship, id)
        noteMemberChange(id, relationship, of: record, isAddition: true)
        change(record, relationship) {
            if let slot = relationship.slot {
                record.values[slot] = .reference(id)
            } else if let index = relationship.toManyIndex {
                record.withMembers(index) { $0.add(id) }
            }
        }
    }

    func removeHalf(_ record: Record, _ relationship: EntityRelationship, _ id: ObjectID) {
        if let slot = relationship.slot {
            // A fault's partial values may be older than its row.
            if record.isFault { fire(record) }
            guard record.value(slot) == .reference(id) else { return }
        }
        readMembers(of: record, relationship) { $0.mustBeRead(toRemove: id) }
        noteOrder(of: record, relationship)
        noteUndo(UndoStep.linkRemoved, record, relationship, id)
        noteMemberChange(id, relationship, of: record, isAddition: false)
        change(record, relationship) {
            if let slot = relationship.slot {
                record.values[slot] = .null
            } else if let index = relationship.toManyIndex {
                record.withMembers(index) { $0.remove(id) }
            }
        }
    }

    private func readMembers(
        of record: Record, _ relationship: EntityRelationship, where mustBeRead: (inout ToManyMembers) -> Bool
    ) {
        guard let index = relationship.toManyIndex, record.withMembers(index, mustBeRead) else { return }
        readMembers(of: record, relationship)
    }

    private func change(_ record: Record, _ relationship: EntityRelationship, _ body: () -> Void) {
        if record.isFault { fire(record) }
        guard !record.isGone else { return }
        guard !record.isFault else {
            unsaved.unreadable.insert(record.id)
            return
        }
        record.observer?.willChange(record, relationship: relationship)
        record.beginEdit(PropertyMask(relationship))
        body()
        record.observer?.didChange(record, relationship: relationship)
    }
}
