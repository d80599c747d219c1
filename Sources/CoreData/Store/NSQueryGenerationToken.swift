import Foundation
import ObjectGraph

/// The `userInfo` key, in the did-save notification of a pinned context, of the token that it is pinned to from then on.
public let NSManagedObjectContextQueryGenerationKey = "queryGeneration"

/// A state of the stores that contexts can be pinned to.
///
/// The state stays readable as long as a context or a token refers to it; writes meanwhile make the stores' write-ahead logs grow.
nonisolated open class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    // A constant.
    /// `nil` for the newest state.
    final let generations: GenerationSet?

    init(_ generations: GenerationSet?) {
        self.generations = generations
    }

    /// The newest state at the time of the context's next read.
    public static let current = NSQueryGenerationToken(nil)

    /// Returns the token itself, which is constant.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether another token stands for the same state.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generations === generations } ?? false
    }

    /// A hash of the state's identity.
    open override var hash: Int { generations.map { ObjectIdentifier($0).hashValue } ?? 0 }

    /// A text with the identifiers of the stores.
    open override var description: String {
        "<NSQueryGenerationToken: \(generations.map { $0.identifiers.sorted().joined(separator: " ") } ?? "current")>"
    }
}

extension NSManagedObjectContext {
    /// The state of the stores that this context reads; `nil` for the newest state at any time, which is the initial value, and
    /// for a context with a parent.
    public final var queryGenerationToken: NSQueryGenerationToken? {
        switch contextStore?.pin {
        case nil: nil
        case .next?: .current
        case .generations(let set)?: NSQueryGenerationToken(set)
        }
    }

    /// Pins the context to one state of the stores: it reads that state from now on, rows included that others change or delete
    /// meanwhile. Objects that it has read already are not read again.
    ///
    /// Saving, merging and resetting move a pinned context on to the newest state; batch requests do not. Without a SQLite file
    /// in WAL mode, the call has no effect. Call it on the context's queue.
    /// - Parameter generation: `.current` pins to the newest state at the next read; the token of another context of the
    ///   coordinator pins to the same state; `nil` unpins.
    /// - Throws: `CocoaError` 134070 for a context with a parent or without a coordinator, for the token of other stores, and
    ///   for one whose store was removed. 134180 if a file cannot be read.
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
                if try core.stores.supportsGenerations() { contextStore.pinNext() }
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
