import StoreSQL
@testable import SQLiteStore

/// Rows as they were last read: a row with other values has a higher version.
struct StoredRows {
    private struct Row: Hashable {
        let table: String
        let key: Int64
    }

    private struct State {
        let version: Int64
        let values: String
    }

    private var seen: [Row: State] = [:]

    mutating func check(_ map: StorageMap, _ connection: Connection) throws {
        for table in map.entityTables {
            for (key, state) in try Self.states(of: table, connection) {
                let row = Row(table: table, key: key)
                if let known = seen[row], known.values != state.values, known.version >= state.version {
                    throw FailedCheck(
                        kind: .versions,
                        text: "row \(key) of \(table) had version \(known.version), and has \(state.version) with "
                            + "other values: \(known.values), \(state.values)")
                }
                seen[row] = state
            }
        }
    }

    private static func states(of table: String, _ connection: Connection) throws -> [Int64: State] {
        try connection.withStatement("SELECT * FROM \(table)") { statement in
            let names = (0..<statement.columnCount).map(statement.columnName)
            var states: [Int64: State] = [:]
            while try statement.step() {
                var (key, version, values): (Int64, Int64, [String]) = (0, 0, [])
                for (column, name) in names.enumerated() {
                    switch name {
                    case "Z_PK": key = statement.integer(at: column)
                    case "Z_OPT": version = statement.integer(at: column)
                    default: values.append("\(name)=\(statement.isNull(at: column) ? "" : statement.text(at: column))")
                    }
                }
                states[key] = State(version: version, values: values.joined(separator: " "))
            }
            return states
        }
    }
}
