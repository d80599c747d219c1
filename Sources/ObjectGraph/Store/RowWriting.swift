/// A store that can save rows.
package protocol RowWriting: AnyObject, Sendable {
    /// Saves the changes in one transaction, completely or not at all.
    /// - Parameter beforeCommit: Runs inside the transaction after everything is written; not called if there are
    ///   conflicts. If it throws, nothing is written, as far as the store can roll back.
    /// - Throws: The errors of the store and of `beforeCommit`.
    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult
}

extension RowWriting {
    package func save(_ changes: ChangeSet) throws -> SaveResult { try save(changes) {} }
}
