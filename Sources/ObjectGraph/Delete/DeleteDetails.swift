/// What planning a delete finds out beside the plan: needed to carry it out in parts, and kept out of the plan because
/// it is as large again.
package struct DeleteDetails: Sendable, Hashable {
    /// The rows that go, by the number of cascades it takes to get there: the roots first. Each row is in one level.
    package var levels: [RowSet] = []
    /// All rows that stand in the way, whatever the reason.
    package var blockers = RowSet()

    package init() {}
}
