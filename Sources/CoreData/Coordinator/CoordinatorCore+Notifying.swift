import ObjectGraph

/// Passes saved changes and deletions to the contexts that merge them, and notifies observers.
extension CoordinatorCore {
    /// Notifies the contexts that merge automatically, and observers of changes of the stores.
    /// - Parameter sender: the context that saved, which is left out; `nil` if no context did.
    func notify(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        guard !changes.isEmpty else { return }
        contexts.post(changes, from: sender?.inbox)
        owner?.postRemoteChanges(of: changes)
    }

    var hasMergingContexts: Bool { contexts.all.contains(where: \.automaticallyMergesChangesFromParent) }

    /// Merges changes into every live context, whether it merges automatically or not: parents before their children.
    ///
    /// The sender and its parents have merged them when this returns. For other contexts the merge is enqueued, because they may
    /// be busy or wait for the caller. A caller that is on no context's queue waits for them, except for those of the main queue.
    /// - Parameter sender: the context in which the changes were made.
    func mergeIntoAll(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        for context in contexts.all { context.mergeDown(changes, from: sender) }
    }

    /// Notifies every live context, each on its queue, that a store was removed.
    func invalidate(objectsOf storeIdentifier: String) {
        for context in contexts.all { context.invalidateDown(storeIdentifier) }
    }
}

extension NSManagedObjectContext {
    fileprivate func invalidateDown(_ storeIdentifier: String) {
        let notify: @Sendable () -> Void = {
            self.invalidate(objectsOf: storeIdentifier)
            for child in self.children.all { child.invalidateDown(storeIdentifier) }
        }
        if queue.isCurrent { notify() } else { perform(notify) }
    }

    final func mergeDown(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        guard canWait(by: sender) else {
            inbox.post(changes, for: .descendants)
            return wake()
        }
        let below = performAndWait { merge(changes) }
        for child in children.all { child.mergeDown(below, from: sender) }
    }

    /// Whether waiting is safe. The main queue may be waiting for a caller on another queue without this being known here.
    private func canWait(by sender: NSManagedObjectContext?) -> Bool {
        isAbove(sender) || !queue.isMain && HeldQueues.current.isEmpty
    }

    /// Whether the caller uses this context or a descendant, which waits for this one whenever it fetches.
    private func isAbove(_ sender: NSManagedObjectContext?) -> Bool {
        queue.isCurrent || !queue.isMain && self === sender || children.all.contains { $0.isAbove(sender) }
    }
}
