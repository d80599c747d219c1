import ObjectGraph

/// The part of a plan that the face knows: the stores that carry it out, and how.
package protocol PlannedDeletion: Sendable {
    var host: any DeletionHost { get }
    /// Whether the rows are archived even if the caller does not request it.
    var archivesRows: Bool { get }
    /// The maximum number of rows that may be deleted.
    var rowLimit: Int? { get }
    /// The contexts that merge it.
    var audience: DeletionAudience { get }

    func cost(of plan: DeletePlan) throws -> DeleteCost

    /// Carries it out and announces it.
    /// - Returns: The tokens of the archived rows, in restoring order.
    func execute(_ plan: DeletePlan, archiving: Bool) throws -> [RecoveryToken]

    /// The part of the single store that has rows of the plan.
    /// - Throws: `DeletionError.severalStores`, `.notSupported`, `.readOnly`.
    func partOfOneStore(_ plan: DeletePlan) throws -> DeletionPart
}

/// One store's part of a deletion.
package struct DeletionPart: Sendable {
    package let store: any ChunkedDeleting
    package let request: DeleteRequest
    package let plan: DeletePlan

    package init(_ store: any ChunkedDeleting, _ request: DeleteRequest, _ plan: DeletePlan) {
        self.store = store
        self.request = request
        self.plan = plan
    }
}
