/// A store that other processes or connections may write, too.
package protocol ChangeWatching: AnyObject, Sendable {
    /// Returns the changes that others saved into the store since the last call, by identity. Cheap if there are none.
    func changesByOthers() throws -> SavedChanges
}

/// A store without notifications of writes by others, so that it has to be asked for their changes again and again.
package protocol ChangePolling: ChangeWatching {
    /// Whether others can write to the store; not if it is in memory.
    var hasOtherWriters: Bool { get }
}
