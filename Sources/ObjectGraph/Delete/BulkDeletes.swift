/// Deletes of whole sets of rows that wait for the save. The rows are hidden from now on; they go by a plan made anew in
/// the transaction of the save.
package struct BulkDeletes: Sendable, Hashable {
    /// The rows asked for, fixed when they were.
    private(set) var roots = RowSet()
    /// Those and the rows that cascades reach, as far as is known.
    private(set) var deleted = RowSet()
    /// Rows that were taken back, and are not to be deleted by a cascade either.
    private(set) var kept = RowSet()
    private(set) var cleared: [ClearedLink] = []
    /// The plan, while there is one only.
    private var single: DeleteRequest.KnownPlan?

    /// Whether they can be taken back after the save; all of one save are taken back together.
    private(set) var recovery = Recovery.none

    var isEmpty: Bool { roots.isEmpty }

    /// - Returns: what they can be taken back by.
    mutating func keep() -> RecoveryToken {
        if let token = recovery.token { return token }
        let token = RecoveryToken()
        recovery = .kept(token)
        return token
    }

    /// - Parameter moment: the state of the store before the plan was made.
    mutating func add(_ plan: DeletePlan, since moment: StoreMoment?) {
        single = isEmpty ? DeleteRequest.KnownPlan(plan, since: moment) : nil
        roots.formUnion(plan.roots)
        kept = kept.subtracting(plan.deleted)
        deleted.formUnion(plan.deleted)
        cleared += plan.cleared
    }

    /// Another plan in their place, archived as they are.
    func replaced(by plan: DeletePlan?, keeping kept: RowSet) -> BulkDeletes {
        var other = BulkDeletes()
        guard let plan, !plan.isEmpty else { return other }
        other.recovery = recovery
        other.add(plan, since: nil)
        other.kept = kept
        return other
    }

    /// Whether they hide rows, or links, that a plan carried out in their place left.
    func exceed(_ plan: DeletePlan) -> Bool {
        if !deleted.subtracting(plan.deleted).isEmpty { return true }
        return cleared.contains { link in
            let done = plan.cleared.filter { $0.space == link.space && $0.relationshipIndex == link.relationshipIndex }
                .reduce(plan.deleted[link.space]) { $0.union($1.keys) }
            return !link.keys.subtracting(done).isEmpty
        }
    }

    /// The request that the save carries out.
    func request(author: String?) -> DeleteRequest {
        var request = DeleteRequest(.rows(roots))
        request.counts = .checked
        request.kept = kept
        request.author = author
        request.recovery = recovery
        request.known = single
        return request
    }

    /// A row as it looks once they are done.
    func applied(to snapshot: Snapshot) -> Snapshot {
        var snapshot = snapshot
        for link in cleared where link.space == snapshot.id.space && link.keys.contains(snapshot.id.key) {
            guard let slot = link.slot, snapshot.values.indices.contains(slot),
                case .reference(let id) = snapshot.values[slot], deleted.contains(id)
            else { continue }
            snapshot.values[slot] = .null
        }
        return snapshot
    }
}
