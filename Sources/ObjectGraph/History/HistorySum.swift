/// Combines history into the changes needed to merge it, in the order in which they were made. An object that was
/// inserted and deleted meanwhile counts as deleted, because another context may have read it; one that was deleted and
/// inserted again with its key counts as updated.
package struct HistorySum: Sendable {
    private var steps: [IDSpace: [Step]] = [:]
    /// The number of changes added so far.
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

    /// - Parameter transactions: The transactions in order, with their changes.
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

    /// The combined changes, by identity; without values of updated rows. Ascending by entity name and key.
    package var changes: SavedChanges {
        var changes = SavedChanges()
        for (space, steps) in steps.sorted(by: { $0.key.entityName < $1.key.entityName }) {
            Self.add(steps, of: space, to: &changes)
        }
        return changes
    }

    /// An object's first change shows whether it existed before, its last one whether it exists afterwards.
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
