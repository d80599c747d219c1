import ObjectGraph
import SQLiteStore

/// What an edit would do, worked out before anything is written: every row that changes, with what it has now and what it
/// will have. It is carried out as it is, or not at all.
package struct EditPlan: Sendable {
    /// The row that is edited.
    package let id: ObjectID
    /// The edited row first, then rows at the other end of changed links.
    package let rows: [EditedRow]
    /// Derived attributes of these rows, which the save computes anew.
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

/// What became of a plan.
package enum EditOutcome: Sendable {
    /// With what takes it back.
    case saved(EditReversal)
    /// Others saved these rows meanwhile, or deleted them. Nothing was written.
    case changedMeanwhile([ObjectID])
}

extension EditPlan {
    /// Writes the changes in one transaction, with history, if all rows are as they were planned for.
    /// - Throws: `UniqueViolation`, and what saving throws; nothing is written then.
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

/// The same edit the other way round: what the rows had before, and the versions that they have since.
package struct EditReversal: Sendable {
    private var changes: ChangeSet

    /// - Parameters:
    ///   - rows: as they were before, those of all updates.
    ///   - orders: of the members of ordered relationships before, in the order of the links.
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

    /// Takes the edit back, if none of its rows was saved since.
    /// - Throws: `UniqueViolation`, and what saving throws; nothing is written then.
    package func save(to store: SQLiteStore, author: String) throws -> EditOutcome {
        var changes = changes
        changes.author = author
        switch try store.save(changes) {
        case .conflicts(let conflicts): return .changedMeanwhile(conflicts.map(\.id))
        case .saved: return .saved(self)
        }
    }
}
