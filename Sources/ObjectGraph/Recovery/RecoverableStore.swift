/// A store that can keep what a delete takes, and bring it back.
package protocol RecoverableStore: Store {
    /// The oldest first.
    func keptDeletes() throws -> [KeptDelete]

    /// What would stand in the way of restoring all of these deletes now; empty when nothing does.
    /// - Throws: `RecoveryError.unknownToken`, `.otherModel`.
    /// - Complexity: A few statements for each table and reference, however many deletes and rows.
    func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict]

    /// Brings back what one delete took and cut loose, in one transaction.
    ///
    /// A survivor that has not changed since is as it was before the delete, its row version included; one that has
    /// changed gets its reference back where that is still empty.
    /// - Parameter author: written to the history transaction.
    /// - Throws: `RecoveryError`; nothing is written then.
    func restore(_ token: RecoveryToken, _ rule: RestoreRule, author: String?) throws -> RestoreResult

    /// Gives up kept deletes for good, with the files that their rows held.
    /// - Returns: those given up, the oldest first.
    @discardableResult
    func purge(_ rule: PurgeRule) throws -> [KeptDelete]
}

extension RecoverableStore {
    package func conflicts(restoring token: RecoveryToken) throws -> [RestoreConflict] {
        try conflicts(restoring: [token])
    }
}
