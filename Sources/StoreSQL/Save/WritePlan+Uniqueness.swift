import ObjectGraph

extension WritePlan {
    /// Returns the keys by which a row may match another one, for the constraints that apply to it.
    /// - Parameter resolved: Returns the value that is written for a given value.
    package func uniqueKeys(of row: SlotValues, resolved: (Value) -> Value) -> [UniqueKey<Uniqueness>] {
        storage.uniqueness.compactMap { uniqueness in
            values(of: uniqueness) { resolved(row[$0]) }
                .map { UniqueKey(entityIndex: entity.index, constraint: uniqueness, values: $0) }
        }
    }

    /// Returns the values of a constraint's columns; `nil` for a row to which the constraint does not apply.
    /// - Parameter value: Returns the row's value of a slot.
    package func values(of uniqueness: Uniqueness, _ value: (Int) -> Value) -> [Value]? {
        var values: [Value] = []
        for part in uniqueness.parts {
            let slots = part.columns.compactMap { column(named: $0)?.slot }
            let found = slots.map(value)
            guard slots.count == part.columns.count, !found.allSatisfy(\.isNull) else { return nil }
            values += found
        }
        return values
    }

    /// Selects a row with these values in a constraint's columns.
    /// - Parameter entityNumber: The entity whose rows are searched; `nil` for all rows of the table.
    /// - Throws: `CellError`.
    package func rowText(
        with values: [Value], of uniqueness: Uniqueness, entityNumber: Int? = nil
    ) throws -> SQLText {
        let cells = try zip(uniqueness.columns, values).map { name, value in
            try ColumnCodec.cell(of: value, column(named: name)?.type ?? .integer64)
        }
        return equalRows(uniqueness).key(of: cells, entityNumber: entityNumber)
    }

    package func equalRows(_ uniqueness: Uniqueness) -> EqualRows {
        EqualRows(table: storage.table, uniqueness: uniqueness, dialect: dialect)
    }

    private func column(named name: String) -> WriteColumn? { columns.first { $0.name == name } }

    /// Returns the error for rows that violate a constraint.
    package func violation(of uniqueness: Uniqueness, _ ids: [ObjectID]) -> UniqueViolation {
        UniqueViolation(entity: entity.name, properties: properties(of: uniqueness), ids: ids)
    }

    package func properties(of uniqueness: Uniqueness) -> [String] { properties(in: Set(uniqueness.columns)) }

    package func properties(in columns: Set<String>) -> [String] {
        let slots = storage.columns.indices.filter { slot in
            storage.columns[slot].map { columns.contains($0.name) } ?? false
        }
        return slots.map(entity.propertyName)
    }
}
