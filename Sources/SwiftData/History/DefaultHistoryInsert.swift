/// The insertion of a model of a class in the schema.
public struct DefaultHistoryInsert<Model>: HistoryInsert where Model: PersistentModel {
    /// The type of transaction numbers.
    public typealias TransactionIdentifier = Int64
    /// The type of change numbers.
    public typealias ChangeIdentifier = Int64

    /// The number of the change, which rises from change to change within a store.
    public let changeIdentifier: Int64
    /// The number of the transaction that the change is part of.
    public let transactionIdentifier: Int64
    /// The identifier of the inserted model.
    public let changedPersistentIdentifier: PersistentIdentifier
}

extension DefaultHistoryInsert: Hashable {
    /// Returns whether two changes have the same number, transaction and model.
    public static func == (lhs: DefaultHistoryInsert<Model>, rhs: DefaultHistoryInsert<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Hashes the change by its number and model.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
