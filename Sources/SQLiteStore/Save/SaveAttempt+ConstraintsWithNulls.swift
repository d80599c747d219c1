import ObjectGraph

/// Constraints on composites, for which the file's index does not detect all equal rows: written rows are compared with
/// the others here.
extension SaveAttempt {
    /// - Throws: `CollidingInsertion` for a new row that equals another one, `UniqueViolation` for an updated one.
    /// - Complexity: One statement for each such constraint, and for updates, for each set of written columns.
    func checkConstraintsWithNulls() throws {
        guard runner.hasConstraintsWithNulls else { return }
        try checkConstraintsWithNullsOfInsertions()
        try checkConstraintsWithNullsOfUpdates()
    }

    private func checkConstraintsWithNullsOfInsertions() throws {
        var places: [Int: [Int64: Int]] = [:]
        for (place, insertion) in changes.insertions.enumerated()
        where !runner.plans[insertion.entityIndex].uniquenessWithNulls.isEmpty {
            places[insertion.entityIndex, default: [:]][saved.inserted[place].id.key] = place
        }
        for (entityIndex, places) in places.sorted(by: { $0.key < $1.key }) {
            let plan = runner.plans[entityIndex]
            try plan.checkConstraintsWithNulls(KeySet(Array(places.keys)), connection) { uniqueness, key in
                let ids = places[key].map { [changes.insertions[$0].id] } ?? []
                return CollidingInsertion(violation: plan.violation(of: uniqueness, ids))
            }
        }
    }

    private struct Edit: Hashable {
        let entityIndex: Int
        let slots: [Int]
    }

    private func checkConstraintsWithNullsOfUpdates() throws {
        var rows: [Edit: [Int64]] = [:]
        for update in changes.updates
        where !runner.plans[update.entityIndex].uniquenessWithNulls.isEmpty
            && !saved.plan.deleted.contains(update.id)
        {
            rows[Edit(entityIndex: update.entityIndex, slots: update.changedSlots), default: []].append(update.id.key)
        }
        for (edit, keys) in rows {
            let plan = runner.plans[edit.entityIndex]
            let written = Set(edit.slots.compactMap { plan.storage.columns.element($0)??.name })
            try plan.checkConstraintsWithNulls(KeySet(keys), written: written, connection) { uniqueness, key in
                plan.violation(of: uniqueness, [runner.spaces.id(entityIndex: edit.entityIndex, key: key)])
            }
        }
    }
}
