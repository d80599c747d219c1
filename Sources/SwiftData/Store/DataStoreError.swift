/// An operation that a store does not support.
public enum DataStoreError: Error, Hashable {
    /// The store does not support the operation.
    case unsupportedFeature
    /// The store cannot evaluate the predicate: the context fetches all models of the class and evaluates it in memory.
    case preferInMemoryFilter
    /// The store cannot evaluate the order: the context fetches all models of the class and sorts them in memory.
    case preferInMemorySort
    /// The predicate is invalid.
    case invalidPredicate
}
