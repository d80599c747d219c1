import ObjectGraph

/// Which changes of a transaction to read.
package struct HistoryChangePage: Sendable, Hashable {
    /// Its number.
    package let transaction: Int64
    /// `nil` for the changes of all objects.
    package let object: ObjectID?
    /// Number of the last change that is known; 0 for none.
    package var previous: Int64
    /// Changes after that one to pass over.
    package let skipped: Int
    /// Most changes to read; less than 1 counts as 1.
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
