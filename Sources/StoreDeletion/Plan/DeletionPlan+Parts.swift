import ObjectGraph

extension DeletionPlan {
    /// The rows of one entity that a plan deletes.
    public struct Deleted: Sendable, Hashable {
        /// The name of the rows' own entity.
        public let entityName: String
        /// The number of rows.
        public let count: Int
        /// At most five of the rows.
        public let examples: [RowIdentifier]
    }

    /// The rows of one entity that a plan deletes because of one relationship.
    public struct Path: Sendable, Hashable {
        /// The name of the rows' own entity.
        public let entityName: String
        /// The cascading relationship, as `Entity.relationship`; `nil` for the requested rows.
        public let relationship: String?
        /// The number of rows.
        public let count: Int
    }

    /// The surviving rows that lose links of one relationship.
    public struct ClearedLinks: Sendable, Hashable {
        /// The relationship that becomes nil or loses members, as `Entity.relationship`.
        public let relationship: String
        /// A Boolean value that states whether the relationship becomes nil; otherwise it loses members.
        public let isToOne: Bool
        /// The number of rows that lose links.
        public let count: Int
        /// At most five of the rows.
        public let examples: [RowIdentifier]
    }

    /// An estimate of what a deletion frees and executes.
    public struct Cost: Sendable, Hashable {
        /// The bytes of the rows' values in the stores' files, estimated from a sample.
        public let valueBytes: Int64
        /// The number of files beside the stores that hold large values of the rows and are removed.
        public let externalFileCount: Int
        /// The size of these files in bytes.
        public let externalFileBytes: Int64
        /// Relationships, as `Entity.relationship`, whose rows are found only by reading a whole table, because the file lacks
        /// an index.
        public let relationshipsWithoutIndex: [String]
        /// The statements that the deletion would execute, in order, for developers.
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
