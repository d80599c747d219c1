import ObjectGraph
import StoreSQL

/// Assigns keys from the counters in the key table, and writes the counters back once. Keys are never reused: a counter
/// only increases.
struct KeyAllocator {
    private static let statements = KeyCounters(SQLiteDialect())

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
        try connection.withStatement(Self.statements.highestKeys(table: table)) {
            try $0.bind(Int64(number), at: 1)
            guard try $0.step() else { return Counter(stored: nil, highest: 0) }
            let stored = $0.optionalInteger(at: 0)
            return Counter(stored: stored, highest: max(stored ?? 0, $0.integer(at: 1)))
        }
    }

    /// - Parameter names: The names of counters that have no row yet.
    func write(names: [Int: String], _ connection: Connection) throws {
        for (number, counter) in counters.sorted(by: { $0.key < $1.key }) where counter.highest != counter.stored {
            if counter.stored == nil {
                try add(number, names[number] ?? "", connection)
            }
            try set(counter.highest, number, connection)
        }
    }

    private func set(_ highest: Int64, _ number: Int, _ connection: Connection) throws {
        try connection.withStatement(Self.statements.setHighestKey) {
            try $0.bind(highest, at: 1)
            try $0.bind(Int64(number), at: 2)
            try $0.run()
        }
    }

    private func add(_ number: Int, _ name: String, _ connection: Connection) throws {
        try PrimaryKeyTable.insert(
            [PrimaryKeyRow(number: number, name: name, superNumber: 0, highestKey: 0)], connection)
    }
}
