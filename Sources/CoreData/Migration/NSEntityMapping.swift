import Foundation

/// A description of how objects of one entity of the older model become objects of an entity of the newer one.
nonisolated open class NSEntityMapping: NSObject {
    /// The name of the mapping, unique within a mapping model.
    open var name: String!
    /// The kind of mapping.
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType
    /// The name of the entity in the older model; `nil` for a new entity.
    open var sourceEntityName: String?
    /// The version hash that the source entity must have; `nil`, unless set, for any.
    open var sourceEntityVersionHash: Data?
    /// The name of the entity in the newer model; `nil` for a removed entity.
    open var destinationEntityName: String?
    /// The version hash that the destination entity must have; `nil`, unless set, for any.
    open var destinationEntityVersionHash: Data?
    /// The mappings of the destination's attributes.
    open var attributeMappings: [NSPropertyMapping]?
    /// The mappings of the destination's relationships.
    open var relationshipMappings: [NSPropertyMapping]?
    /// The expression that gives the source objects; all objects of the source entity itself, unless set.
    open var sourceExpression: NSExpression?
    /// Information for the program's own use.
    open var userInfo: [AnyHashable: Any]?
    /// The full name (`Module.Class`) of a subclass of `NSEntityMigrationPolicy`; the general policy, unless set.
    open var entityMigrationPolicyClassName: String?

    /// Creates a mapping without entities.
    public override init() {
        super.init()
    }

    /// A text with the names of the mapping and the entities.
    open override var description: String {
        "<\(type(of: self)): \(name ?? "") (\(sourceEntityName ?? "none") to \(destinationEntityName ?? "none"))>"
    }
}
