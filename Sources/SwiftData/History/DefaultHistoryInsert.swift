/// A model of a known class that was inserted.
public struct DefaultHistoryInsert<Model>: HistoryInsert where Model: PersistentModel {
    public typealias TransactionIdentifier = Int64
    public typealias ChangeIdentifier = Int64

    public let changeIdentifier: Int64
    public let transactionIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
}

extension DefaultHistoryInsert: Hashable {
    /// By number, transaction and model.
    public static func == (lhs: DefaultHistoryInsert<Model>, rhs: DefaultHistoryInsert<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
