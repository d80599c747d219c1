import ObjectGraph
import StoreSQL

/// The table of entity numbers and key counters. An assigned key is never reused, so counters only rise.
package enum PrimaryKeyTable {
    private typealias Names = SystemTables.PrimaryKey

    /// Returns all rows by number, including those of history.
    package static func rows(_ connection: Connection) throws -> [PrimaryKeyRow] {
        try connection.withStatement(KeyCounters.rows) { statement in
            var rows: [PrimaryKeyRow] = []
            while try statement.step() {
                rows.append(
                    PrimaryKeyRow(
                        number: Int(statement.integer(at: 0)), name: statement.text(at: 1),
                        superNumber: Int(statement.integer(at: 2)), highestKey: statement.integer(at: 3)))
            }
            return rows
        }
    }

    /// Returns the rows of a new file: one per entity.
    package static func initialRows(_ model: Model) -> [PrimaryKeyRow] {
        let numbers = EntityNumbers(model)
        return numbers.order.map { index in
            PrimaryKeyRow(
                number: numbers[index], name: model[index].name,
                superNumber: model[index].superentityIndex.map { numbers[$0] } ?? 0, highestKey: 0)
        }
    }

    package static func insert(_ rows: [PrimaryKeyRow], _ connection: Connection) throws {
        let sql =
            "INSERT INTO \(Names.table) (\(Names.entity), \(Names.name), \(Names.superentity), \(Names.highestKey)) "
            + "VALUES (?1, ?2, ?3, ?4)"
        for row in rows {
            try connection.withStatement(sql) { statement in
                try statement.bind(Int64(row.number), at: 1)
                try statement.bind(row.name, at: 2)
                try statement.bind(Int64(row.superNumber), at: 3)
                try statement.bind(row.highestKey, at: 4)
                try statement.run()
            }
        }
    }
}
