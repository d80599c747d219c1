import Foundation

/// A bulk delete, as a store receives it.
public struct DataStoreBatchDeleteRequest<T>: Sendable where T: PersistentModel {
    /// The identity of the context that deletes.
    public let editingState: EditingState
    /// The condition; `nil` for all models of the class.
    public let predicate: Predicate<T>?
    /// Whether models of subclasses are deleted too.
    public let includeSubclasses: Bool
}
