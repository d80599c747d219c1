import ObjectGraph

extension WritePlan {
    /// The values of a constraint's columns; `nil` for a row that the constraint does not bind.
    /// - Parameter value: the row's, by slot.
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

    /// A row that has these values of a constraint's columns.
    /// - Parameter entityNumber: whose rows are looked at; `nil` for all of the table.
    func row(
        with values: [Value], of uniqueness: Uniqueness, entityNumber: Int? = nil, _ connection: Connection
    ) throws -> Int64? {
        let cells = try zip(uniqueness.columns, values).map { name, value in
            try ColumnCodec.cell(of: value, column(named: name)?.type ?? .integer64)
        }
        return try EqualRows(table: storage.table, uniqueness: uniqueness)
            .key(of: cells, entityNumber: entityNumber, connection)
    }

    private func column(named name: String) -> WriteColumn? { columns.first { $0.name == name } }

    /// What is thrown for rows that break a constraint.
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

    /// What is thrown for rows that SQLite refused, with properties in place of columns.
    func violation(_ error: SQLiteError, _ ids: [ObjectID]) -> UniqueViolation {
        let columns = Set(
            error.message.split(whereSeparator: { ":, ".contains($0) }).map { column in
                column.split(separator: ".").last.map(String.init) ?? ""
            })
        return UniqueViolation(entity: entity.name, properties: properties(in: columns), ids: ids)
    }

    /// Looks at rows of the entity that were written, by the constraints of which the file's index does not see all.
    /// - Parameters:
    ///   - written: columns; `nil` for all.
    ///   - clash: makes the error from the constraint and the key of a row that equals another one.
    /// - Complexity: One statement for each such constraint, one lookup for each row.
    func checkBlindConstraints(
        _ keys: KeySet, written: Set<String>? = nil, _ connection: Connection,
        clash: (Uniqueness, Int64) -> any Error
    ) throws {
        for uniqueness in blindUniqueness where written?.isDisjoint(with: uniqueness.columns) != true {
            let rows = EqualRows(table: storage.table, uniqueness: uniqueness)
            if let key = try rows.first(among: keys, connection) { throw clash(uniqueness, key) }
        }
    }
}
