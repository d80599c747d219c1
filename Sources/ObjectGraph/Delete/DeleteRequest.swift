/// A request to delete rows, and those that the delete rules reach from them.
package struct DeleteRequest: Sendable {
    package var roots: Roots
    /// If more rows than this would be deleted, including those reached by cascades, nothing is deleted.
    package var mostRows: Int?
    /// Whether survivors may have fewer destinations than their relationship requires.
    package var counts: CountRule = .unchecked
    /// Rows whose relationship the same transaction writes, or whose edited relationship is deleted with them, by
    /// position in `Entity.relationships`. The rules do not follow its stored links, and it causes no refusal. The new
    /// links have been validated already.
    package var rewrittenLinks: [Int: RowSet] = [:]
    /// Rows that are not deleted if a cascade reaches them; they lose the link instead.
    package var excluded = RowSet()
    /// A plan of this request, valid as long as the store has not changed.
    package var known: KnownPlan?
    /// Notified of the rows before the commit, and of the commit.
    package var observer: (any DeleteObserver)?
    /// Counts deleted rows and nullified links of survivors while they are written, and can cancel the deletion.
    package var meter: RowMeter?
    /// Written to the history transaction.
    package var author: String?
    /// The name of the deleting context; written to the history transaction.
    package var contextName: String?
    /// Whether the deletion can be restored later.
    package var recovery: Recovery = .none

    package init(_ roots: Roots) { self.roots = roots }

    /// A plan that was made before.
    package struct KnownPlan: Sendable, Hashable {
        package let plan: DeletePlan
        /// The state of the store before the plan was made; `nil` if the plan depends on more than stored rows, or the
        /// store cannot determine its state. Such a plan is never reused.
        package let commitMarker: CommitMarker?

        package init(_ plan: DeletePlan, since commitMarker: CommitMarker? = nil) {
            self.plan = plan
            self.commitMarker = commitMarker
        }
    }

    package enum Roots: Sendable {
        /// Rows of one entity, with those of its subentities if the query includes them; order, offset and limit select
        /// among them.
        case matching(Query)
        /// Rows of one store. Rows that do not exist are skipped.
        case rows(RowSet)
        /// Every row of every entity.
        case everything
    }

    package enum CountRule: Sendable {
        case unchecked
        /// If both ends are to-many and the survivors' end is mandatory, at least one destination is required.
        case notEmpty
        case checked
    }
}
