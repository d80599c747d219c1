/// The cost and the freed space of a plan, apart from numbers of rows.
package struct DeleteCost: Sendable, Hashable {
    /// The bytes of the rows' values, estimated from a sample.
    package var rowBytes: Int64 = 0
    /// The number of external files that are deleted with their rows.
    package var fileCount = 0
    /// The size of these files.
    package var fileBytes: Int64 = 0
    /// Relationships that the plan follows and whose key has no index: each requires a full table scan.
    package var unindexed: [RelationshipName] = []
    /// Dangling references of survivors after the deletion: no rule nullifies them, because their relationship has no
    /// inverse, or one with the rule no action.
    package var dangling: [DanglingLinks] = []
    /// The statements that would be executed, in order, for display.
    package var statements: [String] = []

    package init() {}

    package mutating func append(_ other: DeleteCost) {
        rowBytes += other.rowBytes
        fileCount += other.fileCount
        fileBytes += other.fileBytes
        unindexed += other.unindexed
        dangling += other.dangling
        statements += other.statements
    }
}
