import ObjectGraph

/// An object that follows a context; called on the context's queue.
protocol ContextFollower: AnyObject {
    /// Notes an event or merge. Followers report only after each of them has noted it.
    /// - Parameter difference: How the results of its query have changed; `nil` if they have not.
    func note(_ change: GraphChanges, _ difference: LiveDifference?)
    func reportNoted()
}

/// The followers of one context, which does not retain them, and the engine's follower of their queries.
final class ContextFollowers {
    private struct Entry {
        weak var follower: (any ContextFollower)?
        var results: LiveResults?
    }

    /// In the order in which the followers were added.
    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The number of entries above which those of released followers are discarded.
    private var discardAt = 16
    /// While there are queries to follow.
    private(set) var live: LiveFollower?

    var isEmpty: Bool { entries.allSatisfy { $0.follower == nil } }

    /// - Complexity: O(1) on average in the number of followers.
    func add(_ follower: any ContextFollower) {
        if entries.count >= discardAt { discardReleased() }
        // A released follower may have had the same address.
        if let place = places[ObjectIdentifier(follower)] { discardQuery(at: place) }
        places[ObjectIdentifier(follower)] = entries.count
        entries.append(Entry(follower: follower))
    }

    private func place(of follower: any ContextFollower) -> Int? {
        places[ObjectIdentifier(follower)].flatMap { entries[$0].follower === follower ? $0 : nil }
    }

    // MARK: Queries

    /// Follows a query in place of the follower's former one.
    /// - Parameter records: What the query finds at present.
    /// - Returns: `nil` for a context without a store.
    /// - Throws: Errors of reading the stores.
    func follow(
        _ query: LiveQuery, holding records: [Record], for follower: any ContextFollower, in graph: Graph
    ) throws -> LiveResults? {
        unfollow(follower)
        discardQueries(ofOthersThan: graph)
        guard let place = place(of: follower), let live = live ?? LiveFollower(graph) else { return nil }
        self.live = live
        defer { discardIfUnused() }
        let results = try live.follow(query, holding: records)
        entries[place].results = results
        return results
    }

    /// Whether results are still maintained: those of a graph that a reset has replaced are not.
    func isFollowed(_ results: LiveResults) -> Bool { live?.isFollowing(results) ?? false }

    /// - Complexity: O(1) in the number of followers.
    func unfollow(_ follower: any ContextFollower) {
        if let place = place(of: follower) { discardQuery(at: place) }
        discardIfUnused()
    }

    private func discardReleased() {
        for index in entries.indices where entries[index].follower == nil { discardQuery(at: index) }
        entries.removeAll { $0.follower == nil }
        places = [:]
        for (place, entry) in entries.enumerated() {
            if let follower = entry.follower { places[ObjectIdentifier(follower)] = place }
        }
        discardAt = max(16, 2 * entries.count)
        discardIfUnused()
    }

    private func discardQuery(at index: Int) {
        if let results = entries[index].results { live?.unfollow(results) }
        entries[index].results = nil
    }

    private func discardIfUnused() {
        if live?.isUnused == true { live = nil }
    }

    /// A context that was reset has another graph.
    private func discardQueries(ofOthersThan graph: Graph) {
        guard let live, live.graph !== graph else { return }
        for index in entries.indices { entries[index].results = nil }
        self.live = nil
    }

    // MARK: Events

    func notify(of change: GraphChanges, in context: NSManagedObjectContext) {
        if entries.contains(where: { $0.follower == nil }) { discardReleased() }
        if entries.isEmpty { return }
        discardQueries(ofOthersThan: context.graph)
        var differences: [ObjectIdentifier: LiveDifference] = [:]
        for update in live?.update(context.report) ?? [] {
            differences[ObjectIdentifier(update.results)] = update.difference
        }
        let notified = entries
        for entry in notified {
            entry.follower?.note(change, entry.results.flatMap { differences[ObjectIdentifier($0)] })
        }
        for entry in notified { entry.follower?.reportNoted() }
    }
}
