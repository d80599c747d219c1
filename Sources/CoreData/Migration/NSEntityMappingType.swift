/// The kinds of entity mappings.
public enum NSEntityMappingType: UInt, Sendable {
    /// The kind is not stated.
    case undefinedEntityMappingType = 0
    /// The mapping's own policy migrates the objects.
    case customEntityMappingType = 1
    /// The entity is new and has no source objects.
    case addEntityMappingType = 2
    /// The objects are removed.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity differs in the two models.
    case transformEntityMappingType = 5
}
