import Foundation

/// An index that an entity's rows are found by. Indexes are no part of the version hash: a store opens with a model
/// whatever indexes the two have.
public final class NSFetchIndexDescription: NSObject, NSCopying, ModelPart {
    var isFrozen = false
    /// The entity that has this index; `nil` before it has one.
    public internal(set) weak var entity: NSEntityDescription?

    public var name: String { didSet { if refuses("name") { name = oldValue } } }

    /// In order of weight.
    public var elements: [NSFetchIndexElementDescription] {
        didSet {
            if refuses("elements") { elements = oldValue }
            for element in elements { element.indexDescription = self }
        }
    }

    /// The objects that are in the index; `nil` for all.
    public var partialIndexPredicate: NSPredicate? {
        didSet { if refuses("partialIndexPredicate") { partialIndexPredicate = oldValue } }
    }

    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        for element in self.elements { element.indexDescription = self }
    }

    /// An index of no entity, which may be changed.
    public func copy(with zone: NSZone? = nil) -> Any {
        let elements = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
        let copy = NSFetchIndexDescription(name: name, elements: elements)
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    /// Indexes with the same content are equal, whichever entities have them.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return other === self
            || name == other.name && elements == other.elements
                && partialIndexPredicate?.tree == other.partialIndexPredicate?.tree
    }

    public override var hash: Int { name.hashValue }

    func freeze() {
        isFrozen = true
        for element in elements { element.isFrozen = true }
    }

    var partName: String { "Index '\(name)' of '\(entity?.name ?? "")'" }
}
