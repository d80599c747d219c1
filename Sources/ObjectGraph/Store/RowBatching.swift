/// What batch requests ask of a store.
package typealias BatchStore = Store & SetDeleting & RowBatching

/// A store that writes many rows without a graph.
package protocol RowBatching: AnyObject, Sendable {
    /// Whether the store can be read, on another connection, while `insert(_:fill:)` calls `fill`.
    var canBeReadWhileWritten: Bool { get }

    /// Writes rows in one transaction.
    /// - Parameter fill: puts the next row in the place of the last one, which is empty at first; `false` when there is
    ///   none. The store is locked for writing meanwhile.
    /// - Throws: what `fill` throws, and what writing throws; nothing is written then.
    func insert(_ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool) throws -> BatchResult

    /// Writes values in one transaction, and raises the versions of the rows.
    /// - Throws: `UntranslatableExpression`, and what writing throws; nothing is written then.
    func update(_ batch: BatchUpdate) throws -> BatchResult

    /// Identities for rows to come. They are used up, whether the rows come or not.
    func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID]
}
