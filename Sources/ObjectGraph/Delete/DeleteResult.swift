/// An executed deletion.
package struct DeleteResult: Sendable {
    package var plan: DeletePlan
    /// The number of the history transaction, if one was written.
    package var transactionNumber: Int64?
    /// The token for a restore, if the deletion was to be archived and deleted anything.
    package var token: RecoveryToken?

    package init(_ plan: DeletePlan, transactionNumber: Int64? = nil) {
        self.plan = plan
        self.transactionNumber = transactionNumber
    }
}
