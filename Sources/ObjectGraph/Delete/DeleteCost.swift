/// What a plan will cost and free, beyond the numbers of rows.
package struct DeleteCost: Sendable, Hashable {
    /// Bytes of the rows' values, estimated from a sample of them.
    package var rowBytes: Int64 = 0
    /// Files of large values that go with their rows.
    package var fileCount = 0
    /// Their size.
    package var fileBytes: Int64 = 0
    /// Relationships the rules follow whose key has no index: each is found by reading a table from end to end.
    package var unindexed: [RelationshipName] = []
    /// The statements that would be run, in their order, for people to read.
    package var statements: [String] = []

    package init() {}

    package mutating func append(_ other: DeleteCost) {
        rowBytes += other.rowBytes
        fileCount += other.fileCount
        fileBytes += other.fileBytes
        unindexed += other.unindexed
        statements += other.statements
    }
}
