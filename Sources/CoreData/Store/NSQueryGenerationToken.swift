import Foundation
import ObjectGraph

/// Key, in the did-save notification of a pinned context, of what it is pinned to from then on.
public let NSManagedObjectContextQueryGenerationKey = "queryGeneration"

/// A state of the stores that contexts can be pinned to. The state goes on being readable as long as a context or a token
/// refers to it, and what is written meanwhile makes the stores' logs grow.
nonisolated open class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    // A constant.
    /// `nil` for whatever is the newest.
    final let generations: GenerationSet?

    init(_ generations: GenerationSet?) {
        self.generations = generations
    }

    /// Whatever is the newest when the context next reads.
    public static let current = NSQueryGenerationToken(nil)

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generations === generations } ?? false
    }

    open override var hash: Int { generations.map { ObjectIdentifier($0).hashValue } ?? 0 }

    open override var description: String {
        "<NSQueryGenerationToken: \(generations.map { $0.identifiers.sorted().joined(separator: " ") } ?? "current")>"
    }
}

extension NSManagedObjectContext {
    /// The state of the stores that this context reads; `nil` for the newest at any time, which is how it begins, and for a
    /// context with a parent.
    public final var queryGenerationToken: NSQueryGenerationToken? {
        switch contextStore?.pin {
        case nil: nil
        case .next?: .current
        case .generations(let set)?: NSQueryGenerationToken(set)
        }
    }

    /// Pins the context: what it reads from now on is of one state of the stores, whatever others write meanwhile, rows that
    /// they delete included. Objects that it has already are not read again.
    ///
    /// Saving, merging and resetting move a pinned context on to the newest state; batch requests do not. A coordinator
    /// without a SQLite file in WAL mode leaves its contexts as they are.
    /// - Parameter generation: `.current` pins to what is the newest at the next read; the token of another context of the
    ///   coordinator, to the same state; `nil` ends it.
    /// - Throws: `CocoaError` 134070 for a context with a parent, or without a coordinator; for the token of other stores; and
    ///   for one whose store was removed. 134180 when a file cannot be read.
    public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        guard let contextStore else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "Only a context that has a coordinator itself can be pinned; pin the context at the top instead.")
        }
        guard let generation else { return contextStore.unpin() }
        guard let set = generation.generations else {
            do {
                if try core.stores.canKeepGenerations() { contextStore.pinNext() }
            } catch {
                throw ErrorMapping.reading(error)
            }
            return
        }
        guard set.isOpen, set.identifiers.isSubset(of: Set(core.stores.members.map(\.identifier))) else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "The token is of a store that is not open here; take one from a context of this coordinator.")
        }
        contextStore.pin(to: set)
    }

    /// `nil` for a context with a parent, or without a coordinator.
    final var contextStore: StoreView? {
        parent == nil && persistentStoreCoordinator != nil ? graph.store as? StoreView : nil
    }
}
