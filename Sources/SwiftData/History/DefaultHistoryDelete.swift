/// A model of a known class that was deleted.
public struct DefaultHistoryDelete<Model>: HistoryDelete where Model: PersistentModel {
    public typealias TransactionIdentifier = Int64
    public typealias ChangeIdentifier = Int64

    public let changeIdentifier: Int64
    public let transactionIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
    /// What is left of the model.
    public let tombstone: HistoryTombstone<Model>
}

extension DefaultHistoryDelete: Hashable {
    /// By number, transaction and model.
    public static func == (lhs: DefaultHistoryDelete<Model>, rhs: DefaultHistoryDelete<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
