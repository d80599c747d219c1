import Foundation

/// What objects of one entity of the older model become in the newer one.
nonisolated open class NSEntityMapping: NSObject {
    /// Names are unique within a mapping model.
    open var name: String!
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType
    open var sourceEntityName: String?
    /// When set, the source's entity must have it.
    open var sourceEntityVersionHash: Data?
    open var destinationEntityName: String?
    /// When set, the destination's entity must have it.
    open var destinationEntityVersionHash: Data?
    open var attributeMappings: [NSPropertyMapping]?
    open var relationshipMappings: [NSPropertyMapping]?
    /// Gives the objects to bring; all of the source entity itself, unless set.
    open var sourceExpression: NSExpression?
    open var userInfo: [AnyHashable: Any]?
    /// The full name (`Module.Class`) of a subclass of `NSEntityMigrationPolicy`.
    open var entityMigrationPolicyClassName: String?

    public override init() {
        super.init()
    }

    open override var description: String {
        "<\(type(of: self)): \(name ?? "") (\(sourceEntityName ?? "none") to \(destinationEntityName ?? "none"))>"
    }
}
