import Foundation
import FoundationAdditions
import ObjectGraph

extension NSManagedObjectContext {
    /// Follows the delete rules from what was marked, and tells observers what changed since this was last done. What is
    /// done after it is undone apart from what was done before.
    ///
    /// A context does this by itself at the end of an event: for a context of the main queue, of the event of the main queue
    /// or main run loop in which an object was changed; at the end of each block of `perform`, and of each outermost block of
    /// `performAndWait`. Saves, fetches and other requests do it first.
    public func processPendingChanges() {
        checkQueue()
        // Not from within the hooks that it calls.
        guard !isProcessing else { return }
        processChanges()
        undoManager?.endEvent()
    }

    /// The same within an event: what follows belongs to the same step of undo.
    private func processChanges() {
        isProcessing = true
        defer { isProcessing = false }
        wakeReverted()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        prepared = []
        tellOfTouched()
    }

    /// What a request does before it is carried out. Within hooks and the steps of a save, which process changes themselves, and
    /// while changes are announced, only the delete rules are followed.
    final func processChangesBeforeRequest() {
        if !isProcessing, !isSaving, !isAnnouncing { return processChanges() }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    }

    /// Called at the first change since changes were last processed. On the main queue, they are processed when the queue
    /// comes to its next block: after the current event, as a run loop runs the blocks of the main queue between events.
    /// Blocks of other queues process changes at their end. A context that is used outside of its queue has no events.
    package func graphWasTouched() {
        guard queue.isMain, queue.isCurrent, !awaitsEndOfEvent else { return }
        awaitsEndOfEvent = true
        queue.async { [weak self] in
            guard let self else { return }
            awaitsEndOfEvent = false
            processPendingChanges()
        }
    }

    /// - Returns: the objects that observers were told of, but for those that left.
    @discardableResult
    final func tellOfTouched() -> [NSManagedObject] {
        graph.takeTouched { touched in
            let changes = EventChanges(touched)
            post(
                .NSManagedObjectContextObjectsDidChange,
                [
                    NSInsertedObjectsKey: changes.inserted, NSUpdatedObjectsKey: changes.updated,
                    NSDeletedObjectsKey: changes.deleted,
                ])
            return touched.compactMap { $0.object as? NSManagedObject }.filter { $0.record.graph === graph }
        }
    }
}

/// What came, changed and went since pending changes were last processed.
private struct EventChanges {
    var inserted: Set<NSManagedObject> = []
    var updated: Set<NSManagedObject> = []
    var deleted: Set<NSManagedObject> = []

    init(_ touched: [TouchedRecord]) {
        for entry in touched {
            guard let object = entry.object as? NSManagedObject ?? entry.record.object as? NSManagedObject else {
                continue
            }
            let isOut = entry.record.isDeleted || entry.record.graph == nil
            switch (entry.isNew, isOut) {
            // It came and went.
            case (true, true): continue
            case (true, false): inserted.insert(object)
            case (false, true): deleted.insert(object)
            case (false, false): updated.insert(object)
            }
        }
    }
}
