/// Rows that can be read: of a store's newest state, or of an earlier one. Every call may come from any thread.
package protocol RowReading: AnyObject, Sendable {
    /// Returns the matching rows in the query's order; in key order if it has none.
    func fetch(_ query: Query) throws -> [Snapshot]

    /// Passes the matching rows one by one while they are read, so that they need not be in memory twice.
    /// - Parameter body: Must not use the store, which is still reading.
    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws

    /// Returns the matching rows with the values of the query's `slots` alone, in their order.
    /// - Returns: `nil` if the store reads only whole rows.
    func fetchPartialRows(_ query: Query) throws -> [Snapshot]?

    func fetchIDs(_ query: Query) throws -> [ObjectID]
    func count(_ query: Query) throws -> Int

    /// - Returns: `nil` if the store does not support groups; the caller then reads the rows.
    /// - Throws: `UntranslatableExpression` if the store cannot evaluate the query, or cannot guarantee the result of
    ///   the evaluation in memory; the caller then reads the rows.
    func groups(_ query: GroupQuery) throws -> [RowGroup]?

    /// Returns the existing rows, in no particular order. The identifiers may be of any entity of this store; an
    /// identifier may name the row's own entity or one above it.
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot]

    /// Returns the members of one to-many relationship for several owners, in key order, or in the stored order of an
    /// ordered relationship. Owners without members may be absent.
    /// - Parameter relationshipIndex: The position in `relationships` of the entity at `entityIndex`.
    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]]
}

extension RowReading {
    /// Does the same as `forEachRow(of:_:)` for stores that can only read all rows together.
    package func forEachFetchedRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        for row in try fetch(query) { try body(row) }
    }
}
