/// The identities that a save gave to new objects, by their temporary ones.
///
/// The table is made when first asked, as mostly nothing but the objects themselves refers to them. Those who share an
/// instance share the table.
package final class PermanentIDs {
    private let insertions: [ChangeSet.Insertion]
    /// One per insertion.
    private let rows: [SavedRows.Inserted]
    private var table: [ObjectID: ObjectID]?

    package init(of insertions: [ChangeSet.Insertion] = [], in rows: [SavedRows.Inserted] = []) {
        self.insertions = insertions
        self.rows = rows
    }

    package var isEmpty: Bool { insertions.isEmpty }

    /// The identity of the insertion that had the temporary one; `nil` for any other identity.
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

    /// The identity itself where it is not that of an insertion.
    package func current(_ id: ObjectID) -> ObjectID { self[id] ?? id }

    private var made: [ObjectID: ObjectID] {
        var table: [ObjectID: ObjectID] = [:]
        table.reserveCapacity(rows.count)
        for (insertion, row) in zip(insertions, rows) { table[insertion.id] = row.id }
        return table
    }
}
