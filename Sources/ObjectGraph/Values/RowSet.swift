/// Rows of several entities: keys by store and own entity. The form in which deleted rows are passed from a store to
/// contexts.
package struct RowSet: Sendable, Hashable {
    package private(set) var keysBySpace: [IDSpace: KeySet] = [:]

    package init() {}

    package init(_ ids: some Sequence<ObjectID>) {
        // Mostly, identifiers of an entity follow each other: then nothing is hashed for each of them.
        var run: (space: IDSpace, keys: [Int64])?
        var keysBySpace: [IDSpace: [Int64]] = [:]
        for id in ids {
            if run?.space == id.space {
                run?.keys.append(id.key)
            } else {
                if let run { keysBySpace[run.space, default: []] += run.keys }
                run = (id.space, [id.key])
            }
        }
        if let run { keysBySpace[run.space, default: []] += run.keys }
        for (space, keys) in keysBySpace { insert(KeySet(keys), in: space) }
    }

    package var count: Int { keysBySpace.values.reduce(0) { $0 + $1.count } }
    package var isEmpty: Bool { keysBySpace.isEmpty }

    /// The stores and entities of the rows.
    package var spaces: Set<IDSpace> { Set(keysBySpace.keys) }

    package subscript(space: IDSpace) -> KeySet { keysBySpace[space] ?? KeySet() }

    package func contains(_ id: ObjectID) -> Bool { keysBySpace[id.space]?.contains(id.key) ?? false }

    package mutating func insert(_ keys: KeySet, in space: IDSpace) {
        guard !keys.isEmpty else { return }
        keysBySpace[space, default: KeySet()].formUnion(keys)
    }

    package mutating func formUnion(_ other: RowSet) {
        for (space, keys) in other.keysBySpace { insert(keys, in: space) }
    }

    package func union(_ other: RowSet) -> RowSet {
        var union = self
        union.formUnion(other)
        return union
    }

    package func subtracting(_ other: RowSet) -> RowSet {
        var rest = RowSet()
        for (space, keys) in keysBySpace { rest.insert(keys.subtracting(other[space]), in: space) }
        return rest
    }

    package func intersection(_ other: RowSet) -> RowSet {
        var both = RowSet()
        for (space, keys) in keysBySpace { both.insert(keys.intersection(other[space]), in: space) }
        return both
    }

    /// The identities by entity, in key order; created lazily.
    package var ids: some Sequence<ObjectID> {
        keysBySpace.sorted { $0.key.number < $1.key.number }.lazy.flatMap { space, keys in
            keys.keys.lazy.map { ObjectID(space: space, key: $0) }
        }
    }
}
