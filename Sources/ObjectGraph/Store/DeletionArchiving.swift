/// A store that can keep what a delete takes, and restore it.
package protocol DeletionArchiving: AnyObject, Sendable {
    /// Whether what is kept can be neither restored nor discarded.
    var isReadOnly: Bool { get }

    /// The oldest first.
    func keptDeletes() throws -> [KeptDelete]

    /// What would prevent a restore of all of these deletes now; empty when nothing does.
    /// - Throws: `RecoveryError.unknownToken`, `.otherModel`.
    /// - Complexity: A few statements for each table and reference, however many deletes and rows.
    func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict]

    /// Restores the rows and links that one delete took, in one transaction.
    ///
    /// A survivor that has not changed since is as it was before the delete, its row version included; one that has
    /// changed gets its reference back where that is still empty.
    /// - Parameters:
    ///   - author: written to the history transaction.
    ///   - beforeCommit: runs inside the transaction, as in `save(_:beforeCommit:)`.
    /// - Throws: `RecoveryError`, and what `beforeCommit` throws; nothing is written then.
    func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> RestoreResult

    /// Discards kept deletes for good, with the files that their rows held.
    /// - Returns: the discarded ones, the oldest first.
    @discardableResult
    func purge(_ rule: PurgeRule) throws -> [KeptDelete]
}

extension DeletionArchiving {
    package func conflicts(restoring token: RecoveryToken) throws -> [RestoreConflict] {
        try conflicts(restoring: [token])
    }

    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String? = nil
    ) throws -> RestoreResult {
        try restore(token, rule, author: author) {}
    }
}
