/// The insertion of a model, as the history records it.
public protocol HistoryInsert<Model>: Sendable {
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
    /// The identifier of the inserted model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}
