/// What a store of a program's own class has, in the engine's terms.
package protocol ObjectRows: AnyObject, Sendable {
    /// Rows for a query.
    func answer(to query: Query) throws -> ObjectAnswer
    /// The rows that there are, in the order of their identities.
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot]
    /// Members of a to-many relationship.
    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID]
    /// Rows that are not as the changes expect them.
    func conflicts(with changes: ChangeSet) throws -> [Conflict]
    /// - Returns: what became of the rows, in the order of the changes.
    func write(_ changes: ChangeSet) throws -> SavedRows
    /// The identities of the rows that a query picks; `nil` where they are found as rows are.
    func identifiers(for query: Query) throws -> [ObjectID]?
    /// How many rows a query picks; `nil` likewise.
    func count(for query: Query) throws -> Int?
    /// What is not as it was handed over, or was changed by others, since this was last asked.
    func changesByOthers() throws -> SavedChanges
}

package enum ObjectAnswer {
    /// Just the rows asked for, in their order.
    case exactly([ObjectID])
    /// The same with their values.
    case rows([Snapshot])
    /// Rows among which they are.
    case candidates([Snapshot])
}

extension ObjectRows {
    package func identifiers(for query: Query) throws -> [ObjectID]? { nil }
    package func count(for query: Query) throws -> Int? { nil }
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}

extension SavedRows {
    /// All of the changes, done as they were handed over: new rows under the identities they came with.
    package init(asGiven changes: ChangeSet) {
        inserted = changes.insertions.map { .init(id: $0.id, version: 1, replaced: false) }
        updatedVersions = changes.updates.map { .next(after: $0.expectedVersion) }
    }
}
