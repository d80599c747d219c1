import Foundation
import FoundationAdditions
import ObjectGraph

/// Undo and redo.
///
/// 1. With an `undoManager`, every change of an object is registered when it is made. The changes of one event, up to
///    `processPendingChanges()` or `save()`, are one step, unless the manager is set to group them otherwise.
/// 2. A save removes no step. Undoing saved changes makes unsaved changes; an object whose deletion was saved comes
///    back as a new one.
/// 3. `rollback()` and `reset()` empty the manager. Merged changes are not registered.
extension NSManagedObjectContext {
    /// Undoes the latest step. Does nothing without an undo manager. Call it on the context's queue.
    public func undo() {
        checkQueue()
        travel { $0.undo() }
    }

    /// Redoes the step that was undone last. Does nothing without an undo manager. Call it on the context's queue.
    public func redo() {
        checkQueue()
        travel { $0.redo() }
    }

    private func travel(_ move: (UndoManager) -> Void) {
        guard let undoManager else { return }
        processPendingChanges()
        move(undoManager)
        // Changes that hooks make in response are not registered: a new step would discard the steps to redo.
        undoManager.disableUndoRegistration()
        processPendingChanges()
        undoManager.enableUndoRegistration()
    }

    /// Calls `awake(fromSnapshotEvents:)` of the objects that undo and redo changed.
    final func awakeReverted() {
        guard !reverted.isEmpty else { return }
        let objects = reverted
        reverted = [:]
        undoManager?.disableUndoRegistration()
        for (object, events) in objects { object.awake(fromSnapshotEvents: events) }
        undoManager?.enableUndoRegistration()
    }

    /// Discards all undo steps.
    final func discardUndoSteps() {
        undoManager?.removeAllActions()
        reverted = [:]
    }
}

extension NSManagedObjectContext: UndoRecorder {
    package func note(_ step: UndoStep) {
        undoManager?.registerUndo(withTarget: self) { $0.revert(step) }
    }

    private func revert(_ step: UndoStep) {
        let event = step.snapshotEvent
        // Looked up first, because undoing an insertion removes its object.
        if let object = step.object as? NSManagedObject { reverted[object, default: []].formUnion(event) }
        graph.revert(step)
    }
}

extension UndoStep {
    /// The event that undoing the step is for its object.
    fileprivate var snapshotEvent: NSSnapshotEventType {
        switch self {
        case .value, .linkAdded, .linkRemoved, .reordered: .undoUpdate
        case .inserted: .undoInsertion
        case .deleted: .undoDeletion
        case .bulkDelete: []
        }
    }

    fileprivate var object: AnyObject? {
        switch self {
        case .value(let record, _, _), .linkAdded(let record, _, _), .linkRemoved(let record, _, _),
            .reordered(let record, _, _), .inserted(let record):
            record.object
        case .deleted(_, let object): object
        case .bulkDelete: nil
        }
    }
}

extension NSManagedObject {
    /// Registers the former value of an attribute that is kept outside of its slot; the graph registers the slot's mark.
    final func noteValueOutsideSlot(at slot: Int) {
        guard let undoManager = managedObjectContext?.undoManager else { return }
        let old = valuesOutsideSlots[slot]
        undoManager.registerUndo(withTarget: self) { object in
            object.noteValueOutsideSlot(at: slot)
            object.valuesOutsideSlots[slot] = old
        }
    }
}
