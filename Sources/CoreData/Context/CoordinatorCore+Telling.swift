import ObjectGraph

/// Who learns of what was saved or deleted.
extension CoordinatorCore {
    /// Tells the contexts that merge by themselves, and those who listen for changes of the stores.
    /// - Parameter sender: the context that saved, which knows already; `nil` when none did.
    func tell(_ changes: SavedChanges, from sender: NSManagedObjectContext?) {
        guard !changes.isEmpty else { return }
        for context in contexts.all
        where context !== sender && context.parent == nil && context.automaticallyMergesChangesFromParent {
            context.perform {
                context.merge(changes)
                context.mergeIntoChildren(changes)
            }
        }
        owner?.postRemoteChanges(of: changes)
    }

    /// Takes changes into every live context, whether it merges by itself or not: parents before their children.
    ///
    /// From a context's block, that context and those above it have them when this returns; others take them in soon, as
    /// they may be busy, or wait for the caller. A caller who is on no queue waits for all but the main queue's, of which
    /// nobody can tell whether it waits for the caller.
    func mergeIntoAll(_ changes: SavedChanges) {
        for context in contexts.all where context.parent == nil { context.mergeDown(changes) }
    }
}

extension NSManagedObjectContext {
    fileprivate func mergeDown(_ changes: SavedChanges) {
        guard mayBeWaitedFor else {
            return perform {
                self.merge(changes)
                for child in self.children.all { child.mergeDown(changes) }
            }
        }
        performAndWait { merge(changes) }
        for child in children.all { child.mergeDown(changes) }
    }

    /// Contexts wait for those above them whenever they fetch, so the caller's own may be waited for, and all above it.
    private var mayBeWaitedFor: Bool { isUsedByCaller || !queue.isMain && HeldQueues.current.isEmpty }

    private var isUsedByCaller: Bool { queue.isCurrent || children.all.contains(where: \.isUsedByCaller) }
}
