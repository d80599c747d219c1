import CSQLite

extension Connection {
    /// The number of pages this connection has read since it was opened, including pages of temporary databases. Only
    /// differences are meaningful.
    private var readPageCount: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
        return Int(current)
    }

    /// Runs a body and reports at intervals how many pages its statements have read so far. Must not be nested.
    func reportingPages<Result>(_ report: @escaping (Int) -> Void, _ body: () throws -> Result) rethrows -> Result {
        let before = readPageCount
        let listener = PageListener { [unowned self] in report(readPageCount - before) }
        return try withExtendedLifetime(listener) {
            sqlite3_progress_handler(
                handle, Self.stepsBetweenReports, reportPages, Unmanaged.passUnretained(listener).toOpaque())
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try body()
        }
    }

    /// Whether SQLite's quick check finds no fault. Reads all pages, up to the first damaged one.
    /// - Throws: `SQLiteError`.
    package func isIntact() throws -> Bool {
        try withStatement("PRAGMA quick_check(1)") { try $0.step() && $0.optionalText(at: 0) == "ok" }
    }

    /// The interval between reports, in instructions of SQLite's virtual machine: about a millisecond.
    private static let stepsBetweenReports: Int32 = 10_000
}

private final class PageListener {
    let report: () -> Void
    init(report: @escaping () -> Void) { self.report = report }
}

/// - Returns: 0, which lets the statement continue.
private func reportPages(_ context: UnsafeMutableRawPointer?) -> Int32 {
    if let context { Unmanaged<PageListener>.fromOpaque(context).takeUnretainedValue().report() }
    return 0
}
