import ObjectGraph

/// What a face knows of a plan that it made: which stores carry it out, and how.
package protocol PlannedDeletion: Sendable {
    var host: any DeletionHost { get }
    /// Whether it is archived even where the caller does not ask for that.
    var archivesRows: Bool { get }
    /// The most rows that may go.
    var rowLimit: Int? { get }
    /// Which contexts take it in.
    var audience: DeletionAudience { get }

    func cost(of plan: DeletePlan) throws -> DeleteCost

    /// Carries it out and announces it.
    /// - Returns: The tokens of what was archived, in the order in which they are restored.
    func execute(_ plan: DeletePlan, archiving: Bool) throws -> [RecoveryToken]

    /// The part of the one store that it has rows in.
    /// - Throws: `DeletionError.severalStores`, `.notSupported`, `.readOnly`.
    func partOfOneStore(_ plan: DeletePlan) throws -> DeletionPart
}

/// What one store has to do.
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

/// Which contexts take in a deletion that went past them.
package enum DeletionAudience: Sendable {
    /// None; observers of the stores are notified.
    case observers
    /// Every live context, too.
    case liveContexts
}
