import Foundation

/// The ways in which an index compares the values of a property.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// Byte by byte, in one dimension.
    case binary = 0
    /// By position in several dimensions; the store makes no such indexes.
    case rTree = 1
}

/// A description of an indexed property.
public final class NSFetchIndexElementDescription: NSObject, NSCopying, ModelPart {
    var isFrozen = false
    private var storedProperty: NSPropertyDescription?
    private var storedName: String?
    /// The index of this element; `nil` if it has none.
    public internal(set) weak var indexDescription: NSFetchIndexDescription?

    /// The way in which values are compared.
    public var collationType: NSFetchIndexElementType {
        didSet { if refuses("collationType") { collationType = oldValue } }
    }

    /// A Boolean value that states whether the index is ascending: `true`, unless set.
    public var isAscending = true { didSet { if refuses("isAscending") { isAscending = oldValue } } }

    /// Creates an element of no index.
    /// - Parameters:
    ///   - property: an attribute or relationship of the index's entity, or an expression description.
    ///   - collationType: the way in which values are compared.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        storedProperty = property
        self.collationType = collationType
    }

    /// Creates an element of an index in a file; a name may refer to an element of a composite, such as `place.latitude`.
    init(propertyName: String, collationType: NSFetchIndexElementType) {
        storedName = propertyName
        self.collationType = collationType
    }

    /// The indexed property; `nil` for a name that is not that of a property of the entity.
    public var property: NSPropertyDescription? {
        storedProperty ?? storedName.flatMap { indexDescription?.entity?.propertiesByName[$0] }
    }

    /// The name of the indexed property.
    public var propertyName: String? { storedProperty?.name ?? storedName }

    /// Returns a copy that belongs to no index and can be changed.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationType)
        // Properties of entities are found again by name; expressions belong to none.
        if let expression { copy.storedProperty = expression }
        copy.isAscending = isAscending
        return copy
    }

    /// Returns whether another element has the same contents, whichever indexes the two belong to.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return other === self
            || propertyName == other.propertyName && collationType == other.collationType
                && isAscending == other.isAscending && expression == other.expression
    }

    /// A hash of the property's name.
    public override var hash: Int { propertyName.hashValue }

    /// The expression description, which belongs to no entity and cannot be found by name.
    private var expression: NSExpressionDescription? { storedProperty as? NSExpressionDescription }

    var partName: String { "Index element '\(propertyName ?? "")'" }
}
