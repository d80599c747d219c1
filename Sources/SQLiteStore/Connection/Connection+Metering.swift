import CSQLite
import ObjectGraph

extension Connection {
    /// Runs `body`. When the meter is cancelled, the statements of `body` stop, and so does waiting for a lock. Costs
    /// nothing without a meter. In nested calls only the innermost meter counts.
    /// - Throws: `CancellationError`, and the errors of `body`.
    func metered<Result>(_ meter: RowMeter?, _ body: () throws -> Result) throws -> Result {
        guard let meter else { return try body() }
        try meter.check()
        let outer = self.meter
        self.meter = meter
        sqlite3_progress_handler(
            handle, Self.stepsBetweenLooks, interruptIfCancelled, Unmanaged.passUnretained(self).toOpaque())
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

    /// The interval between tests for cancellation, in instructions of SQLite's virtual machine: some hundred microseconds.
    private static let stepsBetweenLooks: Int32 = 10_000
}

/// Progress callback of SQLite, with the connection as its context.
private func interruptIfCancelled(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().meter?.isCancelled == true ? 1 : 0
}
