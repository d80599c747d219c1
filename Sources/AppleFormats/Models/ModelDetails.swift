/// What an archived model says beyond what decides how its objects are stored. Predicates are texts of the predicate
/// format.
package struct ModelDetails: Sendable, Hashable {
    /// Entity names by configuration, sorted.
    package var configurations: [String: [String]] = [:]
    package var fetchRequests: [FetchRequest] = []
    /// By entity name.
    package var entities: [String: EntityDetails] = [:]

    package struct FetchRequest: Sendable, Hashable {
        package var name: String
        package var entityName: String?
        package var predicate: String?
        package var sort: [SortKey] = []

        package struct SortKey: Sendable, Hashable {
            package var keyPath: String
            package var isAscending: Bool
        }
    }

    package struct EntityDetails: Sendable, Hashable {
        package var className: String?
        package var userInfo: [String: PropertyList] = [:]
        package var compoundIndexes: [[String]] = []
        /// All of them, those that the engine does not know too.
        package var indexes: [Index] = []
        /// By property name; inherited properties are with the entity that declares them.
        package var properties: [String: PropertyDetails] = [:]
        package var fetchedProperties: [FetchedProperty] = []
    }

    package struct PropertyDetails: Sendable, Hashable {
        /// The number of the attribute's type, as archived.
        package var typeNumber: Int64?
        package var valueClassName: String?
        package var userInfo: [String: PropertyList] = [:]
        package var validationPredicates: [String] = []
        /// A text or a number for each predicate.
        package var validationWarnings: [PropertyList] = []
        package var isIndexed = false
    }

    package struct FetchedProperty: Sendable, Hashable {
        package var name: String
        package var isOptional = false
        package var userInfo: [String: PropertyList] = [:]
        package var request: FetchRequest
    }

    package struct Index: Sendable, Hashable {
        package var name: String
        package var elements: [Element]
        package var partialPredicate: String?

        package struct Element: Sendable, Hashable {
            package var propertyName: String
            package var isSpatial: Bool
            package var isAscending: Bool
        }
    }
}
