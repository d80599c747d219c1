/// A store that other processes or connections may write, too.
package protocol ChangeWatching: AnyObject, Sendable {
    /// Returns the changes that others saved into the store since the last call, by identity. Cheap if there are none.
    func changesByOthers() throws -> SavedChanges
}
