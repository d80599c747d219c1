import ObjectGraph

/// Hands out keys from the counters in the key table, and writes the counters back once. Keys are never used again:
/// a counter only rises.
struct KeyAllocator {
    private typealias Names = SystemTables.PrimaryKey
    private var counters: [Int: Counter] = [:]

    private struct Counter {
        let stored: Int64?
        var highest: Int64
    }

    /// A run of new keys.
    /// - Parameters:
    ///   - number: entity number whose row counts: a root entity's, or one of history's.
    ///   - table: the table the keys are for. A counter that lags behind its rows is not trusted.
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

    /// - Parameter names: names for counters that have no row yet.
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
    /// 0 for a table without rows.
    func highestKey(of table: String) throws -> Int64 {
        try withStatement("SELECT max(\(SystemTables.keyColumn)) FROM \(table)") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
    }

    /// Whether a table gives so many new rows these keys by itself, the first and those that follow it. That takes a fifth
    /// less time than giving them, as the places of given keys are looked up; for few rows it is not worth asking.
    func givesKeys(from first: Int64, _ count: Int, in table: String) throws -> Bool {
        try count >= 64 && highestKey(of: table) + 1 == first
    }
}
