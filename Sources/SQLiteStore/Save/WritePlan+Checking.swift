import ObjectGraph
import StoreSQL

extension WritePlan {
    /// Returns a row with these values in a constraint's columns.
    /// - Parameter entityNumber: The entity whose rows are searched; `nil` for all rows of the table.
    func row(
        with values: [Value], of uniqueness: Uniqueness, entityNumber: Int? = nil, _ connection: Connection
    ) throws -> Int64? {
        try connection.withStatement(rowText(with: values, of: uniqueness, entityNumber: entityNumber)) {
            try $0.step() ? $0.integer(at: 0) : nil
        }
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
            if let key = try equalRows(uniqueness).first(among: keys, connection) { throw clash(uniqueness, key) }
        }
    }
}
