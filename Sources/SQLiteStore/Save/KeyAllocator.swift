import ObjectGraph
import StoreSQL

/// Assigns keys from the counters in the key table, and writes the counters back once. Keys are never reused: a counter
/// only increases.
struct KeyAllocator {
    private typealias Names = SystemTables.PrimaryKey
    private var counters: [Int: Counter] = [:]

    private struct Counter {
        let stored: Int64?
        var highest: Int64
    }

    /// Returns consecutive new keys.
    /// - Parameters:
    ///   - number: The entity number of the counter: a root entity's, or one of the history's.
    ///   - table: The table of the keys. A counter below the highest key of its rows is ignored.
    /// - Throws: `ChangeSetError.keysExhausted`, `SQLiteError`.
    mutating func keys(
        _ count: Int, number: Int, table: String, _ connection: Connection
    ) throws -> Range<Int64> {
        var counter = try counters[number] ?? read(number, table, connection)
        let (highest, overflow) = counter.highest.addingReportingOverflow(Int64(count))
        guard !overflow, highest < Int64.max else { throw ChangeSetError.keysExhausted(table: table) }
        let first = counter.highest + 1
        counter.highest = highest
        counters[number] = counter
        return first..<(counter.highest + 1)
    }

    private func read(_ number: Int, _ table: String, _ connection: Connection) throws -> Counter {
        let stored = try connection.withStatement(
            "SELECT \(Names.highestKey) FROM \(Names.table) WHERE \(Names.entity) = ?"
        ) { statement in
            try statement.bind(Int64(number), at: 1)
            return try statement.step() ? statement.integer(at: 0) : nil
        }
        return Counter(stored: stored, highest: max(stored ?? 0, try connection.highestKey(of: table)))
    }

    /// - Parameter names: The names of counters that have no row yet.
    func write(names: [Int: String], _ connection: Connection) throws {
        for (number, counter) in counters.sorted(by: { $0.key < $1.key }) where counter.highest != counter.stored {
            if counter.stored == nil {
                try add(number, names[number] ?? "", connection)
            }
            try connection.withStatement(
                "UPDATE \(Names.table) SET \(Names.highestKey) = ? WHERE \(Names.entity) = ?"
            ) { statement in
                try statement.bind(counter.highest, at: 1)
                try statement.bind(Int64(number), at: 2)
                try statement.run()
            }
        }
    }

    private func add(_ number: Int, _ name: String, _ connection: Connection) throws {
        try PrimaryKeyTable.insert(
            [PrimaryKeyRow(number: number, name: name, superNumber: 0, highestKey: 0)], connection)
    }
}

extension Connection {
    /// Returns 0 for a table without rows.
    func highestKey(of table: String) throws -> Int64 {
        try withStatement("SELECT max(\(SystemTables.keyColumn)) FROM \(table)") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
    }

    /// Whether a table assigns these keys by itself, the first and the following ones, to this many new rows. That
    /// takes a fifth less time than specifying them, which requires a look-up of each; for few rows the check is not
    /// worthwhile.
    func allocatesKeys(from first: Int64, _ count: Int, in table: String) throws -> Bool {
        try count >= 64 && highestKey(of: table) + 1 == first
    }
}
