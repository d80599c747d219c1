import ObjectGraph

/// The reason why a predicate, an expression or a sort key is invalid for an entity. Names constructs and key paths,
/// never values. If Apple's frameworks have a well-known message, ours begins with its words.
package enum FormatTranslationError: Error, Hashable, Sendable {
    /// The text could not be parsed.
    case malformed(FormatError)
    case unknownKeyPath(entity: String, keyPath: String)
    /// The attribute is not stored, so objects cannot be fetched by it.
    case notStored(entity: String, keyPath: String)
    case unknownEntity(String)
    /// A to-many key path where a single value is expected.
    case toManyNotAllowed(keyPath: String)
    /// ANY, ALL or NONE over an expression that is not a collection.
    case collectionWanted(expression: String)
    case unboundVariable(String)
    case unsupported(construct: String, reason: String)
    /// A constant that cannot be converted to the type of the other operand.
    case wrongConstant(keyPath: String, wanted: String, found: String)
    case tooDeep(limit: Int)
}

extension FormatTranslationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let error): error.description
        case .unknownKeyPath(let entity, let keyPath):
            "keypath \(keyPath) not found in entity \(entity); name a stored attribute or a relationship."
        case .notStored(let entity, let keyPath):
            "'\(keyPath)' of entity '\(entity)' is not stored, so objects cannot be found by it; filter the fetched "
                + "objects."
        case .unknownEntity(let name): "There is no entity '\(name)' in the model."
        case .toManyNotAllowed(let keyPath):
            "to-many key not allowed here: '\(keyPath)' has many values; use ANY, ALL, NONE, @count or SUBQUERY."
        case .collectionWanted(let expression):
            "ANY, ALL and NONE want a to-many key path on the left; '\(expression)' gives one value."
        case .unboundVariable(let name):
            "The variable '$\(name)' has no value; give it one with withSubstitutionVariables."
        case .unsupported(let construct, let reason): "A store cannot evaluate \(construct): \(reason)."
        case .wrongConstant(let keyPath, let wanted, let found):
            "'\(keyPath)' is \(wanted) and cannot be compared with \(found)."
        case .tooDeep(let limit): "The predicate is nested more than \(limit) levels deep; make it shallower."
        }
    }
}
