/// New rows of one entity, written without a graph.
package struct BatchInsert: Sendable {
    package var entityIndex: Int
    /// The handling of a new row whose unique values another row has.
    package var duplicates = DuplicateRule.skip
    /// Written to the history transaction.
    package var author: String?
    package var contextName: String?
    /// Counts the rows, and can cancel the batch.
    package var meter: RowMeter?

    package init(entityIndex: Int) { self.entityIndex = entityIndex }

    package enum DuplicateRule: Sendable, Hashable {
        /// The existing row stays unchanged, and the new one is not written.
        case skip
        /// The existing row gets the given values and keeps all others.
        case update
    }

    /// One row to write. The same instance is filled for each row.
    package struct Row: Sendable {
        /// The values in slot order of the entity, including defaults.
        package var values: [Value]
        /// Slots with given values, ascending. The others have defaults, which an existing row does not get.
        package var given: [Int]

        package init(values: [Value], given: [Int]) {
            self.values = values
            self.given = given
        }

        /// Whether all of the slots are null.
        package func isNull(_ slots: Range<Int>) -> Bool {
            for slot in slots {
                guard case .null = values[slot] else { return false }
            }
            return true
        }
    }
}
