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
    /// Links of rows that stay which will lead to nothing: no rule clears them, as their relationship has no inverse, or
    /// one whose rule does nothing.
    package var dangling: [DanglingLinks] = []
    /// The statements that would be run, in their order, for people to read.
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

/// Rows that stay, and whose to-one relationship leads to a row that goes.
package struct DanglingLinks: Sendable, Hashable {
    package let name: RelationshipName
    package let count: Int
    /// A few of the rows that stay.
    package let examples: [ObjectID]

    package init(name: RelationshipName, count: Int, examples: [ObjectID] = []) {
        self.name = name
        self.count = count
        self.examples = examples
    }
}
