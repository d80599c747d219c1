import Foundation
import FoundationAdditions
import ObjectGraph

/// Taking work back, and doing it again.
///
/// 1. With an `undoManager`, every change of an object is registered as it is made. What is done in one event, up to
///    `processPendingChanges()` or `save()`, is one step, unless the manager was told to group it otherwise.
/// 2. A save takes no step away. What was saved can be taken back, and is then unsaved work; an object whose deletion was
///    saved comes back as a new one.
/// 3. `rollback()` and `reset()` empty the manager. What is merged in from others was never registered.
extension NSManagedObjectContext {
    /// Takes back the latest step. Does nothing without an undo manager.
    public func undo() {
        checkQueue()
        travel { $0.undo() }
    }

    /// Does again what was taken back last. Does nothing without an undo manager.
    public func redo() {
        checkQueue()
        travel { $0.redo() }
    }

    private func travel(_ move: (UndoManager) -> Void) {
        guard let undoManager else { return }
        processPendingChanges()
        move(undoManager)
        // What hooks do in answer is no step of its own: it would cost what can be done again.
        undoManager.disableUndoRegistration()
        processPendingChanges()
        undoManager.enableUndoRegistration()
    }

    /// Tells the objects that undo and redo changed.
    final func wakeReverted() {
        guard !reverted.isEmpty else { return }
        let objects = reverted
        reverted = [:]
        undoManager?.disableUndoRegistration()
        for (object, events) in objects { object.awake(fromSnapshotEvents: events) }
        undoManager?.enableUndoRegistration()
    }

    /// Nothing that was done can be taken back any more.
    final func forgetUndo() {
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
        // Looked up before: the object of an insertion that is taken back leaves.
        if let object = step.object as? NSManagedObject { reverted[object, default: []].formUnion(event) }
        graph.revert(step)
    }
}

extension UndoStep {
    /// What taking the step back is to its object.
    fileprivate var snapshotEvent: NSSnapshotEventType {
        switch self {
        case .value, .linked, .unlinked, .reordered: .undoUpdate
        case .inserted: .undoInsertion
        case .deleted: .undoDeletion
        case .bulkDelete: []
        }
    }

    fileprivate var object: AnyObject? {
        switch self {
        case .value(let record, _, _), .linked(let record, _, _), .unlinked(let record, _, _),
            .reordered(let record, _, _), .inserted(let record):
            record.object
        case .deleted(_, let object): object
        case .bulkDelete: nil
        }
    }
}

extension NSManagedObject {
    /// Registers what a value is that has no form in a slot; the slot's own mark is registered by the graph.
    final func noteLooseValue(at slot: Int) {
        guard let undoManager = managedObjectContext?.undoManager else { return }
        let old = looseValues[slot]
        undoManager.registerUndo(withTarget: self) { object in
            object.noteLooseValue(at: slot)
            object.looseValues[slot] = old
        }
    }
}
