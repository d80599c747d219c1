/// The deletion of a model, as the history records it.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The type of transaction numbers.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// The type of change numbers.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

    /// The number of the change, which rises from change to change within a store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The number of the transaction that the change is part of.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the deleted model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The values of the deleted model that the history preserves.
    var tombstone: HistoryTombstone<Self.Model> { get }
}
