import Foundation

/// An attribute that the store computes from others whenever objects are saved.
///
/// The expression is a key path, which may go through to-one relationships, one with a collection operator over a
/// to-many relationship (`pages.@count`), or a function of one (`canonical:(name)`, `now()`).
public final class NSDerivedAttributeDescription: NSAttributeDescription {
    public var derivationExpression: NSExpression? {
        didSet { if refuses("derivationExpression") { derivationExpression = oldValue } }
    }

    /// Which objects of a to-many relationship count; `nil` for all.
    package var filteringPredicate: NSPredicate?

    override func emptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func take(from other: NSPropertyDescription) {
        super.take(from: other)
        guard let other = other as? NSDerivedAttributeDescription else { return }
        derivationExpression = other.derivationExpression
        filteringPredicate = other.filteringPredicate
    }
}
