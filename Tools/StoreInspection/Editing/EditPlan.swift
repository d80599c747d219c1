import ObjectGraph
import SQLiteStore

/// The effect of an edit, computed before anything is written: every row that changes, with its old and new values. It
/// is carried out exactly as planned, or not at all.
package struct EditPlan: Sendable {
    /// The edited row.
    package let id: ObjectID
    /// The edited row first, then rows at the other ends of changed links.
    package let rows: [EditedRow]
    /// Derived attributes of these rows, which the save recomputes.
    package let derived: [String]
    let changes: ChangeSet
    let reversal: EditReversal
}

/// A row that an edit changes.
package struct EditedRow: Sendable {
    package let id: ObjectID
    package let properties: [EditedProperty]
}

package struct EditedProperty: Sendable {
    package let name: String
    package let change: Change

    package enum Change: Sendable {
        case value(old: InspectedValue, new: InspectedValue)
        case destination(old: ObjectID?, new: ObjectID?)
        case members(added: [ObjectID], removed: [ObjectID])
    }
}

/// The result of saving a plan.
package enum EditOutcome: Sendable {
    /// The edit was saved. The value undoes it.
    case saved(EditReversal)
    /// Other processes saved or deleted these rows meanwhile. Nothing was written.
    case changedMeanwhile([ObjectID])
}

extension EditPlan {
    /// Writes the changes in one transaction, with history, if all rows are unchanged since planning.
    /// - Throws: `UniqueViolation`, and errors of saving; nothing is written then.
    package func save(to store: SQLiteStore, author: String) throws -> EditOutcome {
        var changes = changes
        changes.author = author
        switch try store.save(changes) {
        case .conflicts(let conflicts): return .changedMeanwhile(conflicts.map(\.id))
        case .saved(let rows):
            return .saved(reversal.expecting(rows.updatedVersions))
        }
    }
}

/// The reverse of a saved edit: the old values, and the row versions after the edit.
package struct EditReversal: Sendable {
    private var changes: ChangeSet

    /// - Parameters:
    ///   - rows: the old snapshots of all updated rows.
    ///   - orders: the old order of the members of ordered relationships, parallel to the links.
    init(of changes: ChangeSet, rows: [ObjectID: Snapshot], orders: [[ObjectID]?]) {
        var reversed = ChangeSet()
        reversed.constraints = .refuse
        for update in changes.updates {
            var old = update
            old.values = rows[update.id]?.values ?? update.values
            reversed.updates.append(old)
        }
        for (link, order) in zip(changes.links, orders) {
            var old = link
            (old.added, old.removed, old.order) = (link.removed, link.added, link.order == nil ? nil : order ?? [])
            reversed.links.append(old)
        }
        self.changes = reversed
    }

    fileprivate func expecting(_ versions: [RowVersion]) -> EditReversal {
        var reversal = self
        for (place, version) in zip(changes.updates.indices, versions) {
            reversal.changes.updates[place].expectedVersion = version
        }
        return reversal
    }

    /// Undoes the edit if none of its rows was saved since.
    /// - Throws: `UniqueViolation`, and errors of saving; nothing is written then.
    package func save(to store: SQLiteStore, author: String) throws -> EditOutcome {
        var changes = changes
        changes.author = author
        switch try store.save(changes) {
        case .conflicts(let conflicts): return .changedMeanwhile(conflicts.map(\.id))
        case .saved: return .saved(self)
        }
    }
}
