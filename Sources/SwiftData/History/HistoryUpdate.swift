/// A model that was changed.
public protocol HistoryUpdate<Model>: Sendable {
    associatedtype Model: PersistentModel
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    typealias PropertyUpdate = PartialKeyPath<Self.Model> & Sendable

    /// Rises from change to change within a store.
    var changeIdentifier: ChangeIdentifier { get }
    var transactionIdentifier: TransactionIdentifier { get }
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// Attributes and relationships that the save changed, as far as the file tells.
    var updatedAttributes: [any PartialKeyPath<Self.Model> & Sendable] { get }
}
