/// A store that deletes sets of rows by the delete rules, without a context.
package protocol SetDeleting: AnyObject, Sendable {
    /// Model properties that make deletions slow, determined when the store was opened.
    var openingWarnings: [DeleteRuleWarning] { get }

    /// Returns the store's current state; `nil` if the store cannot determine it.
    func commitMarker() throws -> CommitMarker?

    /// Runs a block that reads for plans over unsaved changes, all from one state of the store.
    /// - Parameter body: Must not use the store otherwise.
    func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result

    /// Plans a deletion for the current state.
    func plan(_ request: DeleteRequest) throws -> DeletePlan

    /// Returns what executing a plan would cost and free at present.
    func cost(of plan: DeletePlan) throws -> DeleteCost

    /// Plans and executes a deletion in one transaction.
    /// - Parameter beforeCommit: Runs inside the transaction; receives the result.
    /// - Throws: `DeleteError`, and the errors of `beforeCommit`; then nothing is written.
    func delete(_ request: DeleteRequest, beforeCommit: (SavedRows) throws -> Void) throws -> SavedRows

    /// Deletes the rows that match a query without reading their identities, if no delete rule concerns them.
    /// - Returns: The number of rows. `nil`, and nothing is deleted, if the identities are needed: the entity has
    ///   relationships or is the destination of one, it has values in external files, the query has a limit or an
    ///   offset, or the store keeps history.
    /// - Complexity: One statement.
    func deleteUnseen(_ query: Query) throws -> Int?

    /// Executes a plan made earlier.
    /// - Throws: `DeleteError.storeMoved` if the request would have another effect by now; then nothing is written.
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> SavedRows
}

extension SetDeleting {
    package func delete(_ request: DeleteRequest) throws -> SavedRows { try delete(request) { _ in } }
}
