import Foundation

/// The models to fetch, their order, and their number.
public struct FetchDescriptor<T>: @unchecked Sendable where T: PersistentModel {
    // A value whose components are immutable once set; key paths only lack the annotation.
    /// The condition; `nil` for all models of the type.
    public var predicate: Predicate<T>?
    /// The order; empty for the order of insertion.
    public var sortBy: [SortDescriptor<T>]
    /// The maximum number of models; `nil` for no limit.
    public var fetchLimit: Int?
    /// The number of matching models to skip; `nil` for none.
    public var fetchOffset: Int?
    /// Whether unsaved inserts, edits and deletions of the context are considered. The default is `true`.
    public var includePendingChanges: Bool
    /// The properties that the fetch reads; empty for all. The others are read when one of them is first used, all of them
    /// at once for each model. Models that the context has already read are not read again. If the predicate is evaluated
    /// in memory, everything is read.
    public var propertiesToFetch: [PartialKeyPath<T>]
    /// The relationships whose destinations are read together with the models, with one statement each; in batches, with
    /// one for each batch.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>]

    /// Creates a descriptor without limit or offset, which includes unsaved changes.
    /// - Parameters:
    ///   - predicate: The condition; `nil` for all models of the type.
    ///   - sortBy: The order; empty for the order of insertion.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
        includePendingChanges = true
        propertiesToFetch = []
        relationshipKeyPathsForPrefetching = []
    }
}
