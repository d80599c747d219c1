import Foundation
import ObjectGraph

/// Descriptions of models are equal if their contents are, so that a model equals its copy. References (a destination, an inverse,
/// a superentity) are compared by name, because the ends of a relationship describe each other.
enum ModelContent {
    /// User info, defaults and warnings may be of any type.
    static func isSame(_ one: Any?, _ other: Any?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one as NSObject, let other as NSObject): one.isEqual(other)
        case (let one as AnyHashable, let other as AnyHashable): one == other
        case (let one as [Any], let other as [Any]):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
        case (let one as [AnyHashable: Any], let other as [AnyHashable: Any]):
            one.count == other.count && one.allSatisfy { isSame($0.value, other[$0.key]) }
        default: false
        }
    }

    static func isSame(_ one: [NSPredicate], _ other: [NSPredicate]) -> Bool { one.map(\.tree) == other.map(\.tree) }

    /// Compares requests that a model keeps.
    static func isSame(
        _ one: NSFetchRequest<any NSFetchRequestResult>?, _ other: NSFetchRequest<any NSFetchRequestResult>?
    ) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        let sorts = [one, other].map { $0.sortDescriptors ?? [] }
        return one.entityName == other.entityName && one.predicate?.tree == other.predicate?.tree
            && one.resultType == other.resultType && sorts[0] == sorts[1] && one.fetchLimit == other.fetchLimit
            && one.fetchOffset == other.fetchOffset && one.fetchBatchSize == other.fetchBatchSize
            && one.includesSubentities == other.includesSubentities
            && one.includesPropertyValues == other.includesPropertyValues
            && one.returnsObjectsAsFaults == other.returnsObjectsAsFaults
            && one.includesPendingChanges == other.includesPendingChanges
            && one.returnsDistinctResults == other.returnsDistinctResults
            && one.relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
            && isSame(one.propertiesToFetch, other.propertiesToFetch)
            && isSame(one.propertiesToGroupBy, other.propertiesToGroupBy)
            && one.havingPredicate?.tree == other.havingPredicate?.tree
    }
}
