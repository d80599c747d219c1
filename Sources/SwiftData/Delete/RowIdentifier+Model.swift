import StoreDeletion

extension PersistentIdentifier {
    /// The identifier of the model that is stored as the row.
    public init(_ row: RowIdentifier) { self.init(row.objectID) }
}

extension RowIdentifier {
    /// The row that a model is stored as.
    /// - Returns: `nil` for a model that was never saved.
    public init?(_ identifier: PersistentIdentifier) { self.init(identifier.objectID) }
}
