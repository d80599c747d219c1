import Foundation

/// A description of an attribute that a SQLite store computes from others whenever their rows are written, by saves and batch
/// requests.
///
/// The expression is one of these:
/// - a key path, which may follow to-one relationships (`author.name`);
/// - `canonical:`, `uppercase:` or `lowercase:` of a key path to a text (`canonical:(name)`);
/// - the number of objects of a relationship (`pages.@count`), or the sum of a number of theirs (`items.@sum.price`);
/// - `now()`, the time at which the object was last saved with changes.
///
/// A SQLite store of a model with any other expression is not added. Saved objects have their new values after the save; other
/// objects once they are fetched or refreshed.
public final class NSDerivedAttributeDescription: NSAttributeDescription {
    private var storedExpression: NSExpression?
    /// The expression in a file, kept literally, because version hashes are computed from it.
    private var storedText: String?

    /// The expression that the store computes.
    public var derivationExpression: NSExpression? {
        get { storedExpression ?? storedText.map { NSExpression(format: $0) } }
        set {
            guard !refuses("derivationExpression") else { return }
            (storedExpression, storedText) = (newValue, nil)
        }
    }

    /// The expression as text, from which the version hash is computed.
    package var derivationText: String? {
        get { storedText ?? storedExpression?.description }
        set { (storedExpression, storedText) = (nil, newValue) }
    }

    /// The condition on objects of a to-many relationship, as text; `nil` for all objects.
    package var filteringText: String?

    override func emptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
        guard let other = other as? NSDerivedAttributeDescription else { return }
        (storedExpression, storedText) = (other.storedExpression, other.storedText)
        filteringText = other.filteringText
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSDerivedAttributeDescription else { return false }
        return derivationText == other.derivationText && filteringText == other.filteringText
    }
}
