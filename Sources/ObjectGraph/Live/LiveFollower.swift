/// The one follower of queries of a graph: it collects the changes of the graph, and passes to each observer those that
/// concern it.
///
/// Changes are dispatched by entity and by the properties that changed: an observer that reads none of these costs a
/// comparison of two masks. Rows that must be read are read once for all observers.
package final class LiveFollower {
    package let graph: Graph
    let model: Model
    private var observersByIdentity = KeyedList<ObjectIdentifier, LiveResults>()
    /// The observers' nodes, by the index of the own entity of a changed object.
    private(set) var interests: [LiveInterests]
    /// The entities of spaces, as changes name them.
    private var entities: [IDSpace: Int] = [:]
    private var frozen = FrozenResultsInUse()
    /// Whether the changes of an observer could not be read.
    private(set) var isBehind = false
    /// The number of objects read to be tested, since those that nothing refers to were last released.
    private var unsweptCount = 0
    private static let mostUnswept = 4_096

    /// The difference of one observer's results.
    package struct Update {
        package let results: LiveResults
        package let difference: LiveDifference
    }

    /// Creates the follower of a graph, which must have a store.
    /// - Returns: `nil` for a detached graph.
    package init?(_ graph: Graph) {
        guard let model = graph.model, !graph.isDetached else { return nil }
        self.graph = graph
        self.model = model
        interests = Array(repeating: LiveInterests(), count: model.indexLimit)
        graph.log.follow(self)
    }

    deinit {
        graph.log.unfollow(ObjectIdentifier(self))
    }

    // MARK: Observers

    var observers: [LiveResults] { observersByIdentity.elements }

    /// Whether there are no observers.
    package var isUnused: Bool { observersByIdentity.isEmpty }

    /// Whether results are maintained.
    package func isFollowing(_ results: LiveResults) -> Bool {
        observersByIdentity.contains(ObjectIdentifier(results))
    }

    /// Fetches the results of a query, to be maintained until `unfollow(_:)`.
    /// - Parameter records: What the query finds at present, from offset 0 up to its `heldLimit`; `nil` to fetch it. They
    ///   stay faults if they are.
    /// - Throws: Errors of fetching.
    package func follow(_ query: LiveQuery, holding records: [Record]? = nil) throws -> LiveResults {
        let results = try LiveResults(query, in: graph, model, holding: records)
        add(results)
        return results
    }

    /// Computes groups, to be maintained until their results are unfollowed.
    /// - Throws: Errors of fetching.
    package func follow(_ query: GroupQuery, _ holding: HoldingRule = HoldingRule()) throws -> LiveAggregate {
        let aggregate = try LiveAggregate(query, holding, in: graph, model)
        add(aggregate.results)
        return aggregate
    }

    /// Maintains groups that are known already, whose rows are never held: after each change that concerns them, the store
    /// computes them again.
    package func follow(_ query: GroupQuery, knowing summary: GroupSummary) -> LiveAggregate {
        let aggregate = LiveAggregate(query, summary, in: graph, model)
        add(aggregate.results)
        return aggregate
    }

    /// - Complexity: O(1) in the number of observers.
    package func unfollow(_ results: LiveResults) {
        observersByIdentity.remove(ObjectIdentifier(results))
        for index in interests.indices { interests[index].remove(results) }
    }

    /// Changes which updates of results are reported from now on.
    package func report(_ updates: LiveQuery.UpdateRule, of results: LiveResults) {
        guard results.query.updates != updates else { return }
        results.report(updates)
        renewInterests(of: results)
    }

    /// Returns the present results, unaffected by later changes.
    /// - Complexity: O(1). If the results change while the frozen ones exist, their identities are copied.
    package func freeze(_ results: LiveResults) -> FrozenResults {
        if let present = results.frozen { return present }
        let new = FrozenResults(results)
        results.frozen = new
        frozen.add(new)
        return new
    }

    private func add(_ observer: LiveResults) {
        observersByIdentity.set(observer, for: ObjectIdentifier(observer))
        addInterests(of: observer)
    }

    private func renewInterests(of observer: LiveResults) {
        for index in interests.indices { interests[index].remove(observer) }
        addInterests(of: observer)
    }

    private func addInterests(of observer: LiveResults) {
        let query = observer.query.query
        for entity in model.entities {
            for (index, node) in observer.dependencies.nodes.enumerated() {
                let isSame =
                    index == 0 && !query.includesSubentities
                    ? entity.index == node.entityIndex : model.isKind(entity.index, of: node.entityIndex)
                let mask = observer.dependencies.obstacle == nil ? node.mask : .all
                if isSame { interests[entity.index].add(.init(observer: observer, node: index, mask: mask)) }
            }
        }
    }

    func entityIndex(of space: IDSpace) -> Int? {
        if let known = entities[space] { return known }
        guard let index = model.entity(named: space.entityName)?.index else { return nil }
        entities[space] = index
        return index
    }

    /// Whether anything has changed since the last update. Changes of others that the graph has not merged count as
    /// well, and changes that could not be read.
    package var hasChanges: Bool { hasUnseenChanges || isBehind || !graph.inbox.isEmpty }

    private var hasUnseenChanges: Bool { graph.log.hasChanges(for: ObjectIdentifier(self)) }
    private func takeChanges() -> GraphChanges { graph.log.take(for: ObjectIdentifier(self)) }

    // MARK: Events

    /// Merges waiting changes of others, and applies all changes since the last call.
    /// - Parameter report: Receives errors of reading the store. The observers concerned fetch their results again at
    ///   the next call.
    /// - Returns: The differences of observers whose results have changed.
    package func update(_ report: (any Error) -> Void) -> [Update] {
        // Observers of objects may ask for results while the graph merges.
        if graph.merging.isMerging { return [] }
        graph.mergeWaitingChanges()
        if observers.isEmpty { _ = takeChanges() }
        if !hasUnseenChanges, !isBehind { return [] }
        var dispatch = LiveDispatch(self)
        let sources = LinkSources(graph, model)
        do {
            // Reading may show that rows are gone.
            while hasUnseenChanges {
                let changes = takeChanges()
                frozen.note(changes, in: graph)
                try dispatch.pass(changes, sources)
            }
        } catch {
            report(error)
            observers.forEach { $0.fallBehind() }
            isBehind = true
            return []
        }
        isBehind = false
        let updates = dispatch.concerned.compactMap { observer -> Update? in
            let heldRows = observer.holdsRows
            defer { if observer.holdsRows != heldRows { renewInterests(of: observer) } }
            do {
                return try observer.apply(sources).map { Update(results: observer, difference: $0) }
            } catch {
                report(error)
                isBehind = true
                return nil
            }
        }
        release(testedCount: sources.readCount)
        return updates
    }

    /// Releases objects that were read only to be tested, once there are many.
    private func release(testedCount count: Int) {
        unsweptCount += count
        if unsweptCount < Self.mostUnswept { return }
        unsweptCount = 0
        graph.sweepIfNeeded()
    }
}

extension LiveFollower: RenamingReader {
    func note(_ renamings: [GraphChanges.Renaming]) { frozen.note(renamings) }
}
