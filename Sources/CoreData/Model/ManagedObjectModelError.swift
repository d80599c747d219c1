import ObjectGraph

/// A fault of a model with which no store can be opened.
package enum ManagedObjectModelError: Error, Hashable {
    case entityWithoutName
    case propertyWithoutName(entity: String)
    /// A name that cannot name a table or column.
    case unusableName(entity: String, property: String?)
    /// A subentity that is not among the model's entities.
    case subentityMissing(entity: String, subentity: String)
    case inheritanceCycle(entity: String)
    case unstorableType(entity: String, attribute: String, type: NSAttributeType)
    case unsuitableDefault(entity: String, attribute: String)
    case compositeWithoutElements(entity: String, attribute: String)
    case derivationMissing(entity: String, attribute: String)
    case destinationMissing(entity: String, relationship: String)
    case impossibleCounts(entity: String, relationship: String, minimum: Int, maximum: Int)
    case unstorableProperty(entity: String, property: String)
    case constraintElementWithoutName(entity: String)
    case tooDeep(entity: String)
    case inconsistent(ModelError)
}

extension ManagedObjectModelError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .entityWithoutName: "An entity of the model has no name; give it one."
        case .propertyWithoutName(let entity): "A property of entity '\(entity)' has no name; give it one."
        case .unusableName(let entity, let property):
            "'\(property.map { "\(entity).\($0)" } ?? entity)' has a name that no table or column can have; "
                + "use letters, digits and underscores, and begin with a letter."
        case .subentityMissing(let entity, let subentity):
            "Entity '\(subentity)' is a subentity of '\(entity)', but not in the model; add it to the model's entities."
        case .inheritanceCycle(let entity): "Entity '\(entity)' inherits from itself."
        case .unstorableType(let entity, let attribute, let type):
            "Attribute '\(entity).\(attribute)' has type \(type.rawValue), which cannot be stored; "
                + "give it another type or make it transient."
        case .unsuitableDefault(let entity, let attribute):
            "The default value of '\(entity).\(attribute)' is not of the attribute's type."
        case .compositeWithoutElements(let entity, let attribute):
            "Composite attribute '\(entity).\(attribute)' has no elements; add some."
        case .derivationMissing(let entity, let attribute):
            "Derived attribute '\(entity).\(attribute)' has no derivation expression; set it."
        case .destinationMissing(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' has no destination entity; set it."
        case .impossibleCounts(let entity, let relationship, let minimum, let maximum):
            "Relationship '\(entity).\(relationship)' must have at least \(minimum) and at most \(maximum) objects, "
                + "which is impossible."
        case .unstorableProperty(let entity, let property):
            "'\(entity).\(property)' is of a kind that entities cannot have."
        case .constraintElementWithoutName(let entity):
            "A uniqueness constraint of entity '\(entity)' has an element that is neither a name nor a property."
        case .tooDeep(let entity): "Entity '\(entity)' is nested more deeply than any real model is."
        case .inconsistent(let error): error.description
        }
    }
}
