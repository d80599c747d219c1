/// What a store has done with rows: the result of a save, batch, deletion or restore. Each fills its part of it.
package struct SavedRows: Sendable {
    // MARK: Saves

    /// One element for each insertion of a change set, in order: the row's identity and version. `replaced` is true if a
    /// uniqueness constraint turned the insertion into an update of an existing row (upsert).
    package var inserted: [Inserted] = []
    /// The new row versions, one for each update of a change set, in order. Those of rows that the bulk delete deleted
    /// are meaningless.
    package var updatedVersions: [RowVersion] = []
    /// Rows outside the change set whose one-to-one relationship the store had to change.
    package var adjusted: [AdjustedReference] = []

    // MARK: Sets of rows

    /// New rows of a batch.
    package var created = RowSet()
    /// Existing rows that a batch updated, and survivors whose links a restore restored.
    package var updated = RowSet()
    /// The rows of a batch in the order of writing, including updated ones. Empty unless there is an order.
    package var ordered: [ObjectID] = []
    /// Restored rows.
    package var restored = RowSet()
    /// The rows and links that a restore left out, with the reasons.
    package var skipped: [RestoreConflict] = []

    // MARK: Deletions

    /// The executed plan of a deletion, or of the bulk delete of a save.
    package var plan = DeletePlan()
    /// The token for a restore, if the deletion was to be archived and deleted anything.
    package var token: RecoveryToken?
    /// Rows that were deleted without reading their keys; they are not in the plan.
    package var unseenCount = 0
    /// The number of requested rows that were deleted.
    package var rootCount: Int { plan.roots.count + unseenCount }

    // MARK: History

    /// The number of the history transaction, if one was written.
    package var transactionNumber: Int64?
    /// The history transactions of several stores, by store identifier. A single store sets `transactionNumber`.
    package var transactions: [String: Int64] = [:]

    package init() {}

    /// Creates the result of a deletion.
    package init(_ plan: DeletePlan, transactionNumber: Int64? = nil) {
        self.plan = plan
        self.transactionNumber = transactionNumber
    }

    /// Whether everything was restored. Otherwise the rest stays archived under the token.
    package var isComplete: Bool { skipped.isEmpty }

    /// The history transactions by store identifier.
    /// - Parameter store: The store that a single number is of.
    func transactions(of store: String) -> [String: Int64] {
        transactionNumber.map { [store: $0] } ?? transactions
    }

    package struct Inserted: Sendable {
        package var id: ObjectID
        package var version: RowVersion
        package var replaced: Bool

        package init(id: ObjectID, version: RowVersion, replaced: Bool) {
            self.id = id
            self.version = version
            self.replaced = replaced
        }
    }

    /// A row whose to-one relationship became nil, or refers back to a written row.
    package struct AdjustedReference: Sendable {
        package var id: ObjectID
        /// The position in `Entity.relationships`.
        package var relationshipIndex: Int
        /// `nil` if the relationship became nil.
        package var destination: ObjectID?
        /// The row's new version.
        package var version: RowVersion

        package init(id: ObjectID, relationshipIndex: Int, destination: ObjectID? = nil, version: RowVersion) {
            self.id = id
            self.relationshipIndex = relationshipIndex
            self.destination = destination
            self.version = version
        }
    }
}
