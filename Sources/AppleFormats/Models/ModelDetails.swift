/// The parts of an archived model that do not affect the storage of objects. Predicates are texts of the predicate format.
package struct ModelDetails: Sendable, Hashable {
    /// Sorted entity names by configuration.
    package var configurations: [String: [String]] = [:]
    package var fetchRequests: [FetchRequest] = []
    /// Details by entity name.
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
        /// All indexes, including those that the engine does not support.
        package var indexes: [Index] = []
        /// Details by property name; inherited properties belong to the entity that declares them.
        package var properties: [String: PropertyDetails] = [:]
        package var fetchedProperties: [FetchedProperty] = []
    }

    package struct PropertyDetails: Sendable, Hashable {
        /// The archived number of the attribute's type.
        package var typeNumber: Int64?
        package var valueClassName: String?
        package var userInfo: [String: PropertyList] = [:]
        package var validationPredicates: [String] = []
        /// One text or number for each predicate.
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
