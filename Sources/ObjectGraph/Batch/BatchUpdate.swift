/// New values for all matching rows, written without a graph.
package struct BatchUpdate: Sendable {
    /// The entity, the predicate, and whether subentities are included. Order, offset and limit are not used.
    package var query: Query
    package var assignments: [Assignment] = []
    /// Written to the history transaction.
    package var author: String?
    package var contextName: String?
    /// Counts the rows, and can cancel the batch.
    package var meter: RowMeter?

    package init(_ query: Query) { self.query = query }

    /// The value of one slot, a constant or computed from each row.
    package struct Assignment: Sendable, Hashable {
        package let slot: Int
        package let value: QueryExpression

        package init(slot: Int, value: QueryExpression) {
            self.slot = slot
            self.value = value
        }
    }
}
