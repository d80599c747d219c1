import Foundation

/// A description of an index of an entity's rows.
///
/// Indexes are not part of the version hash: a store opens with a model regardless of the indexes of both.
public final class NSFetchIndexDescription: NSObject, NSCopying, ModelPart {
    var isFrozen = false
    /// The entity of this index; `nil` if it has none.
    public internal(set) weak var entity: NSEntityDescription?

    /// The name of the index.
    public var name: String { didSet { if refuses("name") { name = oldValue } } }

    /// The indexed properties, the most significant first.
    public var elements: [NSFetchIndexElementDescription] {
        didSet {
            if refuses("elements") { elements = oldValue }
            for element in elements { element.indexDescription = self }
        }
    }

    /// The predicate of the objects in the index; `nil`, unless set, for all objects.
    public var partialIndexPredicate: NSPredicate? {
        didSet { if refuses("partialIndexPredicate") { partialIndexPredicate = oldValue } }
    }

    /// Creates an index of no entity.
    /// - Parameters:
    ///   - name: the name of the index.
    ///   - elements: the indexed properties.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        for element in self.elements { element.indexDescription = self }
    }

    /// Returns a copy that belongs to no entity and can be changed.
    public func copy(with zone: NSZone? = nil) -> Any {
        let elements = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
        let copy = NSFetchIndexDescription(name: name, elements: elements)
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    /// Returns whether another index has the same contents, whichever entities the two belong to.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return other === self
            || name == other.name && elements == other.elements
                && partialIndexPredicate?.tree == other.partialIndexPredicate?.tree
    }

    /// A hash of the name.
    public override var hash: Int { name.hashValue }

    func freeze() {
        isFrozen = true
        for element in elements { element.isFrozen = true }
    }

    var partName: String { "Index '\(name)' of '\(entity?.name ?? "")'" }
}
