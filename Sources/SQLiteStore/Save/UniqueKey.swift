import ObjectGraph

/// What must be unique of one row: the values of one constraint's columns, null where a composite lacks a part.
struct UniqueKey: Hashable {
    let entityIndex: Int
    let uniqueness: Uniqueness
    let values: [Value]
}

extension WritePlan {
    /// The keys by which a row may be taken for another one: of the constraints that bind it.
    /// - Parameter resolved: what is written for a value that is given.
    func uniqueKeys(
        of row: SlotValues, _ constraints: [Uniqueness], resolved: (Value) -> Value
    ) -> [UniqueKey] {
        constraints.compactMap { uniqueness in
            values(of: uniqueness) { resolved(row[$0]) }
                .map { UniqueKey(entityIndex: entity.index, uniqueness: uniqueness, values: $0) }
        }
    }
}

extension SaveRunner {
    /// The row that has the key in the file, if there is one.
    /// - Throws: `CellError`, `SQLiteError`.
    func existingRow(_ key: UniqueKey, _ connection: Connection) throws -> ObjectID? {
        let plan = plans[key.entityIndex]
        let row = try plan.row(
            with: key.values, of: key.uniqueness, entityNumber: plan.storage.entityNumber, connection)
        return row.map { spaces.id(entityIndex: key.entityIndex, key: $0) }
    }
}

/// Rows of the file, as insertions are matched with them.
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
