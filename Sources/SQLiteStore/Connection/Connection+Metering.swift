import CSQLite
import ObjectGraph

extension Connection {
    /// Runs `body`. Once the meter is cancelled its statements stop, and so does the wait for a lock. Without a meter that
    /// costs nothing. Within the body of another one, only its own meter counts.
    /// - Throws: `CancellationError`, and what `body` throws.
    func metered<Result>(_ meter: RowMeter?, _ body: () throws -> Result) throws -> Result {
        guard let meter else { return try body() }
        try meter.check()
        let outer = self.meter
        self.meter = meter
        sqlite3_progress_handler(
            handle, Self.stepsBetweenLooks, stopIfCancelled, Unmanaged.passUnretained(self).toOpaque())
        defer {
            if outer == nil { sqlite3_progress_handler(handle, 0, nil, nil) }
            self.meter = outer
        }
        do {
            return try body()
        } catch let error as SQLiteError where meter.isCancelled && (error.isInterrupt || error.isBusy) {
            throw CancellationError()
        }
    }

    /// In instructions of SQLite's virtual machine: some hundred microseconds.
    private static let stepsBetweenLooks: Int32 = 10_000
}

/// Called by SQLite with the connection as context.
private func stopIfCancelled(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().meter?.isCancelled == true ? 1 : 0
}
