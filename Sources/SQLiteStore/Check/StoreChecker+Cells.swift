import ObjectGraph
import StoreSQL

extension StoreChecker {
    /// SQLite limits the depth of expressions, so one statement tests at most this many columns.
    private static let columnLimit = 200

    /// Finds unreadable cells and numbers out of their type's range, with one scan of each table.
    var unfitValues: [CheckTask] {
        var tables: [String] = []
        for column in layout.cells where !tables.contains(column.table) { tables.append(column.table) }
        return tables.flatMap { table in
            let columns = layout.cells.filter { $0.table == table }
            return stride(from: 0, to: columns.count, by: Self.columnLimit).map { start in
                let some = Array(columns[start..<min(start + Self.columnLimit, columns.count)])
                return CheckTask(table) { try unfitValues(some, table) }
            }
        }
    }

    private struct Tally {
        var count = 0
        var examples: [ObjectID] = []
    }

    private func unfitValues(_ columns: [StoredCells], _ table: String) throws -> [StoreFinding] {
        let verdicts = columns.map(\.verdict)
        let sql =
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn), \(verdicts.joined(separator: ", ")) "
            + "FROM \(table) r WHERE \(verdicts.map { "(\($0)) <> 0" }.joined(separator: " OR ")) "
            + "ORDER BY r.\(SystemTables.keyColumn)"
        var tallies = columns.map { _ in [StoredCells.Fault: Tally]() }
        try connection.withStatement(sql) { statement in
            while try statement.step() {
                for (position, column) in columns.enumerated() {
                    let verdict = statement.cell(at: 2 + position)
                    guard let fault = StoredCells.fault(verdict, column.type) else { continue }
                    var tally = tallies[position][fault] ?? Tally()
                    tally.count += 1
                    if tally.count <= StoreFinding.exampleLimit {
                        tally.examples.append(
                            id(key: statement.integer(at: 0), number: statement.integer(at: 1), column.entity))
                    }
                    tallies[position][fault] = tally
                }
            }
        }
        return zip(columns, tallies).flatMap { column, tallies in
            StoredCells.Fault.allCases.compactMap { fault in tallies[fault].map { finding(fault, column, $0) } }
        }
    }

    private func finding(_ fault: StoredCells.Fault, _ column: StoredCells, _ tally: Tally) -> StoreFinding {
        let kind: StoreFinding.Kind =
            switch fault {
            case .unreadable: .unreadableValue
            case .outOfRange: .valueOutOfRange
            }
        return StoreFinding(
            kind, .error, entity: column.entity.name, property: column.property, count: tally.count,
            examples: tally.examples)
    }
}
