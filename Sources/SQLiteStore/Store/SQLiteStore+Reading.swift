import ObjectGraph
import StoreSQL

extension SQLiteStore {
    /// Runs a body whose reads all see one consistent state.
    package func reading<Result>(_ body: (StoreReading) throws -> Result) throws -> Result {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                try body(StoreReading(connection: connection, runner: fetchRunner))
            }
        }
    }

    /// Returns the number of rows of each entity, without its subentities, by entity index.
    /// - Complexity: One statement with one index scan for each table.
    package func ownRowCounts() throws -> [Int] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                var counts = Array(repeating: 0, count: model.indexLimit)
                for root in model.entities where root.isRoot { try count(root, &counts, connection) }
                return counts
            }
        }
    }

    private func count(_ root: Entity, _ counts: inout [Int], _ connection: Connection) throws {
        let table = map.entities[root.index].table
        guard root.hasSubentities else {
            counts[root.index] = try connection.withStatement("SELECT count(*) FROM \(table)") {
                try $0.step() ? Int($0.integer(at: 0)) : 0
            }
            return
        }
        let number = SystemTables.entityColumn
        try connection.withStatement("SELECT \(number), count(*) FROM \(table) GROUP BY \(number)") { statement in
            while try statement.step() {
                guard let found = Int(exactly: statement.integer(at: 0)), let index = map.entityIndexByNumber[found]
                else { continue }
                counts[index] = Int(statement.integer(at: 1))
            }
        }
    }
}
