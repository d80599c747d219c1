import ObjectGraph
import StoreSQL

extension SaveRunner {
    /// Returns the row with the key in the file, if there is one.
    /// - Throws: `CellError`, `SQLiteError`.
    func existingRow(_ key: UniqueKey, _ connection: Connection) throws -> ObjectID? {
        let plan = plans[key.entityIndex]
        let row = try plan.row(
            with: key.values, of: key.uniqueness, entityNumber: plan.storage.entityNumber, connection)
        return row.map { spaces.id(entityIndex: key.entityIndex, key: $0) }
    }
}

/// The rows of the file, for matching insertions with them.
extension SaveAttempt: UniqueRows {
    func uniqueKeys(of insertion: ChangeSet.Insertion, resolved: (Value) -> Value) -> [UniqueKey] {
        let plan = runner.plans[insertion.entityIndex]
        let uniqueness = plan.storage.uniqueness
        let matched = changes.constraints == .updateEqual ? uniqueness.filter { !$0.isOfOwners } : uniqueness
        return plan.uniqueKeys(of: insertion.values, matched, resolved: resolved)
    }

    func row(with key: UniqueKey) throws -> ObjectID? { try runner.existingRow(key, connection) }

    func isOfSameConstraint(_ one: UniqueKey, as other: UniqueKey) -> Bool {
        one.entityIndex == other.entityIndex && one.uniqueness == other.uniqueness
    }

    func violation(of key: UniqueKey, _ ids: [ObjectID]) -> UniqueViolation {
        runner.plans[key.entityIndex].violation(of: key.uniqueness, ids)
    }
}
