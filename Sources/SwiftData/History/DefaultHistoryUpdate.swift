/// A model of a known class that was changed.
public struct DefaultHistoryUpdate<Model>: HistoryUpdate where Model: PersistentModel {
    public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable
    public typealias TransactionIdentifier = Int64
    public typealias ChangeIdentifier = Int64

    public let changeIdentifier: Int64
    public let transactionIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
    /// Attributes and relationships that the save changed, as far as the file tells; rooted in the model's own class.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

extension DefaultHistoryUpdate: Hashable {
    /// By number, transaction and model.
    public static func == (lhs: DefaultHistoryUpdate<Model>, rhs: DefaultHistoryUpdate<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier && lhs.transactionIdentifier == rhs.transactionIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
