import ObjectGraph

/// Live results of a context.
protocol ContextFollower: AnyObject {
    /// The context's models may have changed.
    /// - Returns: Whether to call this at the next change as well. Otherwise the follower registers again when it wants to
    ///   know of changes.
    func contextMayHaveChanged(_ moment: ContextMoment) -> Bool
    /// Brings the results up to date, and notifies observers if they have changed.
    func update()
}

/// When a context notifies its followers.
enum ContextMoment {
    /// In the middle of an edit.
    case edit
    /// Between edits.
    case rest
}

/// The live results of one context. Used in the context's isolation.
final class ContextFollowers {
    private struct Entry {
        weak var follower: (any ContextFollower)?
    }

    /// Followers on an actor, which are updated together in one of its turns.
    private struct Group {
        let wake: ActorWake
        var entries: [Entry] = []
    }

    /// Followers on no actor that wait for the next change. Those that were notified and not read since are not among
    /// them, so that a thousand of these cost nothing.
    private var waiting: [Entry] = []
    private var groups: [ObjectIdentifier: Group] = [:]
    private var queries: FollowedQueries?
    /// Whether followers are being notified in the middle of an edit.
    private var isEditing = false {
        didSet { queries?.isEditing = isEditing }
    }
    /// Increases whenever the context's models may have changed otherwise than by edits and merges.
    private(set) var count = 0

    var isEmpty: Bool { waiting.isEmpty && groups.isEmpty }

    /// The queries whose results are maintained, from the first one on and until the last one's results are released.
    /// - Returns: `nil` for a detached graph.
    func queries(of graph: Graph) -> FollowedQueries? {
        if let queries { return queries }
        queries = FollowedQueries(graph)
        queries?.isEditing = isEditing
        return queries
    }

    func add(_ follower: any ContextFollower) {
        if waiting.count == waiting.capacity { waiting.removeAll { $0.follower == nil } }
        waiting.append(Entry(follower: follower))
    }

    /// - Parameter wake: Makes what wakes the followers of this actor.
    /// - Returns: What wakes them; `nil` if there was one before.
    func add(_ follower: any ContextFollower, on actor: any Actor, wake: () -> ActorWake) -> ActorWake? {
        let key = ObjectIdentifier(actor)
        var group = groups.removeValue(forKey: key)
        // Another actor may have had the same address.
        if group?.wake.isOn(actor) == false { group = nil }
        let new = group == nil ? wake() : nil
        group = group ?? new.map { Group(wake: $0) }
        group?.entries.append(Entry(follower: follower))
        groups[key] = group
        return new
    }

    /// - Parameter actor: An actor whose followers are updated anyway.
    func notify(_ moment: ContextMoment, besides actor: ObjectIdentifier? = nil) {
        count &+= 1
        removeReleasedQueries()
        if isEmpty { return }
        for (key, group) in groups where key != actor { group.wake.schedule() }
        notifyOthers(moment)
        removeReleasedQueries()
    }

    private func removeReleasedQueries() {
        if queries?.removeReleased() == false { queries = nil }
    }

    private func notifyOthers(_ moment: ContextMoment) {
        if waiting.isEmpty { return }
        let wasEditing = isEditing
        if moment == .edit { isEditing = true }
        var notified: [Entry] = []
        swap(&notified, &waiting)
        // Observers may register in the meantime.
        let staying = notified.filter { $0.follower?.contextMayHaveChanged(moment) ?? false }
        waiting = staying + waiting
        isEditing = wasEditing
    }

    /// Brings the results on an actor up to date.
    func update(on actor: ObjectIdentifier) {
        // For all of them at once; after this, each knows whether it is concerned.
        queries?.update()
        for entry in groups[actor]?.entries ?? [] { entry.follower?.update() }
        groups[actor]?.entries.removeAll { $0.follower == nil }
        if groups[actor]?.entries.isEmpty == true { groups[actor] = nil }
        removeReleasedQueries()
    }
}

extension ModelContext {
    /// Registers live results on no actor, which wait for the next change.
    func notifyAtNextChange(_ follower: any ContextFollower) {
        graph.options.notifiesOfChanges = true
        graph.options.notifiesOfNextEdit = true
        followers.add(follower)
    }

    /// Registers live results, which need to know of the next edit.
    /// - Parameter actor: The actor of this context; `nil` if it is unknown. On an actor, the context merges saves of others as
    ///   they arrive.
    func add(_ follower: any ContextFollower, on actor: (any Actor)?) {
        guard let actor else { return notifyAtNextChange(follower) }
        graph.options.notifiesOfChanges = true
        graph.options.notifiesOfNextEdit = true
        let key = ObjectIdentifier(actor)
        let wake = followers.add(follower, on: actor) {
            ActorWake(on: actor) { [weak self] in self?.updateFollowers(on: key) }
        }
        if let wake { waking.wake(by: wake) }
    }

    private func updateFollowers(on actor: ObjectIdentifier) {
        if !graph.inbox.isEmpty {
            graph.mergeWaitingChanges()
            followers.notify(.rest, besides: actor)
        }
        followers.update(on: actor)
        graph.options.notifiesOfNextEdit = true
    }
}
