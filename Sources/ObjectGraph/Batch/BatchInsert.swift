/// New rows of one entity, written without a graph.
package struct BatchInsert: Sendable {
    package var entityIndex: Int
    /// What becomes of a row when another one has what must be unique.
    package var duplicates = DuplicateRule.skip
    /// Written to the history transaction.
    package var author: String?
    package var contextName: String?
    /// Told how far it is, and able to stop it.
    package var meter: RowMeter?

    package init(entityIndex: Int) { self.entityIndex = entityIndex }

    package enum DuplicateRule: Sendable, Hashable {
        /// The row that is there stays as it is.
        case skip
        /// The row that is there takes the values given; others it keeps.
        case update
    }

    /// One row to write. The same one is filled again and again.
    package struct Row: Sendable {
        /// In slot order of the entity, defaults included.
        package var values: [Value]
        /// Slots that were given, ascending; the others have their defaults, which an existing row does not take.
        package var given: [Int]

        package init(values: [Value], given: [Int]) {
            self.values = values
            self.given = given
        }

        /// Whether none of the slots has a value.
        package func isNull(_ slots: Range<Int>) -> Bool {
            for slot in slots {
                guard case .null = values[slot] else { return false }
            }
            return true
        }
    }
}

/// What a batch wrote.
package struct BatchResult: Sendable {
    package var inserted = RowSet()
    package var updated = RowSet()
    /// In the order they were written, updated ones included. Empty unless there is an order.
    package var ordered: [ObjectID] = []
    /// Number of the history transaction, when one was written.
    package var transactionNumber: Int64?

    package init() {}
}
