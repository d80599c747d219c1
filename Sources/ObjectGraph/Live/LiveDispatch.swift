/// Passes the changes of one event to the observers that they concern, as their `LiveResults.Work`.
struct LiveDispatch {
    private let follower: LiveFollower
    private let graph: Graph
    private(set) var concerned: [LiveResults] = []

    /// Above this number of rows of a set to be tested, a fetch is cheaper.
    private static let mostTested = 10_000

    init(_ follower: LiveFollower) {
        self.follower = follower
        graph = follower.graph
        guard follower.isBehind else { return }
        for observer in follower.observers where observer.isBehind { require(.failedReading, of: observer) }
    }

    /// - Throws: Errors of reading the changed objects.
    mutating func pass(_ changes: GraphChanges, _ sources: LinkSources) throws {
        for renaming in changes.renamings { pass(renaming) }
        if changes.isOverflow {
            for observer in follower.observers { require(.unlistedChanges, of: observer) }
            return
        }
        var changed = changes.rows
        var gone: [ObjectID] = []
        for entry in changes.objects {
            let id = entry.record.id
            if isLost(entry.record) {
                gone.append(id)
            } else {
                changed[id, default: PropertyMask()].formUnion(entry.mask)
            }
        }
        var removed = changes.removed
        if !gone.isEmpty { removed.formUnion(RowSet(gone)) }
        if !removed.isEmpty { pass(removed: removed) }
        pass(returned: changes.returned, &changed)
        for link in changes.relinked { pass(link, &changed) }
        try pass(changed, sources)
    }

    private mutating func note(_ observer: LiveResults) {
        if observer.work.isEmpty { concerned.append(observer) }
    }

    private mutating func require(_ reason: LiveRefetch, of observer: LiveResults) {
        note(observer)
        observer.work.requireRefetch(reason)
    }

    private func interests(of space: IDSpace) -> LiveInterests? {
        guard let index = follower.entityIndex(of: space), !follower.interests[index].isEmpty else { return nil }
        return follower.interests[index]
    }

    // MARK: Objects

    /// Whether an object is gone, and no other record represents it.
    private func isLost(_ record: Record) -> Bool {
        if record.graph === graph { return false }
        return (record.isGone || record.wasNeverSaved) && graph.registeredRecord(for: record.id) == nil
    }

    private mutating func pass(_ changed: [ObjectID: PropertyMask], _ sources: LinkSources) throws {
        var passed: [(id: ObjectID, mask: PropertyMask, interests: LiveInterests)] = []
        for (id, mask) in changed {
            guard let interests = interests(of: id.space), interests.concerns(mask) else { continue }
            passed.append((id, mask, interests))
        }
        try sources.read(passed.lazy.filter { $0.interests.readsRows($0.mask) }.map(\.id))
        for (id, mask, interests) in passed {
            var found: [LiveInterests.Interest] = []
            interests.forEach(id, mask, graph.registeredRecord(for: id)) { found.append($0) }
            for interest in found { pass(id, to: interest) }
        }
    }

    private mutating func pass(_ id: ObjectID, to interest: LiveInterests.Interest) {
        note(interest.observer)
        if let obstacle = interest.observer.dependencies.obstacle {
            interest.observer.work.requireRefetch(obstacle.reason)
        } else if interest.node == 0 {
            interest.observer.work.tested.append((id, true))
        } else {
            interest.observer.work.reached[interest.node, default: []].append(id)
        }
    }

    /// Objects with another identity are tested again where they are held, because their places depend on it.
    private mutating func pass(_ renaming: GraphChanges.Renaming) {
        let id = renaming.record.id
        guard let interests = interests(of: id.space) else { return }
        for interest in interests.all where interest.node == 0 {
            guard interest.observer.rows.number(of: renaming.former) != nil else { continue }
            note(interest.observer)
            interest.observer.work.renamed.append((renaming.former, id))
            interest.observer.work.tested.append((id, true))
        }
    }

    // MARK: Sets

    private mutating func pass(removed rows: RowSet) {
        for (space, keys) in rows.keysBySpace {
            for interest in interests(of: space)?.all ?? [] {
                if let obstacle = interest.observer.dependencies.obstacle {
                    require(obstacle.reason, of: interest.observer)
                } else if interest.node == 0 {
                    note(interest.observer)
                    interest.observer.work.removed.insert(keys, in: space)
                } else if let link = interest.observer.dependencies.nodes[interest.node].link {
                    pass(removed: keys, in: space, from: link, interest)
                }
            }
        }
    }

    /// Owners that lose a deleted object are changed themselves, unless the delete rules leave them alone, or their link to
    /// it was never saved, so that the deletion did not know it.
    private mutating func pass(
        removed keys: KeySet, in space: IDSpace, from link: LiveDependencies.Link, _ interest: LiveInterests.Interest
    ) {
        if link.isLostSilently, !space.isTemporary { return require(.silentDeletion, of: interest.observer) }
        guard graph.unsaved.hasEdits else { return }
        note(interest.observer)
        interest.observer.work.lost[interest.node, default: RowSet()].insert(keys, in: space)
    }

    private mutating func pass(returned rows: RowSet, _ changed: inout [ObjectID: PropertyMask]) {
        for (space, keys) in rows.keysBySpace {
            guard let interests = interests(of: space) else { continue }
            let isMany = keys.count > Self.mostTested
            for interest in interests.all {
                if interest.observer.dependencies.nodes[interest.node].link?.isLostSilently == true {
                    require(.silentDeletion, of: interest.observer)
                } else if isMany {
                    require(.manyRows, of: interest.observer)
                }
            }
            if isMany { continue }
            for key in keys.keys { changed[ObjectID(space: space, key: key)] = .all }
        }
    }

    private mutating func pass(_ link: NullifiedLink, _ changed: inout [ObjectID: PropertyMask]) {
        guard let interests = interests(of: link.space), let entityIndex = follower.entityIndex(of: link.space),
            follower.model[entityIndex].relationships.indices.contains(link.relationshipIndex)
        else { return }
        let mask = PropertyMask(follower.model[entityIndex].relationships[link.relationshipIndex])
        let concerned = interests.all.filter { $0.mask.intersects(mask) }
        if concerned.isEmpty { return }
        if link.keys.count > Self.mostTested {
            for interest in concerned { require(.manyRows, of: interest.observer) }
            return
        }
        for key in link.keys.keys {
            changed[ObjectID(space: link.space, key: key), default: PropertyMask()].formUnion(mask)
        }
    }
}

extension LiveDependencies.Obstacle {
    var reason: LiveRefetch {
        switch self {
        case .derivedAttribute: .derivedAttribute
        case .unknownProperty: .unknownProperty
        }
    }
}
