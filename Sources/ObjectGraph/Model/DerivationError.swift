/// A derived attribute whose expression no store can compute.
package struct DerivationError: Error, Hashable {
    package let entity: String
    package let attribute: String
    package let expression: String
    package let problem: Problem

    package enum Problem: Sendable, Hashable {
        case notUnderstood
        case filtered
        case unknownAttribute(String)
        case unknownRelationship(String)
        /// The property is transient.
        case notStored(String)
        case endsAtRelationship
        /// A single value along a to-many relationship.
        case crossesToMany(String)
        /// A count or sum without a to-many relationship.
        case lacksToMany
        case unsuitableType
        /// The attribute depends on itself, directly or by other derived attributes.
        case circular
    }
}

extension DerivationError: CustomStringConvertible {
    package var description: String {
        "Derived attribute '\(entity).\(attribute)' cannot be computed from '\(expression)': \(problem)."
    }
}

extension DerivationError.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notUnderstood:
            "use a key path, canonical:, uppercase: or lowercase: of one, '@count' or '@sum' of a to-many relationship, or "
                + "now()"
        case .filtered: "conditions on what is counted are not supported; remove the filter"
        case .unknownAttribute(let name): "there is no attribute '\(name)'; name one of the entity at that place"
        case .unknownRelationship(let name): "there is no relationship '\(name)'; name one of the entity at that place"
        case .notStored(let name): "'\(name)' is transient, and so in no store; name a stored property"
        case .endsAtRelationship: "the path ends at a relationship; name an attribute behind it"
        case .crossesToMany(let name): "'\(name)' is to-many; use '@count' or '@sum'"
        case .lacksToMany: "no relationship on the path is to-many; use the plain path"
        case .unsuitableType: "what it gives does not fit the attribute's type; change the one or the other"
        case .circular: "it is made from itself"
        }
    }
}
