/// Why results were fetched again instead of being followed.
package enum LiveRefetch: Sendable, Hashable, CaseIterable {
    /// There were more changes than a graph lists.
    case unlistedChanges
    /// A derived attribute with values of other objects is read.
    case derivedAttribute
    /// The query names properties that the model lacks.
    case unknownProperty
    /// Objects were deleted that others lose without being changed, as the relationship has no inverse that is followed.
    case silentDeletion
    /// So many rows must be tested that a fetch is cheaper.
    case manyRows
    /// The rows of a large aggregate were not held yet.
    case rowsNotHeld
    /// The store could not be read before.
    case failedReading
    /// The store has changed without a notification.
    case unreportedChange
}

/// How an observer has kept its results up to date.
package struct LiveCounts: Sendable, Hashable {
    /// Objects tested against the predicate.
    package internal(set) var tests = 0
    /// Fetches that replaced rows of a window whose reserve was used up.
    package internal(set) var refills = 0
    package internal(set) var refetches: [LiveRefetch: Int] = [:]

    package var refetchCount: Int { refetches.values.reduce(0, +) }
}
