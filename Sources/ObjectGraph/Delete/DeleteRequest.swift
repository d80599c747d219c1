/// What to delete. The rows named or matched go, and what the delete rules take along.
package struct DeleteRequest: Sendable {
    package var roots: Roots
    /// More rows than this, those taken along included, and nothing is deleted.
    package var mostRows: Int?
    /// Whether survivors may be left with fewer destinations than their relationship asks for.
    package var counts: CountRule = .unchecked
    /// Rows whose relationship the same transaction writes anew, or whose edited relationship is deleted with them, by position
    /// in `Entity.relationships`: the rules do not follow what is stored of it now, and it is no reason to refuse. The model
    /// has been asked whether it allows what the relationship becomes.
    package var relinked: [Int: RowSet] = [:]
    /// Rows that are not deleted where a cascade reaches them; they lose the link instead.
    package var kept = RowSet()
    /// A plan of this same request, good as long as the store is as it was.
    package var known: KnownPlan?
    /// Told of the rows before they are committed, and of the commit.
    package var observer: (any DeleteObserver)?
    /// Told how far the writing is, in rows that go and links of survivors that are cut, and able to stop all of it.
    package var meter: RowMeter?
    /// Written to the history transaction.
    package var author: String?
    /// Name of the context that deletes; written there too.
    package var contextName: String?
    /// Whether it can be taken back later.
    package var recovery: Recovery = .none

    package init(_ roots: Roots) { self.roots = roots }

    /// A plan that was made before.
    package struct KnownPlan: Sendable, Hashable {
        package let plan: DeletePlan
        /// The state of the store before it was made; `nil` where the plan is made of more than what is stored, or the store
        /// cannot tell: then it is not good for long.
        package let moment: StoreMoment?

        package init(_ plan: DeletePlan, since moment: StoreMoment? = nil) {
            self.plan = plan
            self.moment = moment
        }
    }

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
        /// Where both ends are to-many and the survivors' is not optional, they must keep one.
        case notEmpty
        case checked
    }
}
