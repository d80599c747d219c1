/// The permanent identities of new objects after a save, by their temporary ones.
///
/// The table is created at the first use, as mostly no other object refers to the new ones. All users of an instance
/// share the table.
package final class PermanentIDs {
    private let insertions: [ChangeSet.Insertion]
    /// One element for each insertion.
    private let rows: [SavedRows.Inserted]
    private var table: [ObjectID: ObjectID]?

    package init(of insertions: [ChangeSet.Insertion] = [], in rows: [SavedRows.Inserted] = []) {
        self.insertions = insertions
        self.rows = rows
    }

    package var isEmpty: Bool { insertions.isEmpty }

    /// The permanent identity of an insertion; `nil` for any other identity.
    package subscript(id: ObjectID) -> ObjectID? {
        get {
            if table == nil { table = made }
            return table?[id]
        }
        set {
            if table == nil { table = made }
            table?[id] = newValue
        }
    }

    /// Returns the permanent identity of an insertion, or any other identity unchanged.
    package func current(_ id: ObjectID) -> ObjectID { self[id] ?? id }

    private var made: [ObjectID: ObjectID] {
        var table: [ObjectID: ObjectID] = [:]
        table.reserveCapacity(rows.count)
        for (insertion, row) in zip(insertions, rows) { table[insertion.id] = row.id }
        return table
    }
}
