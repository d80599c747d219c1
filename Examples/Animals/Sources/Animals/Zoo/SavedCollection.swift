import SwiftData

/// The saved collection, as every window shows it while nothing is unsaved.
///
/// Its observers have a context and a queue of their own: they read what long tasks save while the main actor serves
/// pages, and no long task waits for them. The context merges the saves of all others by itself.
@ModelActor
actor SavedCollection {
    /// What has changed since it was last shown, as one signal until a reader takes it.
    nonisolated let changes = ChangeSignal()
    private var collection: FollowedCollection?

    /// - Throws: Errors of fetching.
    func counts() throws -> AnimalCounts { try followed().counts }

    /// As `FollowedCollection.shown(_:relativesIn:newLists:)`.
    func shown(
        _ listing: Listing, relativesIn category: ListedCategory?, newLists: FollowedCollection.NewLists
    ) throws -> ShownCollection {
        try followed().shown(listing, relativesIn: category, newLists: newLists)
    }

    func releaseLists(notShownSince time: ContinuousClock.Instant) {
        collection?.releaseLists(notShownSince: time)
    }

    private func followed() throws -> FollowedCollection {
        if let collection { return collection }
        let changes = changes
        let followed = try FollowedCollection(modelContext, onChange: { changes.send() })
        collection = followed
        return followed
    }
}

/// A signal that something has changed. Signals that are not taken yet are one.
struct ChangeSignal: Sendable {
    /// For one reader.
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func send() { continuation.yield() }
}
