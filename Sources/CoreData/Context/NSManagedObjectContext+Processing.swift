import Foundation
import FoundationAdditions
import ObjectGraph

extension NSManagedObjectContext {
    /// Applies the delete rules of objects marked for deletion, and notifies observers of changes since the last time. Later
    /// changes are another undo step.
    ///
    /// A context calls this at the end of each event: for a context of the main queue, after the event of the main queue or
    /// main run loop in which an object changed; for all contexts, after each block of `perform` and each outermost block of
    /// `performAndWait`. Saves, fetches and other requests process pending changes first. Call it on the context's queue.
    public func processPendingChanges() {
        checkQueue()
        // Hooks that this calls may call it again.
        guard !isProcessing else { return }
        processChanges()
        undoManager?.endEvent()
    }

    /// Processes pending changes without ending the undo group of the event.
    private func processChanges() {
        isProcessing = true
        defer { isProcessing = false }
        awakeReverted()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        prepared = []
        notifyOfEventChanges()
    }

    /// Processes pending changes before a request. During hooks and saves, which process changes themselves, and while a
    /// notification is delivered, only the delete rules are applied.
    final func processChangesBeforeRequest() {
        if !isProcessing, !isSaving, !isAnnouncing { return processChanges() }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    }

    /// Called at the first change since changes were last processed. On the main queue, a block that processes them is
    /// enqueued: it runs after the current event, as a run loop runs blocks of the main queue between events. On private
    /// queues, blocks process changes at their end. A context that is used outside of its queue has no events.
    package func graphDidBeginEvent() {
        guard queue.isMain, queue.isCurrent, !awaitsEndOfEvent else { return }
        awaitsEndOfEvent = true
        queue.async { [weak self] in
            guard let self else { return }
            awaitsEndOfEvent = false
            processPendingChanges()
        }
    }

    /// - Returns: The reported objects that are still in the context.
    @discardableResult
    final func notifyOfEventChanges() -> [NSManagedObject] {
        graph.takeEventChanges { changed in
            let records = changed.objects.map(\.record)
            postChanges(ObjectsByKey(changed: changed), of: records.isEmpty ? nil : GraphChanges(refreshed: records))
            return changed.objects.compactMap { $0.object as? NSManagedObject }.filter { $0.record.graph === graph }
        }
    }
}
