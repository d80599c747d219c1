/// The one follower of queries of a graph: it takes what has changed in the graph, and passes to each observer what
/// concerns it.
///
/// Changes are dispatched by entity and by the properties that changed: an observer that reads none of these costs a
/// comparison of two masks. Rows that must be read are read once for all observers.
package final class LiveFollower {
    package let graph: Graph
    let model: Model
    private let log: ChangeLog
    private(set) var observers: [LiveResults] = []
    /// The observers' nodes, by the index of the own entity of a changed object.
    private var interests: [[Interest]]
    /// The entities of spaces, as changes name them.
    private var entities: [IDSpace: Int] = [:]

    private struct Interest {
        let observer: LiveResults
        let node: Int
        let mask: PropertyMask
    }

    /// The difference of one observer's results.
    package struct Update {
        package let results: LiveResults
        package let difference: LiveDifference
    }

    /// Above this number of rows of a set to be tested, a fetch is cheaper.
    private static let mostTested = 10_000

    /// Creates the follower of a graph, which must have a store.
    /// - Returns: `nil` for a detached graph.
    package init?(_ graph: Graph) {
        guard let model = graph.model, !graph.isDetached else { return nil }
        self.graph = graph
        self.model = model
        log = ChangeLog()
        interests = Array(repeating: [], count: model.indexLimit)
        graph.changeLog = log
    }

    deinit {
        if graph.changeLog === log { graph.changeLog = nil }
    }

    // MARK: Observers

    /// Fetches the results of a query, to be maintained until `unfollow(_:)`.
    /// - Throws: Errors of fetching.
    package func follow(_ query: LiveQuery) throws -> LiveResults {
        let results = try LiveResults(query, in: graph, model)
        observers.append(results)
        add(results)
        return results
    }

    package func unfollow(_ results: LiveResults) {
        observers.removeAll { $0 === results }
        for index in interests.indices { interests[index].removeAll { $0.observer === results } }
    }

    private func add(_ observer: LiveResults) {
        let query = observer.query.query
        for entity in model.entities {
            for (index, node) in observer.dependencies.nodes.enumerated() {
                let isSame =
                    index == 0 && !query.includesSubentities
                    ? entity.index == node.entityIndex : model.isKind(entity.index, of: node.entityIndex)
                let mask = observer.dependencies.obstacle == nil ? node.mask : .all
                if isSame { interests[entity.index].append(Interest(observer: observer, node: index, mask: mask)) }
            }
        }
    }

    /// Whether anything has changed since the last update. Changes of others that the graph has not merged count as
    /// well.
    package var hasChanges: Bool { !log.isEmpty || !graph.inbox.isEmpty }

    // MARK: Events

    /// Merges waiting changes of others, and applies all changes since the last call.
    /// - Parameter report: Receives errors of reading the store. The observers concerned fetch their results again at
    ///   the next event.
    /// - Returns: The differences of observers whose results have changed.
    package func update(_ report: (any Error) -> Void) -> [Update] {
        graph.mergeWaitingChanges()
        if log.isEmpty { return [] }
        var event = Event()
        let sources = LinkSources(graph, model)
        do {
            // Reading may show that rows are gone.
            while !log.isEmpty {
                let changes = log.take()
                if observers.isEmpty { return [] }
                event.toRead = []
                dispatch(changes, &event)
                try sources.read(event.toRead)
            }
        } catch {
            report(error)
            for observer in event.concerned {
                observer.work = LiveWork()
                observer.isBehind = true
            }
            return []
        }
        return event.concerned.compactMap { observer in
            do {
                return try observer.apply(sources).map { Update(results: observer, difference: $0) }
            } catch {
                report(error)
                return nil
            }
        }
    }

    /// The observers that an event concerns, and the objects that they test.
    private struct Event {
        var concerned: [LiveResults] = []
        var toRead: [ObjectID] = []

        mutating func note(_ observer: LiveResults) {
            if observer.work.isEmpty { concerned.append(observer) }
        }
    }

    private func dispatch(_ changes: ChangeLog.Changes, _ event: inout Event) {
        if changes.isOverflow {
            for observer in observers { require(.unlistedChanges, of: observer, &event) }
            return
        }
        var changed = changes.rows
        var gone: [ObjectID] = []
        for entry in changes.records {
            let id = entry.record.id
            if isLost(entry.record) {
                gone.append(id)
            } else {
                changed[id, default: PropertyMask()].formUnion(entry.mask)
            }
        }
        dispatch(changes.renamings, &changed, &event)
        var removed = changes.removed
        if !gone.isEmpty { removed.formUnion(RowSet(gone)) }
        if !removed.isEmpty { dispatchRemoved(removed, &event) }
        dispatch(returned: changes.returned, &changed, &event)
        for link in changes.relinked { dispatch(link, &changed, &event) }
        for (id, mask) in changed { dispatch(id, mask, &event) }
    }

    /// Whether an object is gone, and no other record represents it.
    private func isLost(_ record: Record) -> Bool {
        if record.graph === graph { return false }
        return (record.isGone || record.wasNeverSaved) && graph.registeredRecord(for: record.id) == nil
    }

    private func entityIndex(of space: IDSpace) -> Int? {
        if let known = entities[space] { return known }
        guard let index = model.entity(named: space.entityName)?.index else { return nil }
        entities[space] = index
        return index
    }

    private func dispatch(_ id: ObjectID, _ mask: PropertyMask, _ event: inout Event) {
        guard let entityIndex = entityIndex(of: id.space) else { return }
        var isRead = false
        for interest in interests[entityIndex] where interest.mask.intersects(mask) {
            event.note(interest.observer)
            if let obstacle = interest.observer.dependencies.obstacle {
                interest.observer.work.requireRefetch(obstacle.reason)
                continue
            }
            isRead = true
            if interest.node == 0 {
                interest.observer.work.tested.append((id, true))
            } else {
                interest.observer.work.reached[interest.node, default: []].append(id)
            }
        }
        if isRead { event.toRead.append(id) }
    }

    /// Objects with another identity are tested again, because their places depend on it.
    private func dispatch(
        _ renamings: [ChangeLog.Renaming], _ changed: inout [ObjectID: PropertyMask], _ event: inout Event
    ) {
        for renaming in renamings {
            let id = renaming.record.id
            guard let entityIndex = entityIndex(of: id.space) else { continue }
            for interest in interests[entityIndex] where interest.node == 0 {
                event.note(interest.observer)
                interest.observer.work.renamed.append((renaming.former, id))
            }
            changed[id, default: PropertyMask()].formUnion(.existence)
        }
    }

    private func require(_ reason: LiveRefetch, of observer: LiveResults, _ event: inout Event) {
        event.note(observer)
        observer.work.requireRefetch(reason)
    }

    // MARK: Sets

    private func dispatchRemoved(_ rows: RowSet, _ event: inout Event) {
        for (space, keys) in rows.keysBySpace {
            guard let entityIndex = entityIndex(of: space) else { continue }
            for interest in interests[entityIndex] {
                if let obstacle = interest.observer.dependencies.obstacle {
                    require(obstacle.reason, of: interest.observer, &event)
                } else if interest.node == 0 {
                    event.note(interest.observer)
                    interest.observer.work.removed.insert(keys, in: space)
                } else if let link = interest.observer.dependencies.nodes[interest.node].link {
                    dispatchRemoved(keys, in: space, from: link, interest, &event)
                }
            }
        }
    }

    /// Owners that lose a deleted object are changed themselves, unless the delete rules leave them alone.
    private func dispatchRemoved(
        _ keys: KeySet, in space: IDSpace, from link: LiveDependencies.Link, _ interest: Interest, _ event: inout Event
    ) {
        guard space.isTemporary else {
            if link.isLostSilently { require(.silentDeletion, of: interest.observer, &event) }
            return
        }
        // Only unsaved changes refer to objects that were never saved, so that they are found.
        event.note(interest.observer)
        interest.observer.work.reached[interest.node, default: []] += keys.keys.map {
            ObjectID(space: space, key: $0)
        }
    }

    private func dispatch(returned rows: RowSet, _ changed: inout [ObjectID: PropertyMask], _ event: inout Event) {
        for (space, keys) in rows.keysBySpace {
            guard let entityIndex = entityIndex(of: space) else { continue }
            let isMany = keys.count > Self.mostTested
            for interest in interests[entityIndex] {
                if interest.observer.dependencies.nodes[interest.node].link?.isLostSilently == true {
                    require(.silentDeletion, of: interest.observer, &event)
                } else if isMany {
                    require(.manyRows, of: interest.observer, &event)
                }
            }
            if isMany || interests[entityIndex].isEmpty { continue }
            for key in keys.keys { changed[ObjectID(space: space, key: key)] = .all }
        }
    }

    private func dispatch(
        _ link: NullifiedLink, _ changed: inout [ObjectID: PropertyMask], _ event: inout Event
    ) {
        guard let entityIndex = entityIndex(of: link.space),
            model[entityIndex].relationships.indices.contains(link.relationshipIndex)
        else { return }
        let mask = PropertyMask(model[entityIndex].relationships[link.relationshipIndex])
        let concerned = interests[entityIndex].filter { $0.mask.intersects(mask) }
        if concerned.isEmpty { return }
        if link.keys.count > Self.mostTested {
            for interest in concerned { require(.manyRows, of: interest.observer, &event) }
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
