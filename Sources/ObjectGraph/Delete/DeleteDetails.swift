/// Details of a plan that are needed to execute it in parts. Separate, because they are as large as the plan.
package struct DeleteDetails: Sendable, Hashable {
    /// The deleted rows by the number of cascades from a root; the roots are first. Each row is in one level.
    package var levels: [RowSet] = []
    /// All rows that prevent the deletion, for any reason.
    package var blockers = RowSet()

    package init() {}
}
