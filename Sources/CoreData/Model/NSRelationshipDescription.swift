import Foundation

/// A property that leads to other objects.
///
/// The other end is kept by name too, so that copies of entities find their ends again in the model they are put into.
nonisolated open class NSRelationshipDescription: NSPropertyDescription {
    private weak var storedDestination: NSEntityDescription?
    private weak var storedInverse: NSRelationshipDescription?
    private var storedDestinationName: String?
    private var storedInverseName: String?

    /// Least number of objects at save; 0 for none.
    open var minCount = 0 { didSet { if refuses("minCount") { minCount = oldValue } } }

    /// Most objects at save; 0, or less, for no limit, 1 for a to-one relationship.
    open var maxCount = 0 { didSet { if refuses("maxCount") { maxCount = oldValue } } }

    /// What deleting the owner does to the objects at the other end.
    open var deleteRule = NSDeleteRule.nullifyDeleteRule {
        didSet { if refuses("deleteRule") { deleteRule = oldValue } }
    }

    /// Whether the objects of a to-many relationship keep an order.
    open var isOrdered = false { didSet { if refuses("isOrdered") { isOrdered = oldValue } } }

    /// Whether there can be more than one object.
    open var isToMany: Bool { maxCount != 1 }

    /// The entity of the objects at the other end, subentities included.
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

    /// The relationship back. Each end names the other.
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

    /// An entity may have been renamed since it became the destination.
    final package var destinationName: String? {
        get { storedDestination?.name ?? storedDestinationName }
        set { (storedDestination, storedDestinationName) = (nil, newValue) }
    }

    final package var inverseName: String? {
        get { storedInverse.map(\.name) ?? storedInverseName }
        set { (storedInverse, storedInverseName) = (nil, newValue) }
    }

    /// Makes a copy lead where its original's destination was copied to.
    final func lead(to destination: NSEntityDescription?, inverse: NSRelationshipDescription?) {
        if let destination { (storedDestination, storedDestinationName) = (destination, destination.name) }
        if let inverse { (storedInverse, storedInverseName) = (inverse, inverse.name) }
    }

    override func emptyCopy() -> NSPropertyDescription { NSRelationshipDescription() }

    override func take(from other: NSPropertyDescription) {
        super.take(from: other)
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
