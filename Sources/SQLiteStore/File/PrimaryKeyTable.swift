import ObjectGraph

/// One row of the key table.
package struct PrimaryKeyRow: Sendable, Hashable {
    package let number: Int
    package let name: String
    /// 0 for a root entity.
    package let superNumber: Int
    /// Highest key handed out; counted at root entities only.
    package let highestKey: Int64

    /// Whether it is of an entity of the model, rather than one of Apple's own, such as history's.
    var isOfModel: Bool { number < MigrationTables.firstForeignNumber }

    package init(number: Int, name: String, superNumber: Int, highestKey: Int64) {
        self.number = number
        self.name = name
        self.superNumber = superNumber
        self.highestKey = highestKey
    }
}

/// The table of entity numbers and key counters. A key once handed out is never used again, so counters only rise.
package enum PrimaryKeyTable {
    private typealias Names = SystemTables.PrimaryKey

    /// All rows, by number; history's too.
    package static func rows(_ connection: Connection) throws -> [PrimaryKeyRow] {
        let sql =
            "SELECT \(Names.entity), \(Names.name), \(Names.superentity), \(Names.highestKey) FROM \(Names.table) "
            + "ORDER BY \(Names.entity)"
        return try connection.withStatement(sql) { statement in
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

    /// The rows a new file begins with: one per entity.
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
