import Foundation
import ObjectGraph
import Observation

/// Groups of models with their aggregates that follow all changes: unsaved changes of their context, and saves of other contexts,
/// containers and processes.
///
/// ```swift
/// let observer = try AggregateObserver(
///     AggregateDescriptor(of: Animal.self, .count, .sum(\.weight), by: \.category?.name), modelContext: context)
/// for group in observer.groups { print(group.key ?? "none", group.value.0, group.value.1) }
/// ```
///
/// Reading the groups brings them up to date. Observers are notified as those of a ``ResultsObserver``: on the actor on which
/// the observer was created, in its next turn, if groups have changed then; without an actor at once, whenever groups may have
/// changed. Like its models, an observer is used in the isolation of its context.
///
/// A change costs what the changed models are, whatever their number in a group: counts, sums and averages are running totals.
/// Of minimums and maximums, those of one property of a descriptor are found at an end of the group; other properties'
/// extremes, and numbers of different values, are computed from all models of a changed group, without reading them. For each
/// model its identifier, the values that are used and a place in a tree are kept.
///
/// More than 10,000 models are not read at first: one statement computes the groups, and does so again after each change, until 16
/// changes of few models have come in succession. Then the models are read and followed, until so many change at once that their
/// changes are not listed. With unsaved changes in the context they are read at once. Descriptors without pending changes, those
/// with conditions that only memory can evaluate, and stores of a program's own class are computed anew after each change.
///
/// This type is not part of Apple's SwiftData.
public final class AggregateObserver<Model: PersistentModel, Key, Value>: Observable {
    /// The context whose models are grouped.
    public let modelContext: ModelContext
    /// The aggregates and the models that they are computed of.
    public let descriptor: AggregateDescriptor<Model, Key, Value>
    private let registrar = ObservationRegistrar()
    private let followed: FollowedGroups<Model, Key, Value>
    var notice: ObserverNotice
    /// Once differences have been asked for.
    private var readers: (any GroupReaders<Key, Value>)?

    /// Creates an observer of the groups of a descriptor.
    /// - Parameters:
    ///   - descriptor: The aggregates, and the models to compute them of.
    ///   - modelContext: The context whose models are grouped.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetchGroups(_:)`.
    public init(
        _ descriptor: AggregateDescriptor<Model, Key, Value>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        self.modelContext = modelContext
        self.descriptor = descriptor
        followed = try FollowedGroups(descriptor, in: modelContext)
        notice = ObserverNotice(of: modelContext, on: isolation)
        modelContext.add(self, on: isolation)
    }

    /// Creates an observer of the groups of a descriptor, in a new context.
    /// - Parameters:
    ///   - descriptor: The aggregates, and the models to compute them of.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetchGroups(_:)`.
    public convenience init(
        _ descriptor: AggregateDescriptor<Model, Key, Value>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(descriptor, modelContext: ModelContext(modelContainer), isolation: isolation)
    }

    /// The groups in the order of their keys. An error that no caller can catch, such as a sum that exceeds 64 bits, is
    /// logged, and the groups stay until they change again.
    public var groups: [AggregateGroup<Key, Value>] {
        registrar.access(self, keyPath: \.groups)
        update()
        return followed.list.groups
    }

    /// The number of changes after which all groups were computed anew: those that could not be followed, and those before the
    /// models were read.
    var refetches: Int { followed.refetches }
}

extension AggregateObserver where Key: Sendable, Value: Sendable {
    /// The changes of the groups from now on, as exact differences that can be read on any actor.
    ///
    /// ```swift
    /// let changes = observer.changes
    /// var groups = changes.start
    /// Task {
    ///     for await change in changes { change.apply(to: &groups) }
    /// }
    /// ```
    ///
    /// A difference follows when the groups are brought up to date: on the observer's actor in its next turn; without an actor
    /// when the groups are read, and when the context is saved or rolled back, or processes pending changes. Differences that
    /// are not taken yet are merged into one. Each value is one reader's, and costs nothing once nothing refers to it. It ends
    /// when the observer is released; a task that names the observer retains it. Models are no `Sendable` keys: group by their
    /// `persistentModelID`.
    /// - Complexity: O(n) in the number of groups, here and for each difference.
    public var changes: AggregateChanges<Key, Value> {
        update()
        let feed = readers as? GroupFeed<Key, Value> ?? GroupFeed()
        readers = feed
        return AggregateChanges(start: followed.list.groups, mailbox: feed.open())
    }
}

extension AggregateObserver: LiveObserver {
    var mayHaveChanged: Bool { followed.mayHaveChanged }
    var isRead: Bool { readers?.isRead ?? false }

    func notify() { registrar.withMutation(of: self, keyPath: \.groups) {} }

    func readChanges() throws -> Bool {
        let former = followed.list
        guard try followed.update() else { return false }
        if let readers { readers.post(from: former, to: followed.list) }
        return true
    }
}
