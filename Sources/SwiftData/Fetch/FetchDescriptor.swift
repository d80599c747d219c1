import Foundation

/// What to fetch, in which order, and how much of it.
public struct FetchDescriptor<T>: @unchecked Sendable where T: PersistentModel {
    // A value whose parts are immutable once set; key paths only lack the annotation.
    /// `nil` for all models of the type.
    public var predicate: Predicate<T>?
    /// Empty for the order of insertion.
    public var sortBy: [SortDescriptor<T>]
    /// `nil` for no limit.
    public var fetchLimit: Int?
    /// Number of matching models to skip; `nil` for none.
    public var fetchOffset: Int?
    /// Whether unsaved inserts, edits and deletions of the context take part.
    public var includePendingChanges: Bool
    /// Properties that are read with the fetch; empty for all. The others are read when one of them is first used, all
    /// at once for each model. Models that the context has read already stay as they are, and a predicate that cannot be
    /// judged in the store reads everything.
    public var propertiesToFetch: [PartialKeyPath<T>]
    /// Relationships whose destinations are read together with the models, one statement each; in batches, one for each
    /// batch.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>]

    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
        includePendingChanges = true
        propertiesToFetch = []
        relationshipKeyPathsForPrefetching = []
    }
}
