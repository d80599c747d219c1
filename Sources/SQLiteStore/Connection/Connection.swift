import CSQLite
import Foundation
import ObjectGraph
import Synchronization

/// One SQLite connection with its prepared statements.
///
/// Used by one thread at a time, exclusively by its current holder. Only `interrupt` may be called from any thread.
// Safety of `@unchecked Sendable`: the handle is opened without SQLite's own mutex, and `ConnectionPool` (or a single
// owner) hands a connection to one thread at a time under a lock, which also orders memory between holders. The only
// calls allowed from elsewhere are `interrupt` (thread-safe in SQLite) and the atomic flag.
package final class Connection: @unchecked Sendable {
    package enum Access: Sendable, Hashable {
        case readOnly
        /// Read only, for a file that no other program writes: the file is read without locks, and no files are made
        /// beside it. An existing write-ahead log is ignored.
        case immutable
        case readWrite
        /// Read and write. Creates the file if it does not exist.
        case create
    }

    package enum Location: Sendable, Hashable {
        case file(URL)
        case memory
        /// A database in unnamed files that are removed when the connection closes. Small content stays in memory.
        case temporary
    }

    package let location: Location
    package let access: Access
    let handle: OpaquePointer
    /// How long a statement waits for another connection's lock, in seconds. Set from `SQLiteStore.Options.busyTimeout`.
    package var busyTimeout: Double = 10
    /// The value of SQLite's `synchronous` setting outside of `withDurableCommits`.
    var usualSafety = "NORMAL"
    /// Called at the beginning of every transaction that takes the write lock at once. An error thrown here rolls the
    /// transaction back.
    var willWrite: ((Connection) throws -> Void)?
    /// Statements that make this connection's temporary triggers.
    var temporaries: [String] = []
    /// Whether the temporary triggers are gone and must be made again before the next write.
    var lacksTemporaries = false
    /// The meter of the running batch request; its cancellation stops the statements.
    var meter: RowMeter?
    /// Statements for reuse, including lent ones.
    private var statements: [String: Statement] = [:]
    private let interrupted = Atomic<Bool>(false)
    /// Statements prepared so far, for tests of statement reuse.
    package private(set) var preparedCount = 0
    /// When set, called with the text of every statement at its first step. For tests that count statements.
    // Exempt from run-time exclusivity checks, because every run of a statement reads it. It is only read or set as a whole.
    @exclusivity(unchecked) package var onStatement: (@Sendable (String) -> Void)?

    /// The maximum number of statements kept for reuse.
    private static let statementLimit = 256

    /// The number of pages in the write-ahead log from which a commit copies them into the file. A save of one object with
    /// history writes some 12 pages, mostly the same ones each time, and each checkpoint waits for the disk twice: four times
    /// SQLite's default makes small saves 8 % cheaper, and the log is still searched as one block (of 4,062 pages).
    private static let pagesBetweenCheckpoints = 4_000

    /// - Throws: `SQLiteVersionError`, or `SQLiteError` when the file cannot be opened.
    package init(_ location: Location, access: Access) throws {
        try SQLiteVersionError.check()
        self.location = location
        self.access = access
        handle = try Self.open(location, access: access)
        // From here on the object is whole: if this throws, `deinit` runs and closes the handle.
        try configure()
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    private func configure() throws {
        sqlite3_busy_handler(handle, waitWhileBusy, Unmanaged.passUnretained(self).toOpaque())
        try SQLFunctions.register(on: self)
        try execute("PRAGMA cache_size = -32000")
        try execute("PRAGMA synchronous = \(usualSafety)")
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA wal_autocheckpoint = \(Self.pagesBetweenCheckpoints)")
        if access == .readOnly || access == .immutable { try execute("PRAGMA query_only = ON") }
    }

    /// Interrupts the running statements, which throw an error whose `isInterrupt` is true. May be called from any thread.
    package func interrupt() {
        interrupted.store(true, ordering: .relaxed)
        sqlite3_interrupt(handle)
    }

    /// Discards cached pages that no statement uses.
    func releaseCache() {
        sqlite3_db_release_memory(handle)
    }

    /// Discards an interrupt that came too late. Called when the connection gets a new holder.
    func clearInterrupt() {
        interrupted.store(false, ordering: .relaxed)
    }

    /// Whether to wait for a lock again. The first waits are short, for writers that are nearly done.
    func waitsAgain(attempt: Int32) -> Bool {
        guard !interrupted.load(ordering: .relaxed), meter?.isCancelled != true else { return false }
        let elapsed = attempt < 20 ? Double(attempt) * 0.001 : 0.02 + Double(attempt - 20) * 0.01
        guard elapsed < busyTimeout else { return false }
        sqlite3_sleep(attempt < 20 ? 1 : 10)
        return true
    }

    // MARK: Statements

    /// Runs a statement that returns no rows.
    package func execute(_ sql: String) throws {
        onStatement?(sql)
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result, sql: sql) }
    }

    /// Prepares a statement for the caller alone; it is not kept for reuse.
    package func prepare(_ sql: String) throws -> Statement {
        preparedCount += 1
        return try Statement(sql, on: self, persistent: false)
    }

    /// Lends a cached statement, which is prepared at first use and afterwards reset, with its bindings cleared. Re-entrant.
    package func withStatement<Result>(
        _ sql: String, _ body: (Statement) throws -> Result
    ) throws -> Result {
        let statement = try takeStatement(sql)
        defer { giveBack(statement) }
        return try body(statement)
    }

    /// Returns a cached statement, which the caller hands back with `giveBack`.
    package func takeStatement(_ sql: String) throws -> Statement {
        if let known = statements[sql], !known.isLent {
            known.isLent = true
            return known
        }
        preparedCount += 1
        let statement = try Statement(sql, on: self, persistent: true)
        statement.isLent = true
        keep(statement)
        return statement
    }

    private func keep(_ statement: Statement) {
        if statements.count >= Self.statementLimit, let victim = statements.keys.first { statements[victim] = nil }
        statements[statement.sql] = statement
    }

    package func giveBack(_ statement: Statement) {
        statement.recycle()
        statement.isLent = false
    }

    // MARK: State

    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }
    /// Rows changed by the last statement that finished.
    package var changeCount: Int { Int(sqlite3_changes64(handle)) }
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

/// Busy callback of SQLite, with the connection as its context and the number of waits so far.
private func waitWhileBusy(_ context: UnsafeMutableRawPointer?, _ attempt: Int32) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().waitsAgain(attempt: attempt) ? 1 : 0
}
