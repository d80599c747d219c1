/// What a range of history comes to, per entity: enough to merge it, and small. An object that came and went within
/// the range counts as deleted, as somebody may have read it meanwhile; one that was deleted and made again with its key
/// counts as updated.
package struct HistoryDelta: Sendable, Hashable {
    /// Ascending by entity name; only entities with changes.
    package let entities: [EntityKeys]

    /// Keys of one entity's objects. Ascending; no key is in two of the arrays.
    package struct EntityKeys: Sendable, Hashable {
        package let space: IDSpace
        package fileprivate(set) var inserted: [Int64] = []
        package fileprivate(set) var updated: [Int64] = []
        package fileprivate(set) var deleted: [Int64] = []
    }

    package var isEmpty: Bool { entities.isEmpty }
}

extension HistoryDelta {
    /// What these transactions come to.
    /// - Parameter transactions: in order, with their changes.
    package init(_ transactions: [HistoryTransaction]) {
        var builder = HistoryDeltaBuilder()
        for change in transactions.lazy.flatMap(\.changes) {
            switch change.kind {
            case .insert: builder.inserted(change.id)
            case .update: builder.updated(change.id)
            case .delete: builder.deleted(change.id)
            }
        }
        self = builder.delta()
    }
}

/// Sums changes up. They are told in the order they were made.
package struct HistoryDeltaBuilder: Sendable {
    private var changes: [IDSpace: [Change]] = [:]
    /// Changes told so far.
    package private(set) var count = 0

    private struct Change {
        let key: Int64
        let place: Int
        let kind: Kind
    }

    private enum Kind: UInt8 {
        case insert, update, delete
    }

    package init() {}

    package mutating func inserted(_ id: ObjectID) { add(.insert, id) }
    package mutating func updated(_ id: ObjectID) { add(.update, id) }
    package mutating func deleted(_ id: ObjectID) { add(.delete, id) }

    private mutating func add(_ kind: Kind, _ id: ObjectID) {
        changes[id.space, default: []].append(Change(key: id.key, place: count, kind: kind))
        count += 1
    }

    package func delta() -> HistoryDelta {
        let entities = changes.map { Self.sum($1, $0) }
        return HistoryDelta(entities: entities.sorted { $0.space.entityName < $1.space.entityName })
    }

    /// An object's first change tells whether it was there before, its last one whether it is there after.
    private static func sum(_ changes: [Change], _ space: IDSpace) -> HistoryDelta.EntityKeys {
        let sorted = changes.sorted { ($0.key, $0.place) < ($1.key, $1.place) }
        var keys = HistoryDelta.EntityKeys(space: space)
        var first = sorted.startIndex
        for index in sorted.indices {
            guard index + 1 == sorted.endIndex || sorted[index + 1].key != sorted[index].key else { continue }
            switch (sorted[first].kind, sorted[index].kind) {
            case (_, .delete): keys.deleted.append(sorted[index].key)
            case (.insert, _): keys.inserted.append(sorted[index].key)
            default: keys.updated.append(sorted[index].key)
            }
            first = index + 1
        }
        return keys
    }
}

extension SavedChanges {
    /// The changes by identity; values of updated rows are not at hand.
    package init(_ delta: HistoryDelta) {
        self.init()
        for keys in delta.entities {
            inserted += keys.inserted.map { ObjectID(space: keys.space, key: $0) }
            updatedIDs += keys.updated.map { ObjectID(space: keys.space, key: $0) }
            deleted += keys.deleted.map { ObjectID(space: keys.space, key: $0) }
        }
    }
}
