import Foundation

/// An object of an atomic store in memory: attributes by name, the nodes of to-one relationships, and sets of nodes for to-many
/// relationships.
nonisolated open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
    // Used only by its store, whose methods are called one at a time.
    /// The identifier of the object.
    public let objectID: NSManagedObjectID
    /// The values by name. A subclass that keeps them elsewhere overrides `value(forKey:)` and `setValue(_:forKey:)`.
    open var propertyCache: NSMutableDictionary?

    /// Creates a node without values.
    /// - Parameter moid: the identifier of the object.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
    }

    /// Returns the value of a property.
    /// - Parameter key: the name of the property.
    /// - Returns: `nil` for a missing value, and for `NSNull`.
    open func value(forKey key: String) -> Any? {
        let value = propertyCache?[key]
        return value is NSNull ? nil : value
    }

    /// Sets the value of a property.
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the name of the property.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        cache[key] = value
    }
}
