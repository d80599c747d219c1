/// A change to a model, as the history records it.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The type of transaction numbers.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// The type of change numbers.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The type of a changed property: a key path.
    typealias PropertyUpdate = PartialKeyPath<Self.Model> & Sendable

    /// The number of the change, which rises from change to change within a store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The number of the transaction that the change is part of.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the changed model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The attributes and relationships that the save changed, as far as the file records them.
    var updatedAttributes: [any PartialKeyPath<Self.Model> & Sendable] { get }
}
