/// What a store cannot do.
public enum DataStoreError: Error, Hashable {
    case unsupportedFeature
    /// Give me all models of the class, and judge the predicate yourself.
    case preferInMemoryFilter
    /// The same for the order.
    case preferInMemorySort
    case invalidPredicate
}
