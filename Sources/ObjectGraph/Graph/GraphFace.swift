/// The functions that a public module provides to its graphs.
package protocol GraphFace: AnyObject {
    /// Makes an object for a record without one.
    func makeObject(for record: Record) -> AnyObject?
    /// Unsaved changes began or grew. Called while the graph's `options.notifiesOfChanges` is set.
    func graphDidChange()
    /// Whether an inserted object is of the face's class for the entity, not of another class with its name.
    func isObject(_ object: AnyObject, of entity: Entity) -> Bool
    /// A uniqueness constraint turned one object's insertion into an update of another one's row: both represent the
    /// record.
    func redirect(_ object: AnyObject, to record: Record)
    /// Copies values that an inserted object stores itself into its record. Called while the graph's
    /// `options.asksForConstants` is set.
    func readConstants(of object: AnyObject)
    /// The first object changed since the graph's list of changed objects was last emptied. Called only if events are
    /// collected.
    func graphDidBeginEvent()
    /// Merges changes of others as one event. Called only if events are collected; no other merge begins meanwhile.
    /// - Parameter merge: Applies the changes to the graph. Call it once.
    /// - Returns: The changes for contexts that read from this one: with the consequences that they have here.
    func merge(
        _ changes: SavedChanges, for recipients: Inbox.Recipients, by merge: () -> GraphChanges
    ) -> SavedChanges
    /// Reports an error that cannot be thrown to a caller.
    func report(_ error: any Error)
}

extension GraphFace {
    package func isObject(_ object: AnyObject, of entity: Entity) -> Bool { true }
    package func readConstants(of object: AnyObject) {}
    package func graphDidBeginEvent() {}
    package func merge(
        _ changes: SavedChanges, for recipients: Inbox.Recipients, by merge: () -> GraphChanges
    ) -> SavedChanges {
        _ = merge()
        return changes
    }
}
