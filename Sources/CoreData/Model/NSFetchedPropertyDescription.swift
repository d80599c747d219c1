import Foundation

/// A description of a property whose value is the result of a fetch, which is executed each time the property is read. Changes
/// of the value are not reported.
///
/// The request's predicate may use `$FETCH_SOURCE`, the object with the property, and `$FETCHED_PROPERTY`, this description.
nonisolated open class NSFetchedPropertyDescription: NSPropertyDescription {
    final var template: ModelTemplate?

    /// The request; getting it returns a copy.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { template?.request(in: owner?.model) }
        set { if !refuses("fetchRequest") { template = newValue.map { ModelTemplate($0) } } }
    }

    override func emptyCopy() -> NSPropertyDescription { NSFetchedPropertyDescription() }

    override func copyProperties(from other: NSPropertyDescription) {
        super.copyProperties(from: other)
        if let other = other as? NSFetchedPropertyDescription { template = other.template }
    }

    override func hasContent(of other: NSPropertyDescription) -> Bool {
        guard super.hasContent(of: other), let other = other as? NSFetchedPropertyDescription else { return false }
        return ModelContent.isSame(fetchRequest, other.fetchRequest)
    }
}
