#if !canImport(Darwin)

/// The kind of change of a set that observers are notified of.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}
#endif
