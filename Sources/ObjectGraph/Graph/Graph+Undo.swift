/// One step of unsaved work. Steps taken back in reverse order lead to the state before the first of them.
package enum UndoStep {
    case value(Record, slot: Int, old: Value)
    /// This end of a link was made.
    case linked(Record, EntityRelationship, Record)
    /// This end of a link was broken.
    case unlinked(Record, EntityRelationship, Record)
    case inserted(Record)
    /// With the object, which nothing else may keep alive.
    case deleted(Record, AnyObject?)
    /// Rows were deleted by query; with the deletes that waited before, and the number of saves that carried any out.
    case plannedDelete(before: PlannedDeletes, saveCount: Int)
}

/// Told of every step of unsaved work as it is made; those made while one is taken back included, which is what makes
/// redo.
package protocol UndoRecorder: AnyObject {
    func note(_ step: UndoStep)
}

extension Graph {
    /// Takes one step back. A step whose object has meanwhile left for good changes nothing.
    package func revert(_ step: UndoStep) {
        switch step {
        case .value(let record, let slot, let old):
            guard record.graph === self else { return }
            record.observer?.willChange(record, relationship: nil)
            record.setValue(old, at: slot)
            record.observer?.didChange(record, relationship: nil)
        case .linked(let record, let relationship, let other):
            if record.graph === self { removeHalf(record, relationship, other.id) }
        case .unlinked(let record, let relationship, let other):
            restoreLink(record, relationship, other)
        case .inserted(let record):
            deleteLater(record)
        case .deleted(let record, let object):
            restore(record, object)
        case .plannedDelete(let before, let saveCount):
            // What is saved is not to wait again.
            guard saveCount == plannedSaveCount else { return }
            noteUndo(.plannedDelete(before: planned, saveCount: plannedSaveCount))
            replacePlanned(by: before)
            tellFace()
        }
    }

    private func restoreLink(_ record: Record, _ relationship: EntityRelationship, _ other: Record) {
        guard record.graph === self, other.graph === self, !leads(record, relationship, to: other) else { return }
        // The other end still leads here, unless its row is gone and it came back as a new object.
        if let inverse = inverse(of: relationship, on: other), !leads(other, inverse, to: record) {
            connect(record, relationship, other)
        } else {
            addHalf(record, relationship, other.id)
        }
    }

    private func restore(_ record: Record, _ object: AnyObject?) {
        if record.graph === self {
            guard record.isDeleted else { return }
            record.status.remove(.deleted)
            pending.forgetDeleted(record)
            noteUndo(.inserted(record))
            tellFace()
        } else if record.graph == nil, let object {
            pending.forgetInserted(record)
            registerNew((record, object))
        }
    }

    func noteUndo(_ step: @autoclosure () -> UndoStep) {
        guard recordsUndo else { return }
        undoRecorder?.note(step())
    }

    /// Notes one end of a link made or broken; only objects known here can be linked again.
    func noteUndo(
        _ make: (Record, EntityRelationship, Record) -> UndoStep, _ record: Record, _ relationship: EntityRelationship,
        _ id: ObjectID
    ) {
        guard recordsUndo, let other = self.record(for: id) else { return }
        undoRecorder?.note(make(record, relationship, other))
    }
}
