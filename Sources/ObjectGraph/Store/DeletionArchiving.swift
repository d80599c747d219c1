/// A store that can archive deletions and restore them.
package protocol DeletionArchiving: AnyObject, Sendable {
    /// Whether archived deletions can be neither restored nor discarded.
    var isReadOnly: Bool { get }

    /// Returns the archived deletions, the oldest first.
    func archivedDeletes() throws -> [ArchivedDelete]

    /// Returns the conflicts that would prevent restoring all of these deletions; empty if there are none.
    /// - Throws: `RecoveryError.unknownToken`, `.otherModel`.
    /// - Complexity: A few statements for each table and reference, regardless of the number of deletions and rows.
    func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict]

    /// Restores the rows and links that one deletion removed, in one transaction.
    ///
    /// A survivor that has not changed since the deletion becomes equal to its state before the deletion. One that has
    /// changed gets its reference back if that is still nil. The row version of a survivor that gets a link is raised.
    /// - Parameters:
    ///   - author: Written to the history transaction.
    ///   - beforeCommit: Runs inside the transaction, as in `save(_:beforeCommit:)`.
    /// - Throws: `RecoveryError`, and the errors of `beforeCommit`; then nothing is written.
    func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows

    /// Discards archived deletions permanently, with the external files of their rows.
    /// - Returns: The discarded deletions, the oldest first.
    @discardableResult
    func purge(_ rule: PurgeRule) throws -> [ArchivedDelete]
}

extension DeletionArchiving {
    package func conflicts(restoring token: RecoveryToken) throws -> [RestoreConflict] {
        try conflicts(restoring: [token])
    }

    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String? = nil
    ) throws -> SavedRows {
        try restore(token, rule, author: author) {}
    }
}
