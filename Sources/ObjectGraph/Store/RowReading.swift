/// Rows that can be read: those of a store as it is, or as it was at some moment. Every call may come from any thread.
package protocol RowReading: AnyObject, Sendable {
    /// Rows in the query's order; in key order where it gives none.
    func fetch(_ query: Query) throws -> [Snapshot]

    /// The same rows one by one, as they are read, so that they need not be in memory twice.
    /// - Parameter body: must ask nothing of the store, which is still reading.
    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws

    /// The same rows with the values of the query's `slots` alone, in their order.
    /// - Returns: `nil` where whole rows are read or none.
    func fetchParts(_ query: Query) throws -> [Snapshot]?

    func fetchIDs(_ query: Query) throws -> [ObjectID]
    func count(_ query: Query) throws -> Int

    /// - Returns: `nil` where the store makes no groups: the caller reads the rows.
    /// - Throws: `UntranslatableExpression` for what the store cannot say, or not surely with the answer that the rows
    ///   give in memory: the caller reads them then.
    func groups(_ query: GroupQuery) throws -> [RowGroup]?

    /// The rows that still exist, in no particular order. Identifiers may be of any entity of this store: a row answers
    /// to its own entity and to those above it.
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot]

    /// Members of one to-many relationship for several owners: in key order, or in the stored order where the
    /// relationship is ordered. Owners without members may be absent.
    /// - Parameter relationshipIndex: position in `relationships` of the entity at `entityIndex`.
    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]]
}

extension RowReading {
    /// `forEachRow(of:_:)` for rows that are only read together.
    package func forEachFetchedRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        for row in try fetch(query) { try body(row) }
    }
}
