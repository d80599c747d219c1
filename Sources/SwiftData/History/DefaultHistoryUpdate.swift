/// A change to a model of a class in the schema.
public struct DefaultHistoryUpdate<Model>: HistoryUpdate where Model: PersistentModel {
    /// The type of a changed property: a key path.
    public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable
    /// The type of transaction numbers.
    public typealias TransactionIdentifier = Int64
    /// The type of change numbers.
    public typealias ChangeIdentifier = Int64

    /// The number of the change, which rises from change to change within a store.
    public let changeIdentifier: Int64
    /// The number of the transaction that the change is part of.
    public let transactionIdentifier: Int64
    /// The identifier of the changed model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The attributes and relationships that the save changed, as far as the file records them. The key paths are those of
    /// the model's own class.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

extension DefaultHistoryUpdate: Hashable {
    /// Returns whether two changes have the same number, transaction and model.
    public static func == (lhs: DefaultHistoryUpdate<Model>, rhs: DefaultHistoryUpdate<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Hashes the change by its number and model.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
