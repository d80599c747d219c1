import Foundation
import ObjectGraph

/// The values of one object of an incremental store, at one version.
nonisolated open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    // Mutable state is guarded by the lock.
    /// The identifier of the object.
    public let objectID: NSManagedObjectID
    private let state: Locked<State>

    private struct State: @unchecked Sendable {
        // Values are passed on with the node and not changed.
        var values: [String: Any]
        var version: UInt64
    }

    /// Creates a node.
    /// - Parameters:
    ///   - objectID: the identifier of the object.
    ///   - values: values by property name: attributes, and identifiers, or `NSNull`, of to-one relationships. A to-one
    ///     relationship that is missing is read with `newValue(forRelationship:forObjectWith:with:)`.
    ///   - version: a different number whenever values have changed.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        state = Locked(State(values: values, version: version))
    }

    /// Replaces the values.
    /// - Parameters:
    ///   - values: values by property name.
    ///   - version: a different number whenever values have changed.
    open func update(withValues values: [String: Any], version: UInt64) {
        state.withLock { $0 = State(values: values, version: version) }
    }

    /// The version of the values.
    open var version: UInt64 { state.withLock { $0.version } }

    /// Returns the value of a property.
    /// - Parameter prop: the property.
    /// - Returns: `nil` for a property that the node does not have; `NSNull` for one without a value.
    open func value(for prop: NSPropertyDescription) -> Any? {
        state.withLock { $0.values[prop.name] }
    }
}
