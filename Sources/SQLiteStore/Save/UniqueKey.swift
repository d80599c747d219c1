import ObjectGraph

/// What must be unique of one row: the values of one constraint's columns, null where a composite lacks a part.
struct UniqueKey: Hashable {
    let entityIndex: Int
    let uniqueness: Uniqueness
    let values: [Value]

    func isOfSameConstraint(as other: UniqueKey) -> Bool {
        entityIndex == other.entityIndex && uniqueness == other.uniqueness
    }
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
