/// The end of the part of the history to be deleted. The transaction at the bound itself is kept.
package enum HistoryBound: Sendable, Hashable {
    case token(HistoryToken)
    /// The number of a transaction.
    case number(Int64)
    /// Seconds since 2001-01-01 UTC. Includes everything before the first transaction at that time or later.
    case time(Double)
}
