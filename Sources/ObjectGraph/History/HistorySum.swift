/// Sums up history, change by change in the order they were made: enough to merge it, and small. An object that came and went
/// meanwhile counts as deleted, as somebody may have read it; one that was deleted and made again with its key counts as updated.
package struct HistorySum: Sendable {
    private var steps: [IDSpace: [Step]] = [:]
    /// Changes added so far.
    package private(set) var count = 0

    private struct Step {
        let key: Int64
        let place: Int
        let kind: Kind
    }

    package enum Kind: Sendable, CaseIterable {
        case insert, update, delete
    }

    package init() {}

    /// - Parameter transactions: in order, with their changes.
    package init(_ transactions: [HistoryTransaction]) {
        for change in transactions.lazy.flatMap(\.changes) {
            switch change.kind {
            case .insert: add(.insert, change.id)
            case .update: add(.update, change.id)
            case .delete: add(.delete, change.id)
            }
        }
    }

    package mutating func add(_ kind: Kind, _ id: ObjectID) {
        steps[id.space, default: []].append(Step(key: id.key, place: count, kind: kind))
        count += 1
    }

    /// What they come to, by identity; values of updated rows are not at hand. Ascending by entity name and key.
    package var changes: SavedChanges {
        var changes = SavedChanges()
        for (space, steps) in steps.sorted(by: { $0.key.entityName < $1.key.entityName }) {
            Self.add(steps, of: space, to: &changes)
        }
        return changes
    }

    /// An object's first change tells whether it was there before, its last one whether it is there after.
    private static func add(_ steps: [Step], of space: IDSpace, to changes: inout SavedChanges) {
        let sorted = steps.sorted { ($0.key, $0.place) < ($1.key, $1.place) }
        var first = sorted.startIndex
        for index in sorted.indices {
            guard index + 1 == sorted.endIndex || sorted[index + 1].key != sorted[index].key else { continue }
            let id = ObjectID(space: space, key: sorted[index].key)
            switch (sorted[first].kind, sorted[index].kind) {
            case (_, .delete): changes.deleted.append(id)
            case (.insert, _): changes.inserted.append(id)
            default: changes.updatedIDs.append(id)
            }
            first = index + 1
        }
    }
}
