/// Rows that can be saved.
package protocol RowWriting: AnyObject, Sendable {
    /// One transaction: all of it, or nothing.
    /// - Parameter beforeCommit: runs inside the transaction, once everything is written and before it is committed; not when
    ///   there are conflicts. When it throws, nothing is written, as far as the store can take back what it wrote.
    /// - Throws: what the store throws, and what `beforeCommit` throws.
    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult
}

extension RowWriting {
    package func save(_ changes: ChangeSet) throws -> SaveResult { try save(changes) {} }
}
