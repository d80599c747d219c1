/// What to fetch from a store.
package struct Query: Sendable, Hashable {
    package var entityIndex: Int
    /// Rows of the entities below are wanted too.
    package var includesSubentities = true
    package var predicate: QueryExpression?
    package var sort: [SortKey] = []
    /// `nil` for no limit.
    package var limit: Int?
    package var offset = 0
    /// Rows that are left out, whatever the predicate says.
    package var excluded = RowSet()
    /// The slots to read of each row, ascending; `nil` for all. Only what the entity's own rows have is named: the slots of
    /// entities below it that come after are then left out too.
    package var slots: [Int]?
    /// Told of the rows as they are read; once it is cancelled, reading them throws `CancellationError`.
    package var meter: RowMeter?

    /// Whether only some of the rows that match are wanted.
    package var hasWindow: Bool { limit != nil || offset > 0 }

    package init(entityIndex: Int, predicate: QueryExpression? = nil) {
        self.entityIndex = entityIndex
        self.predicate = predicate
    }
}

/// One key of an order. Nil sorts before every value when ascending, after when descending.
package struct SortKey: Sendable, Hashable {
    package var expression: QueryExpression
    package var isAscending: Bool
    /// How texts compare; other values ignore it.
    package var textOrder: TextOrder

    package init(_ expression: QueryExpression, ascending: Bool = true, textOrder: TextOrder = .binary) {
        self.expression = expression
        self.isAscending = ascending
        self.textOrder = textOrder
    }
}
