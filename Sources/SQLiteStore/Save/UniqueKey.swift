import ObjectGraph

/// What must be unique of one row: the values of one constraint's columns, null where a composite lacks a part.
struct UniqueKey: Hashable {
    let entityIndex: Int
    let columns: [String]
    let values: [Value]
}

extension WritePlan {
    /// The keys by which a row may be taken for another one: of the constraints that bind it.
    /// - Parameter resolved: what is written for a value that is given.
    func uniqueKeys(
        of row: SlotValues, _ constraints: [Uniqueness], resolved: (Value) -> Value
    ) -> [UniqueKey] {
        constraints.compactMap { uniqueness in
            var values: [Value] = []
            for part in uniqueness.parts {
                let slots = part.columns.compactMap { name in columns.first { $0.name == name }?.slot }
                let found = slots.map { resolved(row[$0]) }
                guard slots.count == part.columns.count, !found.allSatisfy(\.isNull) else { return nil }
                values += found
            }
            return UniqueKey(entityIndex: entity.index, columns: uniqueness.columns, values: values)
        }
    }
}

extension SaveRunner {
    /// The row that has the key in the file, if there is one.
    /// - Throws: `CellError`, `SQLiteError`.
    func existingRow(_ key: UniqueKey, _ connection: Connection) throws -> ObjectID? {
        let plan = plans[key.entityIndex]
        let tests = key.columns.map { " AND \($0) IS ?" }.joined()
        let sql =
            "SELECT \(SystemTables.keyColumn) FROM \(plan.storage.table) "
            + "WHERE +\(SystemTables.entityColumn) = \(plan.storage.entityNumber)\(tests)"
        return try connection.withStatement(sql) { statement in
            for (index, (name, value)) in zip(key.columns, key.values).enumerated() {
                let type = plan.columns.first { $0.name == name }?.type ?? .integer64
                try statement.bind(try ColumnCodec.cell(of: value, type), at: index + 1)
            }
            guard try statement.step() else { return nil }
            return spaces.id(entityIndex: key.entityIndex, key: statement.integer(at: 0))
        }
    }
}
