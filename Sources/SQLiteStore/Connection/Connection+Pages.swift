import CSQLite

extension Connection {
    /// Pages this connection has read since it was opened, those of temporary databases included. Differences count.
    private var readPageCount: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
        return Int(current)
    }

    /// Runs a body and tells now and then how many pages its statements have read so far. Not to be nested.
    func tellingPages<Result>(_ tell: @escaping (Int) -> Void, _ body: () throws -> Result) rethrows -> Result {
        let before = readPageCount
        let listener = PageListener { [unowned self] in tell(readPageCount - before) }
        return try withExtendedLifetime(listener) {
            sqlite3_progress_handler(
                handle, Self.stepsBetweenTellings, tellPages, Unmanaged.passUnretained(listener).toOpaque())
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try body()
        }
    }

    /// Whether SQLite finds all pages as they must be. Reads them up to the first that is not.
    /// - Throws: `SQLiteError`.
    package func isIntact() throws -> Bool {
        try withStatement("PRAGMA quick_check(1)") { try $0.step() && $0.optionalText(at: 0) == "ok" }
    }

    /// In SQLite's own steps: about a millisecond.
    private static let stepsBetweenTellings: Int32 = 10_000
}

private final class PageListener {
    let tell: () -> Void
    init(tell: @escaping () -> Void) { self.tell = tell }
}

/// - Returns: 0, to go on.
private func tellPages(_ context: UnsafeMutableRawPointer?) -> Int32 {
    if let context { Unmanaged<PageListener>.fromOpaque(context).takeUnretainedValue().tell() }
    return 0
}
