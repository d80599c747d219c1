#if !canImport(Darwin)

/// What is done to a set that observers are told of.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}
#endif
