import ObjectGraph
import StoreSQL

extension SaveRunner {
    /// Returns the row with the key in the file, if there is one.
    /// - Throws: `CellError`, `SQLiteError`.
    func existingRow(_ key: UniqueKey<Uniqueness>, _ connection: Connection) throws -> ObjectID? {
        let plan = plans[key.entityIndex]
        let row = try plan.row(
            with: key.values, of: key.constraint, entityNumber: plan.storage.entityNumber, connection)
        return row.map { spaces.id(entityIndex: key.entityIndex, key: $0) }
    }
}

/// The rows of the file, for matching insertions with them.
extension SaveAttempt: UniqueRows {
    func constraints(of entityIndex: Int) -> [Uniqueness] { runner.plans[entityIndex].storage.uniqueness }

    func values(of constraint: Uniqueness, _ entityIndex: Int, _ value: (Int) -> Value) -> [Value]? {
        runner.plans[entityIndex].values(of: constraint, value)
    }

    func row(with key: UniqueKey<Uniqueness>) throws -> ObjectID? { try runner.existingRow(key, connection) }

    func violation(of key: UniqueKey<Uniqueness>, _ ids: [ObjectID]) -> UniqueViolation {
        runner.plans[key.entityIndex].violation(of: key.constraint, ids)
    }
}
