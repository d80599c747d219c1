import ObjectGraph
import StoreSQL

extension WritePlan {
    /// Returns the values of a constraint's columns; `nil` for a row to which the constraint does not apply.
    /// - Parameter value: Returns the row's value of a slot.
    func values(of uniqueness: Uniqueness, _ value: (Int) -> Value) -> [Value]? {
        var values: [Value] = []
        for part in uniqueness.parts {
            let slots = part.columns.compactMap { column(named: $0)?.slot }
            let found = slots.map(value)
            guard slots.count == part.columns.count, !found.allSatisfy(\.isNull) else { return nil }
            values += found
        }
        return values
    }

    /// Returns a row with these values in a constraint's columns.
    /// - Parameter entityNumber: The entity whose rows are searched; `nil` for all rows of the table.
    func row(
        with values: [Value], of uniqueness: Uniqueness, entityNumber: Int? = nil, _ connection: Connection
    ) throws -> Int64? {
        let cells = try zip(uniqueness.columns, values).map { name, value in
            try ColumnCodec.cell(of: value, column(named: name)?.type ?? .integer64)
        }
        return try EqualRows(table: storage.table, uniqueness: uniqueness, dialect: SQLiteDialect())
            .key(of: cells, entityNumber: entityNumber, connection)
    }

    private func column(named name: String) -> WriteColumn? { columns.first { $0.name == name } }

    /// Returns the error for rows that violate a constraint.
    func violation(of uniqueness: Uniqueness, _ ids: [ObjectID]) -> UniqueViolation {
        UniqueViolation(entity: entity.name, properties: properties(of: uniqueness), ids: ids)
    }

    func properties(of uniqueness: Uniqueness) -> [String] { properties(in: Set(uniqueness.columns)) }

    private func properties(in columns: Set<String>) -> [String] {
        let slots = storage.columns.indices.filter { slot in
            storage.columns[slot].map { columns.contains($0.name) } ?? false
        }
        return slots.map(entity.propertyName)
    }

    /// Returns the error for rows that SQLite refused, with properties instead of columns.
    func violation(_ error: SQLiteError, _ ids: [ObjectID]) -> UniqueViolation {
        let columns = Set(
            error.message.split(whereSeparator: { ":, ".contains($0) }).map { column in
                column.split(separator: ".").last.map(String.init) ?? ""
            })
        return UniqueViolation(entity: entity.name, properties: properties(in: columns), ids: ids)
    }

    /// Checks written rows of the entity by the constraints for which the file's index does not detect all equal rows.
    /// - Parameters:
    ///   - written: The written columns; `nil` for all.
    ///   - clash: Returns the error for a constraint and the key of a row that equals another one.
    /// - Complexity: One statement for each such constraint, one look-up for each row.
    func checkConstraintsWithNulls(
        _ keys: KeySet, written: Set<String>? = nil, _ connection: Connection,
        clash: (Uniqueness, Int64) -> any Error
    ) throws {
        for uniqueness in uniquenessWithNulls where written?.isDisjoint(with: uniqueness.columns) != true {
            let rows = EqualRows(table: storage.table, uniqueness: uniqueness, dialect: SQLiteDialect())
            if let key = try rows.first(among: keys, connection) { throw clash(uniqueness, key) }
        }
    }
}
