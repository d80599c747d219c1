/// A store that writes many rows without a graph.
package protocol BatchStore: JoinableStore {
    /// Writes rows in one transaction, as they are asked for.
    /// - Parameter next: gives the next row, `nil` after the last. The store is locked for writing meanwhile.
    /// - Throws: what `next` throws, and what writing throws; nothing is written then.
    func insert(_ batch: BatchInsert, next: () throws -> BatchInsert.Row?) throws -> BatchResult

    /// Writes values in one transaction, and raises the versions of the rows.
    /// - Throws: `UntranslatableExpression`, and what writing throws; nothing is written then.
    func update(_ batch: BatchUpdate) throws -> BatchResult

    /// Identities for rows to come. They are used up, whether the rows come or not.
    func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID]
}
