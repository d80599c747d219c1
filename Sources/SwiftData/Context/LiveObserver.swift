import ObjectGraph

/// An object with live results of a context, and observers of its own: when it notifies these, and when it is brought up to
/// date.
///
/// 1. On an actor, it is brought up to date in the actor's next turn, and notifies if its results have changed then.
/// 2. Without an actor, it notifies at once that its results may have changed, and not again until they are read. If its
///    differences are read, it is brought up to date between edits.
protocol LiveObserver: ContextFollower {
    var modelContext: ModelContext { get }
    var notice: ObserverNotice { get set }
    /// Whether anything has happened in the context since the last update. Cheap.
    var mayHaveChanged: Bool { get }
    /// Whether there are readers of differences.
    var isRead: Bool { get }

    /// Brings the results up to date with the context, after merging the saves of others, and posts the difference.
    /// - Returns: Whether observers are to be notified.
    /// - Throws: Errors of fetching. The results then stay.
    func readChanges() throws -> Bool
    func notify()
}

/// What a `LiveObserver` keeps to notify its observers.
struct ObserverNotice {
    /// Whether the observer is brought up to date by an actor.
    let isOnActor: Bool
    /// While it exists, saves of other processes are detected.
    private let watch: SaveWatch
    /// Whether observers were notified since the results were last brought up to date.
    fileprivate var isGiven = false

    init(of context: ModelContext, on actor: (any Actor)?) {
        isOnActor = actor != nil
        watch = context.core.watchSaves()
    }
}

extension LiveObserver {
    func contextMayHaveChanged(_ moment: ContextMoment) {
        if notice.isOnActor { return }
        if moment == .rest, isRead { return update() }
        if notice.isGiven { return }
        notice.isGiven = true
        notify()
    }

    func update() {
        if notice.isGiven {
            notice.isGiven = false
            modelContext.graph.options.notifiesOfNextEdit = true
        }
        guard mayHaveChanged else { return }
        defer { modelContext.graph.options.notifiesOfNextEdit = true }
        do {
            if try readChanges() { notify() }
        } catch {
            modelContext.report(error)
        }
    }
}
