extension SavedChanges {
    /// Combines history into the changes needed to merge it, by identity; without values of updated rows. Ascending by
    /// entity name and key. An object that was inserted and deleted meanwhile counts as deleted, because another context
    /// may have read it; one that was deleted and inserted again with its key counts as updated.
    /// - Parameter steps: In the order in which the changes were made.
    package init(combining steps: [HistoryStep]) {
        self.init()
        let bySpace = Dictionary(grouping: steps.indices) { steps[$0].id.space }
        for (_, places) in bySpace.sorted(by: { $0.key.entityName < $1.key.entityName }) {
            let sorted = places.sorted { (steps[$0].id.key, $0) < (steps[$1].id.key, $1) }
            // An object's first change shows whether it existed before, its last one whether it exists afterwards.
            var first = sorted.startIndex
            for index in sorted.indices {
                let last = steps[sorted[index]]
                guard index + 1 == sorted.endIndex || steps[sorted[index + 1]].id.key != last.id.key else { continue }
                switch (steps[sorted[first]].kind, last.kind) {
                case (_, .delete): deleted.append(last.id)
                case (.insert, _): inserted.append(last.id)
                default: updatedIDs.append(last.id)
                }
                first = index + 1
            }
        }
    }

    /// - Parameter transactions: The transactions in order, with their changes.
    package init(combining transactions: [HistoryTransaction]) {
        self.init(
            combining: transactions.flatMap(\.changes).map { change in
                switch change.kind {
                case .insert: HistoryStep(.insert, change.id)
                case .update: HistoryStep(.update, change.id)
                case .delete: HistoryStep(.delete, change.id)
                }
            })
    }
}
