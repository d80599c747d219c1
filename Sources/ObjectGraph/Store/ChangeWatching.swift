/// Rows that others may save, too.
package protocol ChangeWatching: AnyObject, Sendable {
    /// What others saved into the store since the last call, by identity. Cheap while there is nothing.
    func changesByOthers() throws -> SavedChanges
}
