import Foundation
import ObjectGraph
import StoreSQL

/// The table of registered history consumers, whose unread history is preserved. Every call needs a transaction of the
/// caller.
struct HistoryConsumers {
    private typealias Names = ConsumerTable
    let connection: Connection

    /// Returns all consumers by name; none if there is no table.
    func all() throws -> [RegisteredConsumer] {
        guard try hasTable() else { return [] }
        let sql = "SELECT \(Names.name), \(Names.number), \(Names.time) FROM \(Names.table) ORDER BY \(Names.name)"
        return try connection.withStatement(sql) { statement in
            var all: [RegisteredConsumer] = []
            while try statement.step() {
                all.append(
                    RegisteredConsumer(
                        name: statement.text(at: 0), number: statement.integer(at: 1), time: statement.real(at: 2)))
            }
            return all
        }
    }

    /// Notes a consumer's position, forwards or backwards. Registers a new name.
    func note(_ name: String, _ number: Int64) throws {
        try connection.execute(Names.createStatement)
        try connection.run(
            """
            INSERT INTO \(Names.table) (\(Names.name), \(Names.number), \(Names.time)) VALUES (\(.text(name)), \
            \(.integer(number)), \(.cell(.real(Date().timeIntervalSinceReferenceDate)))) \
            ON CONFLICT (\(Names.name)) DO UPDATE SET \(Names.number) = excluded.\(Names.number), \
            \(Names.time) = excluded.\(Names.time)
            """)
    }

    /// Notes a consumer's position unless a later one is known. Of two processes with one consumer name, the slower one
    /// changes nothing.
    func advance(_ name: String, to number: Int64) throws {
        if let known = try all().first(where: { $0.name == name }), known.number >= number { return }
        try note(name, number)
    }

    /// Removes a consumer, and the table with the last one.
    func remove(_ name: String) throws {
        guard try hasTable() else { return }
        try connection.run("DELETE FROM \(Names.table) WHERE \(Names.name) = \(.text(name))")
        if try all().isEmpty { try connection.execute("DROP TABLE \(Names.table)") }
    }

    private func hasTable() throws -> Bool {
        let text: SQLText = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = \(.text(Names.table))"
        return try connection.withStatement(text) { try $0.step() }
    }
}
