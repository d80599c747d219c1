/// The rows of a program-defined store, in the engine's types.
package protocol ObjectRows: AnyObject, Sendable {
    /// Returns rows for a query.
    func answer(to query: Query) throws -> ObjectAnswer
    /// Returns the existing rows, in the order of their identities.
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot]
    /// Returns the members of a to-many relationship.
    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID]
    /// Returns the rows that differ from the state that the changes expect.
    func conflicts(with changes: ChangeSet) throws -> [Conflict]
    /// - Returns: The saved rows, in the order of the changes.
    func write(_ changes: ChangeSet) throws -> SavedRows
    /// Returns the identities of the rows that match a query; `nil` if the caller should use `answer(to:)` instead.
    func identifiers(for query: Query) throws -> [ObjectID]?
    /// Returns the number of rows that match a query; `nil` if the caller should use `answer(to:)` instead.
    func count(for query: Query) throws -> Int?
    /// Returns changes since the last call: rows that the store saved differently than requested, and changes by
    /// others.
    func changesByOthers() throws -> SavedChanges
}

package enum ObjectAnswer {
    /// The identities of the matching rows only, in order.
    case exactly([ObjectID])
    /// The matching rows only, in order, with their values.
    case rows([Snapshot])
    /// Rows that include the matching ones.
    case candidates([Snapshot])
}

extension ObjectRows {
    package func identifiers(for query: Query) throws -> [ObjectID]? { nil }
    package func count(for query: Query) throws -> Int? { nil }
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}

extension SavedRows {
    /// Describes the changes as written without modification: new rows have the identities of the change set.
    package init(asGiven changes: ChangeSet) {
        inserted = changes.insertions.map { .init(id: $0.id, version: 1, replaced: false) }
        updatedVersions = changes.updates.map { .next(after: $0.expectedVersion) }
    }
}
