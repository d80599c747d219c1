/// A delete that was done.
package struct DeleteResult: Sendable {
    package var plan: DeletePlan
    /// Number of the history transaction, when one was written.
    package var transactionNumber: Int64?
    /// What it can be taken back by, when it was to be kept and took anything.
    package var token: RecoveryToken?

    package init(_ plan: DeletePlan, transactionNumber: Int64? = nil) {
        self.plan = plan
        self.transactionNumber = transactionNumber
    }
}
