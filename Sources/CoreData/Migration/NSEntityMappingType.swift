/// What becomes of the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
    case undefinedEntityMappingType = 0
    /// The mapping's own policy says.
    case customEntityMappingType = 1
    /// The entity is new; there are no objects to bring.
    case addEntityMappingType = 2
    /// The objects go.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The objects get other properties.
    case transformEntityMappingType = 5
}
