/// The reason for which a predicate or a sort descriptor cannot be translated to a query.
enum PredicateTranslationError: Error, Hashable {
    /// The store cannot evaluate this, but Swift can: the caller may fetch without the predicate and filter with
    /// `Predicate.evaluate`.
    case needsMemory(construct: String, reason: String)
    /// The key path does not name a stored property of the entity.
    case unknownProperty(entity: String, keyPath: String)
    /// The class is not in the schema, so none of its models can be fetched or evaluated.
    case unknownModel(String)

    /// Only Foundation could evaluate this, and it would stop the process for some values.
    case mayStop(construct: String)
    /// The lower bound of a range is above its upper bound, or they cannot be ordered.
    case disorderedRange

    /// Whether filtering fetched objects with `Predicate.evaluate` gives the result. A key path that does not name a stored
    /// property may still name a computed one.
    var canEvaluateInMemory: Bool {
        switch self {
        case .needsMemory, .unknownProperty: true
        case .unknownModel, .mayStop, .disorderedRange: false
        }
    }
}

extension PredicateTranslationError: CustomStringConvertible {
    var description: String {
        switch self {
        case .needsMemory(let construct, let reason):
            "The store cannot evaluate '\(construct)': \(reason)."
        case .unknownProperty(let entity, let keyPath):
            "'\(keyPath)' is no stored property of '\(entity)'; use a persisted property."
        case .unknownModel(let name):
            "'\(name)' is not in the container's schema; add it."
        case .mayStop(let construct):
            "'\(construct)' is part of something that only memory can evaluate, where integers that overflow, divisions by "
                + "zero and ranges with ends the wrong way round would stop the program; compare stored properties in a "
                + "part of its own."
        case .disorderedRange:
            "A range has its lower end above its upper end; look at the captured values."
        }
    }
}
