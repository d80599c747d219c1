import Foundation

/// A delete by predicate, as a store is asked for it.
public struct DataStoreBatchDeleteRequest<T>: Sendable where T: PersistentModel {
    /// Who asks.
    public let editingState: EditingState
    /// `nil` for all models of the class.
    public let predicate: Predicate<T>?
    /// Whether models of classes below go too.
    public let includeSubclasses: Bool
}
