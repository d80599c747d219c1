/// A fetch from a store.
package struct Query: Sendable, Hashable {
    package var entityIndex: Int
    /// Whether rows of subentities are included.
    package var includesSubentities = true
    package var predicate: QueryExpression?
    package var sort: [SortKey] = []
    /// `nil` for no limit.
    package var limit: Int?
    package var offset = 0
    /// Rows to leave out, even if they match the predicate.
    package var excluded = RowSet()
    /// The slots to read of each row, ascending; `nil` for all. Contains only slots of the entity itself; additional
    /// slots of subentities are then not read.
    package var slots: [Int]?
    /// Counts the rows as they are read; after it is cancelled, reading throws `CancellationError`.
    package var meter: RowMeter?

    /// Whether there is a limit or an offset.
    package var hasWindow: Bool { limit != nil || offset > 0 }

    package init(entityIndex: Int, predicate: QueryExpression? = nil) {
        self.entityIndex = entityIndex
        self.predicate = predicate
    }
}

/// One sort key. Nil sorts before every value when ascending, after when descending.
package struct SortKey: Sendable, Hashable {
    package var expression: QueryExpression
    package var isAscending: Bool
    /// The order of texts; other values ignore it.
    package var textOrder: TextOrder

    package init(_ expression: QueryExpression, ascending: Bool = true, textOrder: TextOrder = .binary) {
        self.expression = expression
        self.isAscending = ascending
        self.textOrder = textOrder
    }
}
