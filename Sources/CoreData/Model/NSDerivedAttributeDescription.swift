import Foundation

/// An attribute that a SQLite store computes from others whenever their rows are written, by saves and by batch requests.
///
/// The expression is one of these:
/// - a key path, which may go through to-one relationships (`author.name`);
/// - `canonical:`, `uppercase:` or `lowercase:` of one that leads to a text (`canonical:(name)`);
/// - the number of objects that a relationship leads to (`pages.@count`), or the sum of a number of theirs
///   (`items.@sum.price`);
/// - `now()`, the time at which the object was last saved with changes.
///
/// A SQLite store of a model with any other expression is not added. Saved objects show their own values after the save;
/// an object whose value others' saves changed shows it once it is fetched or refreshed.
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
