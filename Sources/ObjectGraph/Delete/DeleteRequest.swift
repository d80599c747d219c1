/// What to delete. The rows named or matched go, and what the delete rules take along.
package struct DeleteRequest: Sendable {
    package var roots: Roots
    /// More rows than this, those taken along included, and nothing is deleted.
    package var mostRows: Int?
    /// Whether survivors may be left with fewer destinations than their relationship asks for.
    package var counts: CountRule = .unchecked
    /// Rows whose relationship the same transaction writes anew, by position in `Entity.relationships`: what is stored of
    /// it now is no reason to refuse. Whoever writes it has seen to it that the model allows what it becomes.
    package var relinked: [Int: RowSet] = [:]
    /// A plan of this same request: good as long as the store is as it was when it was made.
    package var known: DeletePlan?
    /// Written to the history transaction.
    package var author: String?
    /// Whether it can be taken back later.
    package var recovery: Recovery = .none

    package init(_ roots: Roots) { self.roots = roots }

    package enum Roots: Sendable {
        /// Rows of one entity, with those of the entities below it if the query says so; order, offset and limit pick
        /// among them.
        case matching(Query)
        /// Rows of one store. Those that are gone already are passed over.
        case rows(RowSet)
        /// Every row of every entity.
        case everything
    }

    package enum CountRule: Sendable {
        case unchecked
        case checked
    }
}
