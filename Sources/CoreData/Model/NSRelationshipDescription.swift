import Foundation

/// A description of a relationship: a property that refers to other objects.
///
/// The destination and the inverse are kept by name, too, so that copies of entities find them again in the model they are
/// added to.
nonisolated open class NSRelationshipDescription: NSPropertyDescription {
    private weak var storedDestination: NSEntityDescription?
    private weak var storedInverse: NSRelationshipDescription?
    private var storedDestinationName: String?
    private var storedInverseName: String?

    /// The minimum number of objects in a saved relationship: 0, unless set, for none.
    open var minCount = 0 { didSet { if refuses("minCount") { minCount = oldValue } } }

    /// The maximum number of objects in a saved relationship: 0, unless set, or less for no limit; 1 makes a to-one relationship.
    open var maxCount = 0 { didSet { if refuses("maxCount") { maxCount = oldValue } } }

    /// The rule for the destinations when the owner is deleted: nullify, unless set.
    open var deleteRule = NSDeleteRule.nullifyDeleteRule {
        didSet { if refuses("deleteRule") { deleteRule = oldValue } }
    }

    /// A Boolean value that states whether the objects of a to-many relationship are ordered: `false`, unless set.
    open var isOrdered = false { didSet { if refuses("isOrdered") { isOrdered = oldValue } } }

    /// A Boolean value that states whether the relationship may have more than one object.
    open var isToMany: Bool { maxCount != 1 }

    /// The entity of the objects that the relationship refers to; these may be of its subentities.
    open var destinationEntity: NSEntityDescription? {
        get {
            if let name = destinationName, let found = owner?.model?.entity(named: name) { return found }
            return storedDestination
        }
        set {
            guard !refuses("destinationEntity") else { return }
            storedDestination = newValue
            storedDestinationName = newValue?.name
        }
    }

    /// The relationship in the opposite direction. Set it at both ends.
    open var inverseRelationship: NSRelationshipDescription? {
        get {
            if let name = inverseName, let found = destinationEntity?.relationshipsByName[name] { return found }
            return storedInverse
        }
        set {
            guard !refuses("inverseRelationship") else { return }
            storedInverse = newValue
            storedInverseName = newValue?.name
        }
    }

    /// The destination's current name, because an entity may be renamed after it was set.
    final package var destinationName: String? {
        get { storedDestination?.name ?? storedDestinationName }
        set { (storedDestination, storedDestinationName) = (nil, newValue) }
    }

    final package var inverseName: String? {
        get { storedInverse.map(\.name) ?? storedInverseName }
        set { (storedInverse, storedInverseName) = (nil, newValue) }
    }

    /// Sets the destination and inverse of a copy to the copies of those of the original.
    final func connect(to destination: NSEntityDescription?, inverse: NSRelationshipDescription?) {
        if let destination { (storedDestination, storedDestinationName) = (destination, destination.name) }
        if let inverse { (storedInverse, storedInverseName) = (inverse, inverse.name) }
    }

    override func emptyCopy() -> NSPropertyDescription { NSRelationshipDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
        guard let other = other as? NSRelationshipDescription else { return }
        minCount = other.minCount
        maxCount = other.maxCount
        deleteRule = other.deleteRule
        isOrdered = other.isOrdered
        (storedDestination, storedDestinationName) = (other.destinationEntity, other.destinationName)
        (storedInverse, storedInverseName) = (other.inverseRelationship, other.inverseName)
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSRelationshipDescription else { return false }
        return minCount == other.minCount && maxCount == other.maxCount && deleteRule == other.deleteRule
            && isOrdered == other.isOrdered && destinationName == other.destinationName
            && inverseName == other.inverseName
    }
}
