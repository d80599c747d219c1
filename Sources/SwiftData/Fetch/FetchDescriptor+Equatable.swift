import Foundation

extension FetchDescriptor: Equatable {
    /// Returns whether two descriptors find the same models in the same order.
    ///
    /// Predicates are compared by structure: those that are written differently, or capture values that cannot be compared,
    /// are different, unless one is a copy of the other.
    public static func == (lhs: FetchDescriptor, rhs: FetchDescriptor) -> Bool {
        lhs.sortBy == rhs.sortBy && lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
            && lhs.includePendingChanges == rhs.includePendingChanges
            && lhs.propertiesToFetch == rhs.propertiesToFetch
            && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
            && isSame(lhs.predicate, rhs.predicate)
    }

    private static func isSame(_ lhs: Predicate<T>?, _ rhs: Predicate<T>?) -> Bool {
        guard let lhs, let rhs else { return lhs == nil && rhs == nil }
        return PredicateSameness.holds(lhs, rhs)
    }
}
