import Foundation
import FoundationAdditions
import ObjectGraph

extension NSManagedObjectContext {
    /// Follows the delete rules from what was marked, and tells observers what changed since this was last done. What is
    /// done after it is undone apart from what was done before.
    public func processPendingChanges() {
        checkQueue()
        // Not from within the hooks that it calls.
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        wakeReverted()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        prepared = []
        tellOfTouched()
        undoManager?.endEvent()
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
