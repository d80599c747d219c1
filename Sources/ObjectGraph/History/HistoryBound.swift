/// Where the part of the history ends that is to be forgotten. What the bound names is kept.
package enum HistoryBound: Sendable, Hashable {
    case token(HistoryToken)
    /// Number of a transaction.
    case number(Int64)
    /// Seconds since 2001-01-01 UTC. Everything before the first transaction of that time or later.
    case time(Double)
}
