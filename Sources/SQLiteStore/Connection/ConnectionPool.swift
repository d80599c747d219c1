import Foundation
import ObjectGraph

/// The connections of one store: one that writes and, for a file, several that read concurrently. A store in memory uses
/// one connection for both, because its rows belong to that connection.
///
/// A nested call for the writing connection fails, because it would wait for itself. Calls do not nest.
// Safety of `@unchecked Sendable`: all mutable state is accessed under `condition`'s lock only, and a connection is in
// exactly one place at a time: idle, or lent to one caller.
package final class ConnectionPool: @unchecked Sendable {
    package let location: Connection.Location
    package let isReadOnly: Bool
    private let readerLimit: Int
    private let condition = NSCondition()
    private var idleWriter: Connection?
    /// The thread that the writing connection is lent to.
    private var writingThread: ObjectIdentifier?
    private var writing = Writing.allowed
    /// Called on each thread that waits to write. For tests.
    private var waitingHook: (@Sendable () -> Void)?
    private var idleReaders: [Connection] = []
    private var readerCount = 0
    private var lent: [ObjectIdentifier: Connection] = [:]
    /// The meters that can stop reading, by thread.
    private var meters: [ObjectIdentifier: RowMeter] = [:]
    private let prepare: @Sendable (Connection) throws -> Void
    private let readAccess: Connection.Access

    /// - Parameters:
    /// - writer: An open connection for writing; `nil` for a read-only pool.
    /// - readAccess: How reading connections are opened.
    /// - prepare: Called once with each connection before its first use.
    package init(
        location: Connection.Location, writer: Connection?, readerLimit: Int = 4,
        readAccess: Connection.Access = .readOnly,
        prepare: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) throws {
        self.location = location
        self.idleWriter = writer
        self.isReadOnly = writer == nil
        self.readerLimit = max(1, readerLimit)
        self.prepare = prepare
        self.readAccess = readAccess
        if let writer { try prepare(writer) }
    }

    /// Closes the readers first. The last connection to close checkpoints the write-ahead log into the file, which only
    /// the writer can do; otherwise the file would depend on its log.
    deinit {
        idleReaders = []
        idleWriter = nil
    }

    /// Lends a connection for reading. Waits while all of them are lent.
    package func withReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        guard case .file = location else { return try withWriter(toRead: true, body) }
        let connection = try acquireReader()
        defer { release(reader: connection) }
        return try connection.metered(currentMeter) { try body(connection) }
    }

    /// Runs a body that reads on this thread, and interrupts it when the meter is cancelled. Does not interrupt reads of
    /// a store in memory, nor reads within this thread's own writes. Does not nest.
    /// - Throws: `CancellationError`, and the errors of `body`.
    package func reading<Result>(until meter: RowMeter, _ body: () throws -> Result) throws -> Result {
        setMeter(meter)
        defer { setMeter(nil) }
        return try body()
    }

    private func setMeter(_ meter: RowMeter?) {
        condition.lock()
        defer { condition.unlock() }
        meters[ObjectIdentifier(Thread.current)] = meter
    }

    private var currentMeter: RowMeter? {
        condition.lock()
        defer { condition.unlock() }
        return meters.isEmpty ? nil : meters[ObjectIdentifier(Thread.current)]
    }

    /// Lends the writing connection. Waits while it is lent.
    /// - Throws: `StoreAccessError.readOnly` for a read-only pool; `nested` if this thread holds the connection; `moved`
    ///   after `endWriting`.
    package func withWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try withWriter(toRead: false, body)
    }

    private func withWriter<Result>(toRead: Bool, _ body: (Connection) throws -> Result) throws -> Result {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        let connection = try acquireWriter(toRead: toRead)
        defer { release(writer: connection) }
        return try body(connection)
    }

    /// Lends the writing connection without waiting.
    /// - Returns: `nil` if the connection is lent, to this thread or another.
    /// - Throws: `StoreAccessError.readOnly` for a read-only pool.
    func withIdleWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard let connection = acquireIdleWriter() else { return nil }
        defer { release(writer: connection) }
        return try body(connection)
    }

    /// Opens a connection for reading that belongs to the caller and does not count towards the pool's limit.
    package func separateReader() throws -> Connection {
        let connection = try Connection(location, access: readAccess)
        try prepare(connection)
        return connection
    }

    /// Runs a body that reads with a connection of its own, and closes it afterwards. The body can be interrupted like a
    /// reader of the pool.
    func withSeparateReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try separateReader()
        return try connection.metered(currentMeter) { try body(connection) }
    }

    /// Discards the pages that idle readers have cached. Before a large write: after it, most of them are out of date, and
    /// meanwhile the writer's take as much memory.
    func releaseCaches() {
        condition.lock()
        defer { condition.unlock() }
        idleReaders.forEach { $0.releaseCache() }
    }

    /// Interrupts all running statements, on all connections.
    package func interrupt() {
        condition.lock()
        defer { condition.unlock() }
        for connection in lent.values { connection.interrupt() }
    }

    // MARK: Lending

    private func acquireWriter(toRead: Bool) throws -> Connection {
        let thread = ObjectIdentifier(Thread.current)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if writing == .ended, !toRead { throw StoreAccessError.moved }
            if writing == .allowed || toRead, let connection = lendWriter(to: thread) { return connection }
            if writingThread == thread { throw StoreAccessError.nested }
            waitingHook?()
            condition.wait()
        }
    }

    private func acquireIdleWriter() -> Connection? {
        condition.lock()
        defer { condition.unlock() }
        return writing == .allowed ? lendWriter(to: ObjectIdentifier(Thread.current)) : nil
    }

    private func lendWriter(to thread: ObjectIdentifier) -> Connection? {
        guard let connection = idleWriter else { return nil }
        idleWriter = nil
        writingThread = thread
        return lend(connection)
    }

    private func release(writer connection: Connection) {
        condition.lock()
        defer { condition.unlock() }
        lent[ObjectIdentifier(connection)] = nil
        idleWriter = connection
        writingThread = nil
        condition.broadcast()
    }

    private func acquireReader() throws -> Connection {
        if let connection = waitForReader() { return connection }
        do {
            return lockedLend(try separateReader())
        } catch {
            abandonReader()
            throw error
        }
    }

    /// Returns an idle reader, or `nil` if the caller may open another one.
    private func waitForReader() -> Connection? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let connection = idleReaders.popLast() { return lend(connection) }
            if readerCount < readerLimit {
                readerCount += 1
                return nil
            }
            condition.wait()
        }
    }

    private func abandonReader() {
        condition.lock()
        defer { condition.unlock() }
        readerCount -= 1
        condition.broadcast()
    }

    private func release(reader connection: Connection) {
        condition.lock()
        defer { condition.unlock() }
        lent[ObjectIdentifier(connection)] = nil
        idleReaders.append(connection)
        condition.broadcast()
    }

    private func lockedLend(_ connection: Connection) -> Connection {
        condition.lock()
        defer { condition.unlock() }
        return lend(connection)
    }

    private func lend(_ connection: Connection) -> Connection {
        connection.clearInterrupt()
        lent[ObjectIdentifier(connection)] = connection
        return connection
    }
}

extension ConnectionPool {
    /// Whether the store accepts writes.
    private enum Writing { case allowed, waits, ended }

    /// Runs a body while writing is suspended: an open transaction is finished first, later ones wait. When the body
    /// ends, these and all following writes fail, unless the body throws. Reading continues.
    /// - Throws: `StoreAccessError.nested` if this thread holds the writing connection; the errors of `body`.
    package func endWriting<Result>(after body: () throws -> Result) throws -> Result {
        try holdWriting()
        do {
            let result = try body()
            setWriting(.ended)
            return result
        } catch {
            setWriting(.allowed)
            throw error
        }
    }

    private func holdWriting() throws {
        condition.lock()
        defer { condition.unlock() }
        while writing == .waits || writingThread != nil {
            if writingThread == ObjectIdentifier(Thread.current) { throw StoreAccessError.nested }
            condition.wait()
        }
        guard writing == .allowed else { throw StoreAccessError.moved }
        writing = .waits
    }

    private func setWriting(_ now: Writing) {
        condition.lock()
        defer { condition.unlock() }
        writing = now
        condition.broadcast()
    }

    /// - Parameter body: Called on each thread that waits to write. It must not call the pool.
    func onWaiting(_ body: (@Sendable () -> Void)?) {
        condition.lock()
        defer { condition.unlock() }
        waitingHook = body
    }
}
