/// New values for all rows that match, written without a graph.
package struct BatchUpdate: Sendable {
    /// Entity, predicate and whether subentities are meant; order and window are not used.
    package var query: Query
    package var assignments: [Assignment] = []
    /// Written to the history transaction.
    package var author: String?
    package var contextName: String?
    /// Told how far it is, and able to stop it.
    package var meter: RowMeter?

    package init(_ query: Query) { self.query = query }

    /// The value of one slot, the same for all rows or computed from each.
    package struct Assignment: Sendable, Hashable {
        package let slot: Int
        package let value: QueryExpression

        package init(slot: Int, value: QueryExpression) {
            self.slot = slot
            self.value = value
        }
    }
}
