import ObjectGraph

/// Who learns of what was saved or deleted.
extension CoordinatorCore {
    /// Tells the contexts that merge by themselves, and those who listen for changes of the stores.
    /// - Parameter sender: the context that saved, which knows already; `nil` when none did.
    func tell(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        guard !changes.isEmpty else { return }
        mergeByThemselves(changes, from: sender)
        owner?.postRemoteChanges(of: changes)
    }

    var hasMergingContexts: Bool { contexts.all.contains(where: \.automaticallyMergesChangesFromParent) }

    /// The contexts that merge by themselves take the changes in soon, each on its queue, and so do those below them.
    func mergeByThemselves(_ changes: SavedChanges, from sender: NSManagedObjectContext? = nil) {
        for context in contexts.all where context !== sender && context.automaticallyMergesChangesFromParent {
            context.perform {
                context.merge(changes)
                context.mergeIntoChildren(changes)
            }
        }
    }

    /// Takes changes into every live context, whether it merges by itself or not: parents before their children.
    ///
    /// The sender and those above it have them when this returns. Others take them in soon, as they may be busy, or wait for
    /// the caller; a caller who is on no queue waits for them too, but for those of the main queue.
    /// - Parameter sender: the context in which the changes were made.
    func mergeIntoAll(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        for context in contexts.all { context.mergeDown(changes, from: sender) }
    }

    /// Tells every live context, each on its queue, that a store is gone.
    func invalidate(objectsOf storeIdentifier: String) {
        for context in contexts.all { context.invalidateDown(storeIdentifier) }
    }
}

extension NSManagedObjectContext {
    fileprivate func invalidateDown(_ storeIdentifier: String) {
        let tell: @Sendable () -> Void = {
            self.invalidate(objectsOf: storeIdentifier)
            for child in self.children.all { child.invalidateDown(storeIdentifier) }
        }
        if queue.isCurrent { tell() } else { perform(tell) }
    }

    fileprivate func mergeDown(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        guard mayBeWaitedFor(by: sender) else {
            return perform {
                self.merge(changes)
                for child in self.children.all { child.mergeDown(changes, from: sender) }
            }
        }
        performAndWait { merge(changes) }
        for child in children.all { child.mergeDown(changes, from: sender) }
    }

    /// Nobody can tell whether the main queue waits for a caller on another one.
    private func mayBeWaitedFor(by sender: NSManagedObjectContext?) -> Bool {
        isAbove(sender) || !queue.isMain && HeldQueues.current.isEmpty
    }

    /// Whether the caller uses this context or one below it, which waits for this one whenever it fetches.
    private func isAbove(_ sender: NSManagedObjectContext?) -> Bool {
        queue.isCurrent || !queue.isMain && self === sender || children.all.contains { $0.isAbove(sender) }
    }
}
