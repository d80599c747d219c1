import ArgumentParser
import Foundation
import GRDB

/// Measures GRDB's observations of values: the workloads of the same names in `live-bench`.
///
/// An observation fetches again after a transaction that wrote to a table and a column that it reads. The clock stops when the
/// observers have the new values.
@main
struct GRDBLiveBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grdb-live-bench",
        abstract: "Measures what changes cost with observations of values. Prints the costs of one workload as JSON.")

    enum Workload: String, CaseIterable, ExpressibleByArgument {
        case save, unread, read, delete
    }

    @Argument var workload: Workload

    @Option(help: "Number of rows.")
    var rows = 100_000

    @Option(help: "Number of observers. Without any, the changes alone are measured.")
    var observers = 1

    @Option(help: "Number of changes.")
    var changes = 1_000

    @Option(help: "Number of rows for each station.")
    var rowsPerStation = 10

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "grdb-live-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try makeDatabase(at: folder.appending(path: "readings.sqlite").path)
        let observed = Observed()
        for station in 0..<observers { observed.observe(request(station), in: database) }
        observed.wait(for: observers)
        let duration = try ContinuousClock().measure { try change(in: database, observed) }
        let result = Result(
            workload: workload.rawValue, rows: rows, observers: observers, changes: workload == .delete ? 1 : changes,
            cost: Result.Cost(seconds: duration / .seconds(1)))
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    /// In the form in which `live-bench` prints it.
    private struct Result: Encodable {
        struct Cost: Encodable {
            let seconds: Double
        }

        let workload: String
        let rows: Int
        let observers: Int
        let changes: Int
        let cost: Cost
    }

    /// Settings as the library has them.
    private func makeDatabase(at path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000") }
        let database = try DatabasePool(path: path, configuration: configuration)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE reading (id INTEGER PRIMARY KEY, number INTEGER, station INTEGER, note INTEGER);
                    CREATE INDEX reading_station ON reading (station)
                    """)
            let insert = try db.makeStatement(sql: "INSERT INTO reading VALUES (?, ?, ?, 0)")
            for number in 0..<rows {
                try insert.execute(arguments: [number + 1, (number &* 7919) % rows, number / rowsPerStation])
            }
        }
        return database
    }

    private func request(_ station: Int) -> QueryInterfaceRequest<Reading> {
        let all = Reading.order(Column("number"))
        switch workload {
        case .save: return all
        case .unread, .read: return all.filter(Column("station") == station)
        case .delete: return all.filter(Column("station") == 0)
        }
    }

    /// Makes the changes, and waits for the observers after each that concerns them.
    private func change(in database: DatabasePool, _ observed: Observed) throws {
        if workload == .delete {
            try database.write {
                try $0.execute(sql: "DELETE FROM reading WHERE number < ?", arguments: [rows / 26 * 25])
            }
            observed.wait(for: observers)
            return
        }
        for number in 0..<changes {
            let id = (number &* 7_907) % rows + 1
            let (sql, arguments): (String, StatementArguments) =
                switch workload {
                case .save: ("UPDATE reading SET number = ? WHERE id = ?", [(number &* 104_729) % rows, id])
                case .read: ("UPDATE reading SET number = number + 1 WHERE id = ?", [id])
                case .unread, .delete: ("UPDATE reading SET note = note + 1 WHERE id = ?", [id])
                }
            try database.write { try $0.cachedStatement(sql: sql).execute(arguments: arguments) }
            if workload != .unread { observed.wait(for: observers) }
        }
    }
}
