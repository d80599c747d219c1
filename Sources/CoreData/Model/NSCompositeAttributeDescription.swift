import Foundation

/// A description of an attribute made of several named attributes, which may be composite again. Its value is a dictionary;
/// predicates refer to an element as `attribute.element`.
public final class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The attributes that the composite is made of, in the order in which the store keeps them.
    public var elements: [NSAttributeDescription] = [] {
        didSet { if refuses("elements") { elements = oldValue } }
    }

    /// Creates a composite attribute without elements.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    override func emptyCopy() -> NSPropertyDescription { NSCompositeAttributeDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
        guard let other = other as? NSCompositeAttributeDescription else { return }
        elements = other.elements.compactMap { $0.copy() as? NSAttributeDescription }
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSCompositeAttributeDescription else { return false }
        return elements == other.elements
    }

    override func freeze() {
        super.freeze()
        for element in elements { element.freeze() }
    }
}
