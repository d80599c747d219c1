import Foundation

/// An attribute that the store computes from others whenever objects are saved.
///
/// The expression is a key path, which may go through to-one relationships, one with a collection operator over a
/// to-many relationship (`pages.@count`), or a function of one (`canonical:(name)`, `now()`).
public final class NSDerivedAttributeDescription: NSAttributeDescription {
    private var storedExpression: NSExpression?
    /// As files have it. Version hashes are made of this text, so it is kept letter by letter.
    private var storedText: String?

    public var derivationExpression: NSExpression? {
        get { storedExpression ?? storedText.map { NSExpression(format: $0) } }
        set {
            guard !refuses("derivationExpression") else { return }
            (storedExpression, storedText) = (newValue, nil)
        }
    }

    /// The expression as text; what the version hash is made of.
    package var derivationText: String? {
        get { storedText ?? storedExpression?.description }
        set { (storedExpression, storedText) = (nil, newValue) }
    }

    /// Which objects of a to-many relationship count, as text; `nil` for all.
    package var filteringText: String?

    override func emptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func take(from other: NSPropertyDescription) {
        super.take(from: other)
        guard let other = other as? NSDerivedAttributeDescription else { return }
        (storedExpression, storedText) = (other.storedExpression, other.storedText)
        filteringText = other.filteringText
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSDerivedAttributeDescription else { return false }
        return derivationText == other.derivationText && filteringText == other.filteringText
    }
}
