import ObjectGraph

/// One query of a check over the rows of a table, or over a few rows. A check runs its tasks in order.
struct CheckTask {
    /// The table that is scanned; `nil` if only a few rows are read.
    let table: String?
    let findings: () throws -> [StoreFinding]

    init(_ table: String?, _ findings: @escaping () throws -> [StoreFinding]) {
        self.table = table
        self.findings = findings
    }
}

extension [CheckTask] {
    func findings() throws -> [StoreFinding] { try flatMap { try $0.findings() } }
}

/// Reports the progress of a check: by the rows of the tables it scans, and by pages while SQLite's own integrity check runs.
struct CheckProgress {
    private let meter: ProgressMeter
    private let rows: [String: Double]
    private let total: Double
    private var done: Double

    /// The cost of SQLite's integrity check per row and its index entries, relative to one query over the row.
    private static let weightOfIntegrity = 4.0
    /// SQLite reads all pages of tables and indexes first, and then reads the rows.
    private static let readingsOfPages = 2.0

    init(_ tasks: [CheckTask], _ meter: ProgressMeter, _ connection: Connection) {
        self.meter = meter
        let tables = Set(tasks.compactMap(\.table))
        let rows = Dictionary(uniqueKeysWithValues: tables.map { ($0, Self.rowCount(of: $0, connection)) })
        self.rows = rows
        done = Self.weightOfIntegrity * rows.values.reduce(1, +)
        total = tasks.reduce(done) { $0 + ($1.table.flatMap { rows[$0] } ?? 1) }
    }

    /// Estimates the row count by the highest key, which needs no scan. A table that cannot be read counts as one row.
    private static func rowCount(of table: String, _ connection: Connection) -> Double {
        let highest = try? connection.withStatement("SELECT max(rowid) FROM \(table)") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
        return Double(max(1, highest ?? 1))
    }

    /// Runs SQLite's integrity check, which is the first part of a check.
    func checkingIntegrity<Result>(_ connection: Connection, _ body: () throws -> Result) rethrows -> Result {
        let meter = meter.part(0...(done / total))
        let pages = Self.readingsOfPages * Double(max(1, (try? connection.pageCount()) ?? 1))
        defer { meter.report(1) }
        return try connection.reportingPages({ meter.report(Double($0) / pages) }, body)
    }

    mutating func finished(_ task: CheckTask) {
        done += task.table.flatMap { rows[$0] } ?? 1
        meter.report(done / total)
    }
}
