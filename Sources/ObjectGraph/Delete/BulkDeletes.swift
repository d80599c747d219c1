/// Pending deletions of sets of rows. The rows are hidden at once; the save deletes them by a plan made in its
/// transaction.
package struct BulkDeletes: Sendable, Hashable {
    /// The requested rows, fixed at the time of the request.
    private(set) var roots = RowSet()
    /// The roots, and the rows that cascades reach according to the plans made so far.
    private(set) var deleted = RowSet()
    /// Undeleted rows, which cascades must not delete either.
    private(set) var excluded = RowSet()
    private(set) var cleared: [NullifiedLink] = []
    /// The plan, if there is only one.
    private var single: DeleteRequest.KnownPlan?

    /// Whether the deletion can be restored after the save. All bulk deletes of one save are restored together.
    private(set) var recovery = Recovery.none

    var isEmpty: Bool { roots.isEmpty }

    /// - Returns: The token for the restore.
    mutating func makeRecoverable() -> RecoveryToken {
        if let token = recovery.token { return token }
        let token = RecoveryToken()
        recovery = .archived(token)
        return token
    }

    /// - Parameter commitMarker: The state of the store before the plan was made.
    mutating func add(_ plan: DeletePlan, since commitMarker: CommitMarker?) {
        single = isEmpty ? DeleteRequest.KnownPlan(plan, since: commitMarker) : nil
        roots.formUnion(plan.roots)
        excluded = excluded.subtracting(plan.deleted)
        deleted.formUnion(plan.deleted)
        cleared += plan.cleared
    }

    /// Adds a row that a cascade deletes already.
    mutating func addRoot(_ row: ObjectID) {
        guard !roots.contains(row) else { return }
        roots.formUnion(RowSet([row]))
        single = nil
    }

    /// Replaces them with another plan, with the same recovery.
    func replaced(by plan: DeletePlan?, keeping excluded: RowSet) -> BulkDeletes {
        var other = BulkDeletes()
        guard let plan, !plan.isEmpty else { return other }
        other.recovery = recovery
        other.add(plan, since: nil)
        other.excluded = excluded
        return other
    }

    /// Whether they hide rows or links that the executed plan kept.
    func exceed(_ plan: DeletePlan) -> Bool {
        if !deleted.subtracting(plan.deleted).isEmpty { return true }
        return cleared.contains { link in
            let done = plan.cleared.filter { $0.space == link.space && $0.relationshipIndex == link.relationshipIndex }
                .reduce(plan.deleted[link.space]) { $0.union($1.keys) }
            return !link.keys.subtracting(done).isEmpty
        }
    }

    /// The request that the save executes.
    func request(author: String?) -> DeleteRequest {
        var request = DeleteRequest(.rows(roots))
        request.counts = .checked
        request.excluded = excluded
        request.author = author
        request.recovery = recovery
        request.known = single
        return request
    }

    /// Returns a row as it will be after the deletions, even if another context has linked it to a deleted row since.
    func applied(to snapshot: Snapshot, of entity: Entity) -> Snapshot {
        var snapshot = snapshot
        for relationship in entity.toOneRelationships {
            guard let slot = relationship.slot, slot < snapshot.values.count,
                case .reference(let id) = snapshot.values[slot], deleted.contains(id),
                isCleared(relationship, of: snapshot.id)
            else { continue }
            snapshot.values[slot] = .null
        }
        return snapshot
    }

    /// Returns the members of a list as they will be after the deletions.
    func applied(to members: [ObjectID], of relationship: EntityRelationship) -> [ObjectID] {
        if isEmpty || !relationship.losesDeletedDestinations { return members }
        return members.filter { !deleted.contains($0) }
    }

    /// Whether a row's reference to a deleted row will be nil. Rows that are deleted themselves keep theirs, unless an
    /// earlier plan had them as survivors.
    private func isCleared(_ relationship: EntityRelationship, of row: ObjectID) -> Bool {
        if relationship.isNullifiedByDeletes, !deleted.contains(row) { return true }
        return cleared.contains {
            $0.relationshipIndex == relationship.index && $0.space == row.space && $0.keys.contains(row.key)
        }
    }
}
