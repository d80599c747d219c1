import Foundation

/// An object of an atomic store, in the store's memory: attributes by name, the nodes of to-one relationships, and sets of
/// nodes for to-many ones.
nonisolated open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
    // Used by its store alone, which calls come to one at a time.
    public let objectID: NSManagedObjectID
    /// Values by name; a subclass may keep them elsewhere, and overrides `value(forKey:)` and `setValue(_:forKey:)` then.
    open var propertyCache: NSMutableDictionary?

    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
    }

    open func value(forKey key: String) -> Any? {
        let value = propertyCache?[key]
        return value is NSNull ? nil : value
    }

    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        cache[key] = value
    }
}
