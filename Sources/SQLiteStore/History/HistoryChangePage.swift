import ObjectGraph

/// A range of changes of one transaction.
package struct HistoryChangePage: Sendable, Hashable {
    /// The number of the transaction.
    package let transaction: Int64
    /// `nil` for the changes of all objects.
    package let object: ObjectID?
    /// The number of the last known change; 0 for none.
    package var previous: Int64
    /// The number of changes to skip after that one.
    package let skipped: Int
    /// The maximum number of changes to read; less than 1 counts as 1.
    package let limit: Int

    package init(
        of transaction: Int64, object: ObjectID? = nil, after previous: Int64 = 0, skipping skipped: Int = 0, limit: Int
    ) {
        self.transaction = transaction
        self.object = object
        self.previous = previous
        self.skipped = skipped
        self.limit = limit
    }
}
