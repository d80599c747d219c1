/// One step of undo in unsaved changes, such as a delete. Reverting all steps in reverse order restores the
/// state before the first of them.
package enum UndoStep {
    case value(Record, slot: Int, old: Value)
    /// This end of a link was made.
    case linkAdded(Record, EntityRelationship, Record)
    /// This end of a link was broken.
    case linkRemoved(Record, EntityRelationship, Record)
    /// Members of an ordered relationship were moved. Contains the former members in their order.
    case reordered(Record, EntityRelationship, [Record])
    case inserted(Record)
    /// Contains the object, as nothing else may keep it alive.
    case deleted(Record, AnyObject?)
    /// A bulk delete. Contains the bulk deletes pending before it, and the number of saves that executed any.
    case bulkDelete(before: BulkDeletes, saveCount: Int)
}

/// Receives every step of unsaved changes. Redo consists of the steps received while others are reverted.
package protocol UndoRecorder: AnyObject {
    func note(_ step: UndoStep)
}

extension Graph {
    /// Reverts one step. Changes nothing for objects that have left the graph permanently.
    package func revert(_ step: UndoStep) {
        resolveWhenAsked()
        switch step {
        case .value(let record, let slot, let old):
            guard record.graph === self else { return }
            record.observer?.willChange(record, relationship: nil)
            record.setValue(old, at: slot)
            record.observer?.didChange(record, relationship: nil)
        case .linkAdded(let record, let relationship, let other):
            // Another context may have deleted the row at the other end, and the link with it.
            if record.graph === self, refers(record, relationship, to: other) {
                removeHalf(record, relationship, other.id)
            }
        case .linkRemoved(let record, let relationship, let other):
            restoreLink(record, relationship, other)
        case .reordered(let record, let relationship, let members):
            restoreOrder(record, relationship, members)
        case .inserted(let record):
            deleteNow(record)
        case .deleted(let record, let object):
            restore(record, object)
        case .bulkDelete(let before, let saveCount):
            // A deletion that was saved must not become pending again.
            guard saveCount == edits.bulkSaves else { return }
            noteUndo(.bulkDelete(before: deletes.bulk, saveCount: edits.bulkSaves))
            replaceBulkDeletes(by: before)
            notifyFace()
        }
    }

    private func restoreLink(_ record: Record, _ relationship: EntityRelationship, _ other: Record) {
        // Records whose rows do not exist leave the graph when they are read.
        for end in [record, other] where end.graph === self && end.isFault { fire(end) }
        guard record.graph === self, other.graph === self, !deletes.isRemote(record),
            !deletes.isRemote(other), !refers(record, relationship, to: other)
        else { return }
        // The other end still has the link, unless its row was deleted and it came back as a new object.
        if let inverse = inverse(of: relationship, on: other), !refers(other, inverse, to: record) {
            connect(record, relationship, other)
        } else {
            addHalf(record, relationship, other.id)
        }
    }

    /// Leaves out former members that are none now; new members stay last.
    private func restoreOrder(_ record: Record, _ relationship: EntityRelationship, _ members: [Record]) {
        guard record.graph === self else { return }
        let current = memberIDs(of: record, relationship)
        let (former, present) = (members.map(\.id), Set(current))
        let known = Set(former)
        place(former.filter(present.contains) + current.filter { !known.contains($0) }, in: record, relationship)
    }

    /// Undoes a delete: ends a pending deletion, or makes the object new if another context deleted its row, too. An
    /// object that left the graph gets the record of its row if the row exists, or else becomes new.
    private func restore(_ record: Record, _ object: AnyObject?) {
        if record.graph === self {
            guard record.isDeleted else { return }
            if deletes.isRemote(record), let object { return becomeNewRow(record, object) }
            endDeletion(of: record)
            noteEventChange(record, .inserted)
            noteUndo(.inserted(record))
            notifyFace()
        } else if record.graph == nil, let object, !reattach(object, for: record) {
            unsaved.removeInserted(record)
            registerAgain((record, object))
            removeDanglingLinks(of: record)
            closeLinks(of: record)
        }
    }

    /// Connects an object to its row again, if another context deleted the row and restored it.
    /// - Returns: Whether the row exists. It is read to determine this.
    private func reattach(_ object: AnyObject, for former: Record) -> Bool {
        guard former.isGone, !former.id.isTemporary, let record = record(for: former.id) else { return false }
        fire(record)
        guard !record.isGone else { return false }
        record.object = record.object ?? object
        record.observer = record.observer ?? former.observer
        face?.redirect(object, to: record)
        return true
    }

    /// Restores the inverses of links that an object kept when it left. If the other end has another destination by
    /// now, removes the link instead. Objects pending deletion kept their own ends.
    private func closeLinks(of record: Record) {
        for relationship in record.entity.relationships {
            for destination in destinations(of: record, relationship) where !destination.isDeleted {
                guard let inverse = inverse(of: relationship, on: destination),
                    !refers(destination, inverse, to: record)
                else { continue }
                if isFree(destination, inverse) {
                    addHalf(destination, inverse, record.id)
                } else {
                    removeHalf(record, relationship, destination.id)
                }
            }
        }
    }

    /// Turns the object into a new one, because another context deleted its row, too. Objects that refer to it keep
    /// their references.
    func becomeNewRow(_ record: Record, _ object: AnyObject) {
        let former = record.id
        leave(record, as: .rowMissing)
        registerAgain((record, object))
        for other in Array(identityMap.all) where other !== record && !other.isFault && !other.isDeleted {
            for relationship in other.entity.relationships where knows(former, other, relationship) {
                removeHalf(other, relationship, former)
                connect(other, relationship, record)
            }
        }
    }

    /// Whether the values already read have a reference to the object.
    private func knows(_ id: ObjectID, _ record: Record, _ relationship: EntityRelationship) -> Bool {
        if let index = relationship.toManyIndex { return record.currentMembers(index)?.contains(id) ?? false }
        guard let slot = relationship.slot, slot < record.values.count else { return false }
        return record.values[slot] == .reference(id)
    }

    /// Removes references to rows that were deleted since the object left.
    private func removeDanglingLinks(of record: Record) {
        for relationship in record.entity.relationships {
            var ids = relationship.toManyIndex.map { record.members($0).added.all } ?? []
            if let slot = relationship.slot, case .reference(let id) = record.value(slot) { ids = [id] }
            for id in ids where isDead(id) { removeHalf(record, relationship, id) }
        }
    }

    /// Whether a row existed and was deleted. It is read to determine this.
    private func isDead(_ id: ObjectID) -> Bool {
        if id.isTemporary || unsaved.reservedIDs.contains(id) { return false }
        guard let record = record(for: id), !deletes.isRemote(record) else { return true }
        fire(record)
        return record.isGone
    }

    func noteUndo(_ step: @autoclosure () -> UndoStep) {
        guard recordsUndo else { return }
        undoRecorder?.note(step())
    }

    /// Records one end of a link made or broken. Only objects of this graph can be linked again.
    func noteUndo(
        _ make: (Record, EntityRelationship, Record) -> UndoStep, _ record: Record, _ relationship: EntityRelationship,
        _ id: ObjectID
    ) {
        guard recordsUndo, let other = self.record(for: id) else { return }
        undoRecorder?.note(make(record, relationship, other))
    }

    /// Records the order of the members of an ordered relationship before it changes.
    func noteOrder(of record: Record, _ relationship: EntityRelationship) {
        guard recordsUndo, relationship.relationship.isOrdered, relationship.toManyIndex != nil else { return }
        undoRecorder?.note(.reordered(record, relationship, members(of: record, relationship)))
    }
}
