import Foundation

/// How an index compares the values of a property.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// Byte by byte, in one dimension.
    case binary = 0
    /// By place in several dimensions.
    case rTree = 1
}

/// A property in an index.
public final class NSFetchIndexElementDescription: NSObject, NSCopying, ModelPart {
    var isFrozen = false
    private var storedProperty: NSPropertyDescription?
    private var storedName: String?
    /// The index that has this element; `nil` before it has one.
    public internal(set) weak var indexDescription: NSFetchIndexDescription?

    public var collationType: NSFetchIndexElementType {
        didSet { if refuses("collationType") { collationType = oldValue } }
    }

    public var isAscending = true { didSet { if refuses("isAscending") { isAscending = oldValue } } }

    /// - Parameter property: an attribute or relationship of the entity the index is for, or an expression.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        storedProperty = property
        self.collationType = collationType
    }

    /// For indexes that come from files; names may lead into composites, as `place.latitude`.
    init(propertyName: String, collationType: NSFetchIndexElementType) {
        storedName = propertyName
        self.collationType = collationType
    }

    /// `nil` for a name that leads to no property of the entity.
    public var property: NSPropertyDescription? {
        storedProperty ?? storedName.flatMap { indexDescription?.entity?.propertiesByName[$0] }
    }

    public var propertyName: String? { storedProperty?.name ?? storedName }

    /// An element of no index, which may be changed.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationType)
        // Properties of entities are found again by name; expressions belong to none.
        if let expression { copy.storedProperty = expression }
        copy.isAscending = isAscending
        return copy
    }

    /// Elements with the same content are equal, whichever indexes have them.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return other === self
            || propertyName == other.propertyName && collationType == other.collationType
                && isAscending == other.isAscending && expression == other.expression
    }

    public override var hash: Int { propertyName.hashValue }

    /// What belongs to no entity, and so is not known by its name.
    private var expression: NSExpressionDescription? { storedProperty as? NSExpressionDescription }

    var partName: String { "Index element '\(propertyName ?? "")'" }
}
