/// A store whose save can be made one with the saves of others.
package protocol JoinableStore: RecoverableStore {
    /// As `save(_:)`, with work to do inside the transaction, once everything is written and before it is committed.
    /// - Parameter beforeCommit: not called when there are conflicts. When it throws, nothing is written here.
    /// - Throws: what `save(_:)` and the work throw.
    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult

    /// As `restore(_:_:author:)`, with work to do inside the transaction, as above.
    func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> RestoreResult
}
