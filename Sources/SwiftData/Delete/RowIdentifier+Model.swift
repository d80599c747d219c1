import StoreDeletion

extension PersistentIdentifier {
    /// Creates the identifier of the model that is stored as a row.
    /// - Parameter row: The row.
    public init(_ row: RowIdentifier) { self.init(row.objectID) }
}

extension RowIdentifier {
    /// Creates the identifier of the row that a model is stored as.
    /// - Parameter identifier: The identifier of the model.
    /// - Returns: `nil` for a model that was never saved.
    public init?(_ identifier: PersistentIdentifier) { self.init(identifier.objectID) }
}
