import ObjectGraph
import Synchronization

/// Is notified of each difference of maintained results.
protocol DifferenceReceiver: AnyObject {
    func receive(_ difference: LiveDifference)
}

/// The queries of one context whose results are maintained. They have one follower, so that each change is looked at once
/// for all of them. Used in the context's isolation.
final class FollowedQueries {
    private struct Entry {
        let results: LiveResults
        weak var receiver: (any DifferenceReceiver)?
    }

    private let graph: Graph
    private let follower: LiveFollower
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var isUpdating = false
    /// Increases with each update.
    private(set) var updateCount = 0
    /// Whether an edit is being made. Changes are collected before the values are set, so that they must not be looked at.
    var isEditing = false
    /// Results whose receivers are gone, and which are followed still. Receivers may be released in any isolation.
    private let released = Mutex<[ObjectIdentifier]>([])

    /// - Returns: `nil` for a detached graph.
    init?(_ graph: Graph) {
        guard let follower = LiveFollower(graph) else { return nil }
        self.graph = graph
        self.follower = follower
    }

    /// Whether anything may have changed since the last update.
    var haveChanges: Bool { follower.hasChanges }

    // MARK: Queries

    /// Fetches the results of a query, which are maintained until the receiver is released.
    /// - Throws: Errors of fetching.
    func follow(_ query: LiveQuery, for receiver: any DifferenceReceiver) throws -> LiveResults {
        _ = removeReleased()
        let results = try follower.follow(query)
        entries[ObjectIdentifier(results)] = Entry(results: results, receiver: receiver)
        return results
    }

    /// Computes groups, which are maintained until the receiver is released.
    /// - Throws: Errors of fetching.
    func follow(_ query: GroupQuery, for receiver: any DifferenceReceiver) throws -> LiveAggregate {
        _ = removeReleased()
        let aggregate = try follower.follow(query)
        entries[ObjectIdentifier(aggregate.results)] = Entry(results: aggregate.results, receiver: receiver)
        return aggregate
    }

    func unfollow(_ results: LiveResults) {
        guard entries.removeValue(forKey: ObjectIdentifier(results)) != nil else { return }
        follower.unfollow(results)
    }

    /// Notes that the receiver of results is released. May be called in any isolation.
    func receiverIsReleased(of results: LiveResults) {
        let key = ObjectIdentifier(results)
        released.withLock { $0.append(key) }
    }

    /// Ends following the queries of released receivers.
    /// - Returns: Whether any receiver is left.
    /// - Complexity: O(k) in the number of released receivers.
    func removeReleased() -> Bool {
        let keys = released.withLock { released in
            defer { released = [] }
            return released
        }
        for key in keys {
            if let results = entries[key]?.results { unfollow(results) }
        }
        return !entries.isEmpty
    }

    func report(_ updates: LiveQuery.UpdateRule, of results: LiveResults) { follower.report(updates, of: results) }

    // MARK: Changes

    /// Merges saves of others, and brings all results up to date. Errors are logged; the results concerned then stay, and are
    /// fetched at the next update.
    func update() {
        guard !isUpdating, !isEditing, follower.hasChanges else { return }
        isUpdating = true
        defer { isUpdating = false }
        _ = removeReleased()
        updateCount &+= 1
        for update in follower.update({ graph.face?.report($0) }) {
            entries[ObjectIdentifier(update.results)]?.receiver?.receive(update.difference)
        }
    }

    // MARK: Objects

    /// Returns the present results, unaffected by later changes.
    func freeze(_ results: LiveResults) -> FrozenResults { follower.freeze(results) }

    /// Returns the object at a position of frozen results. Rows that the context does not have are read together with their
    /// neighbours.
    func record(at position: Int, of frozen: FrozenResults) -> Record? {
        let id = frozen[position]
        if let record = known(id, frozen) { return record }
        // Its identity may have changed, or it may have been deleted.
        update()
        if let record = known(id, frozen) { return record }
        graph.fireTogether(frozen.part(around: position).filter { frozen.kept($0) == nil }.compactMap(graph.record))
        return graph.record(for: id)
    }

    private func known(_ id: ObjectID, _ frozen: FrozenResults) -> Record? {
        if let kept = frozen.kept(id) { return kept }
        guard let record = graph.registeredRecord(for: id), !record.isFault else { return nil }
        return record
    }
}
