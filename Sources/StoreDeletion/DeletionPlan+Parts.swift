import ObjectGraph

extension DeletionPlan {
    /// Rows of one entity that go.
    public struct Deleted: Sendable, Hashable {
        public let entityName: String
        public let count: Int
        /// At most five of them.
        public let examples: [RowIdentifier]
    }

    /// Rows of one entity that go on account of one relationship.
    public struct Path: Sendable, Hashable {
        public let entityName: String
        /// The cascading relationship, as `Entity.relationship`; `nil` for the rows asked for.
        public let relationship: String?
        public let count: Int
    }

    /// Rows that stay and lose a link.
    public struct ClearedLinks: Sendable, Hashable {
        /// The relationship that becomes nil or loses members, as `Entity.relationship`.
        public let relationship: String
        /// Whether it becomes nil. Otherwise it loses members.
        public let isToOne: Bool
        /// The number of rows that lose a link.
        public let count: Int
        /// At most five of them.
        public let examples: [RowIdentifier]
    }

    /// What a deletion costs and frees.
    public struct Cost: Sendable, Hashable {
        /// Bytes of the rows' values in the stores' files, estimated from a sample.
        public let valueBytes: Int64
        /// Files beside the stores that hold large values and go too.
        public let externalFileCount: Int
        /// The size of these files.
        public let externalFileBytes: Int64
        /// Relationships, as `Entity.relationship`, whose rows can only be found by reading a whole table, as the file lacks
        /// an index.
        public let relationshipsWithoutIndex: [String]
        /// The statements that would be run, in their order, for developers to read.
        public let statements: [String]

        init(_ cost: DeleteCost) {
            valueBytes = cost.rowBytes
            externalFileCount = cost.fileCount
            externalFileBytes = cost.fileBytes
            relationshipsWithoutIndex = cost.unindexed.map(\.description)
            statements = cost.statements
        }
    }
}
