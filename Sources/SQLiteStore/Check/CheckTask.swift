/// A question about the rows of one table, or a few of them: what a check goes through one after the other.
struct CheckTask {
    /// `nil` where few rows are looked at.
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

/// Tells how far a check is: by the rows of the tables it goes through, and by pages where SQLite itself looks at all of
/// them.
struct CheckProgress {
    private let meter: WorkMeter
    private let rows: [String: Double]
    private let total: Double
    private var done: Double

    /// What SQLite's own check of a row and its places in indexes takes, in questions about a row.
    private static let weightOfIntegrity = 4.0
    /// SQLite goes through the pages of tables and indexes as such, and then through the rows.
    private static let readingsOfPages = 2.0

    init(_ tasks: [CheckTask], _ meter: WorkMeter, _ connection: Connection) {
        self.meter = meter
        let tables = Set(tasks.compactMap(\.table))
        let rows = Dictionary(uniqueKeysWithValues: tables.map { ($0, Self.rowCount(of: $0, connection)) })
        self.rows = rows
        done = Self.weightOfIntegrity * rows.values.reduce(1, +)
        total = tasks.reduce(done) { $0 + ($1.table.flatMap { rows[$0] } ?? 1) }
    }

    /// As the highest key tells at once. A table that cannot be read is looked at soon.
    private static func rowCount(of table: String, _ connection: Connection) -> Double {
        let highest = try? connection.withStatement("SELECT max(rowid) FROM \(table)") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
        return Double(max(1, highest ?? 1))
    }

    /// Runs SQLite's own check, which comes first.
    func checkingIntegrity<Result>(_ connection: Connection, _ body: () throws -> Result) rethrows -> Result {
        let meter = meter.part(0...(done / total))
        let pages = Self.readingsOfPages * Double(max(1, (try? connection.pageCount()) ?? 1))
        defer { meter.tell(1) }
        return try connection.tellingPages({ meter.tell(Double($0) / pages) }, body)
    }

    mutating func finished(_ task: CheckTask) {
        done += task.table.flatMap { rows[$0] } ?? 1
        meter.tell(done / total)
    }
}
