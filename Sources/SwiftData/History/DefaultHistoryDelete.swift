/// The deletion of a model of a class in the schema.
public struct DefaultHistoryDelete<Model>: HistoryDelete where Model: PersistentModel {
    /// The type of transaction numbers.
    public typealias TransactionIdentifier = Int64
    /// The type of change numbers.
    public typealias ChangeIdentifier = Int64

    /// The number of the change, which rises from change to change within a store.
    public let changeIdentifier: Int64
    /// The number of the transaction that the change is part of.
    public let transactionIdentifier: Int64
    /// The identifier of the deleted model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values of the deleted model that the history preserves.
    public let tombstone: HistoryTombstone<Model>
}

extension DefaultHistoryDelete: Hashable {
    /// Returns whether two changes have the same number, transaction and model.
    public static func == (lhs: DefaultHistoryDelete<Model>, rhs: DefaultHistoryDelete<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Hashes the change by its number and model.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
