import Foundation

/// A property whose value is what a request fetches, taken when it is first read and not tracked.
///
/// The request's predicate may use `$FETCH_SOURCE`, the object that has the property, and `$FETCHED_PROPERTY`, this
/// description.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    override func emptyCopy() -> NSPropertyDescription { NSFetchedPropertyDescription() }
}
