/// The capabilities that batch requests require of a store.
package typealias BatchStore = Store & SetDeleting & RowBatching

/// A store that writes many rows without a graph.
package protocol RowBatching: AnyObject, Sendable {
    /// Whether the store can be read on another connection while `insert(_:fill:)` calls `fill`.
    var canBeReadWhileWritten: Bool { get }

    /// Writes rows in one transaction.
    /// - Parameter fill: Replaces the argument, which is empty at first, with the next row; returns `false` if there is
    ///   none. The store is locked for writing meanwhile.
    /// - Throws: The errors of `fill` and of writing; then nothing is written.
    func insert(_ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool) throws -> SavedRows

    /// Writes values in one transaction, and increments the row versions.
    /// - Throws: `UntranslatableExpression`, and the errors of writing; then nothing is written.
    func update(_ batch: BatchUpdate) throws -> SavedRows

    /// Reserves identities for new rows. They are not used again, even if the rows are never written.
    func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID]
}
