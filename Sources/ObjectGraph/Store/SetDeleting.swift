/// A store that deletes sets of rows by the delete rules, past any context.
package protocol SetDeleting: AnyObject, Sendable {
    /// What makes deletes slow, as it was found when the store was opened.
    var openingWarnings: [DeleteRuleWarning] { get }

    /// The state that the store is in now; `nil` where it cannot tell.
    func moment() throws -> StoreMoment?

    /// Reads for plans that lay other work over the store, all of it in one state of the store.
    /// - Parameter body: must ask nothing else of the store.
    func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result

    /// What a delete would do now.
    func plan(_ request: DeleteRequest) throws -> DeletePlan

    /// What carrying out a plan would cost and free now.
    func cost(of plan: DeletePlan) throws -> DeleteCost

    /// Plans and carries out a delete in one transaction.
    /// - Parameter beforeCommit: runs inside the transaction, with what was written.
    /// - Throws: `DeleteError`, and what `beforeCommit` throws; nothing is written then.
    func delete(_ request: DeleteRequest, beforeCommit: (DeleteResult) throws -> Void) throws -> DeleteResult

    /// Deletes what a query matches, where no rule concerns the rows and it need not be known which they are.
    /// - Returns: how many; `nil`, and nothing is deleted, where it must be known which they are: the entity has
    ///   relationships or is the destination of one, its values are in files, the query has a limit or an offset, or the
    ///   store keeps history.
    /// - Complexity: One statement.
    func deleteUnseen(_ query: Query) throws -> Int?

    /// Carries out a plan made before.
    /// - Throws: `DeleteError.storeMoved` when the same request would now do something else; nothing is written then.
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult
}

extension SetDeleting {
    package func delete(_ request: DeleteRequest) throws -> DeleteResult { try delete(request) { _ in } }
}
