/// What one event means for one observer, collected while changes are dispatched.
struct LiveWork {
    /// Objects of the fetched entity to test again, each with whether the object itself has changed.
    var tested: [(id: ObjectID, isOwnChange: Bool)] = []
    /// Changed objects at other nodes, by node.
    var reached: [Int: [ObjectID]] = [:]
    /// Objects with another identity: former and present one.
    var renamed: [(former: ObjectID, id: ObjectID)] = []
    /// Rows that are gone.
    var removed = RowSet()
    /// Why the results must be fetched again.
    var refetch: LiveRefetch?

    var isEmpty: Bool {
        tested.isEmpty && reached.isEmpty && renamed.isEmpty && removed.isEmpty && refetch == nil
    }

    /// Joins the entries of each object.
    mutating func removeDuplicates() {
        guard tested.count > 1 else { return }
        var places: [ObjectID: Int] = [:]
        var distinct: [(id: ObjectID, isOwnChange: Bool)] = []
        for (id, isOwnChange) in tested {
            if let place = places[id] {
                distinct[place].isOwnChange = distinct[place].isOwnChange || isOwnChange
            } else {
                places[id] = distinct.count
                distinct.append((id, isOwnChange))
            }
        }
        tested = distinct
    }

    mutating func requireRefetch(_ reason: LiveRefetch) { refetch = refetch ?? reason }
}

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
