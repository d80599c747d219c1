import ObjectGraph
import StoreSQL

extension EqualRows {
    /// Returns one of the rows with these keys that another row of the table equals; `nil` if there is none.
    /// - Complexity: One statement; one lookup for each key.
    func first(among keys: KeySet, _ connection: Connection) throws -> Int64? {
        try connection.withStatement(first(among: keys)) { try $0.step() ? $0.integer(at: 0) : nil }
    }

    /// Returns an existing row that a row with these values would equal. The constraint must apply to the values.
    /// - Parameters:
    ///   - cells: One cell for each of the constraint's columns.
    ///   - entityNumber: The entity number of the compared rows; `nil` for all.
    func key(of cells: [Cell], entityNumber: Int? = nil, _ connection: Connection) throws -> Int64? {
        try connection.withStatement(key(of: cells, entityNumber: entityNumber)) {
            try $0.step() ? $0.integer(at: 0) : nil
        }
    }
}
