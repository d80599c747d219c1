import Foundation
import ObjectGraph

/// The values of one object of an incremental store, at one version.
nonisolated open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    // What changes is under the lock.
    public let objectID: NSManagedObjectID
    private let state: Locked<State>

    private struct State: @unchecked Sendable {
        // Values are handed over with the node.
        var values: [String: Any]
        var version: UInt64
    }

    /// - Parameters:
    ///   - values: by property: attributes; identifiers, or `NSNull`, of to-one relationships. A to-one relationship that is
    ///     not among them is asked for with `newValue(forRelationship:forObjectWith:with:)`.
    ///   - version: another one whenever values have changed.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        state = Locked(State(values: values, version: version))
    }

    open func update(withValues values: [String: Any], version: UInt64) {
        state.withLock { $0 = State(values: values, version: version) }
    }

    open var version: UInt64 { state.withLock { $0.version } }

    /// - Returns: `nil` for a property that the node says nothing of; `NSNull` for one without value.
    open func value(for prop: NSPropertyDescription) -> Any? {
        state.withLock { $0.values[prop.name] }
    }
}
