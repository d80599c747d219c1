import Foundation
import ObjectGraph

/// The connections of one store: one that writes and, for a file, several that read beside it. A store in memory has
/// one connection for both, since its rows belong to that connection.
///
/// A call for writing made from inside the body of another one fails, as it would wait for itself; nothing here nests.
// Safety of `@unchecked Sendable`: all mutable state is touched under `condition`'s lock only, and a connection is in
// exactly one place at a time: idle, or with the caller it was lent to.
package final class ConnectionPool: @unchecked Sendable {
    package let location: Connection.Location
    package let isReadOnly: Bool
    private let readerLimit: Int
    private let condition = NSCondition()
    private var idleWriter: Connection?
    /// The thread that the writing connection is lent to.
    private var writingThread: ObjectIdentifier?
    private var writing = Writing.goesOn
    /// Called on each thread that waits to write, for tests.
    private var waitingHook: (@Sendable () -> Void)?
    private var idleReaders: [Connection] = []
    private var readerCount = 0
    private var lent: [ObjectIdentifier: Connection] = [:]
    /// What stops the reading of a thread.
    private var meters: [ObjectIdentifier: RowMeter] = [:]
    private let prepare: @Sendable (Connection) throws -> Void
    private let readAccess: Connection.Access

    /// - Parameters:
    ///   - writer: an open connection to write with; `nil` for a read-only pool.
    ///   - readAccess: how reading connections are opened.
    ///   - prepare: called once with each connection before its first use.
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

    /// The last connection to close empties the write-ahead log into the file, which only one that may write can do:
    /// closed in another order, a file would be left that is nothing without its log.
    deinit {
        idleReaders = []
        idleWriter = nil
    }

    /// Lends a connection for reading. Waits while all are out.
    package func withReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        guard case .file = location else { return try withWriter(toRead: true, body) }
        let connection = try takeReader()
        defer { giveBack(reader: connection) }
        return try connection.metered(currentMeter) { try body(connection) }
    }

    /// Runs a body that reads on this thread, and stops it once the meter is cancelled. Of a store in memory, and of what
    /// the thread writes, nothing is stopped. Does not nest.
    /// - Throws: `CancellationError`, and what `body` throws.
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

    /// Lends the writing connection. Waits while it is out.
    /// - Throws: `StoreAccessError.readOnly` for a read-only pool; `nested` where this thread has the connection; `moved` after
    ///   `endWriting`.
    package func withWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try withWriter(toRead: false, body)
    }

    private func withWriter<Result>(toRead: Bool, _ body: (Connection) throws -> Result) throws -> Result {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        let connection = try takeWriter(toRead: toRead)
        defer { giveBack(writer: connection) }
        return try body(connection)
    }

    /// Lends the writing connection, unless it is out.
    /// - Returns: `nil` when it is, with whomever.
    /// - Throws: `StoreAccessError.readOnly` for a read-only pool.
    func withIdleWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard let connection = takeIdleWriter() else { return nil }
        defer { giveBack(writer: connection) }
        return try body(connection)
    }

    /// A connection for reading that is the caller's own and does not count as one of the pool's.
    package func separateReader() throws -> Connection {
        let connection = try Connection(location, access: readAccess)
        try prepare(connection)
        return connection
    }

    /// Runs a body that reads with a connection of its own, which is closed then. It is stopped as a reader of the pool is.
    func withSeparateReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try separateReader()
        return try connection.metered(currentMeter) { try body(connection) }
    }

    /// Stops whatever runs now, on all connections.
    package func interrupt() {
        condition.lock()
        defer { condition.unlock() }
        for connection in lent.values { connection.interrupt() }
    }

    // MARK: Lending

    private func takeWriter(toRead: Bool) throws -> Connection {
        let thread = ObjectIdentifier(Thread.current)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if writing == .ended, !toRead { throw StoreAccessError.moved }
            if writing == .goesOn || toRead, let connection = lendWriter(to: thread) { return connection }
            if writingThread == thread { throw StoreAccessError.nested }
            waitingHook?()
            condition.wait()
        }
    }

    private func takeIdleWriter() -> Connection? {
        condition.lock()
        defer { condition.unlock() }
        return writing == .goesOn ? lendWriter(to: ObjectIdentifier(Thread.current)) : nil
    }

    private func lendWriter(to thread: ObjectIdentifier) -> Connection? {
        guard let connection = idleWriter else { return nil }
        idleWriter = nil
        writingThread = thread
        return lend(connection)
    }

    private func giveBack(writer connection: Connection) {
        condition.lock()
        defer { condition.unlock() }
        lent[ObjectIdentifier(connection)] = nil
        idleWriter = connection
        writingThread = nil
        condition.broadcast()
    }

    private func takeReader() throws -> Connection {
        if let connection = waitForReader() { return connection }
        do {
            return lockedLend(try separateReader())
        } catch {
            abandonReader()
            throw error
        }
    }

    /// An idle reader; `nil` when the caller may open one more.
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

    private func giveBack(reader connection: Connection) {
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
    /// Whether there is writing.
    private enum Writing { case goesOn, waits, ended }

    /// Runs a body while nothing is written: a transaction that is open is finished before, and later ones are held. Those
    /// fail when the body has ended, and so do all that follow, unless the body throws. Reading continues.
    /// - Throws: `StoreAccessError.nested` where this thread has the writing connection; what `body` throws.
    package func endWriting<Result>(after body: () throws -> Result) throws -> Result {
        try holdWriting()
        do {
            let result = try body()
            setWriting(.ended)
            return result
        } catch {
            setWriting(.goesOn)
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
        guard writing == .goesOn else { throw StoreAccessError.moved }
        writing = .waits
    }

    private func setWriting(_ now: Writing) {
        condition.lock()
        defer { condition.unlock() }
        writing = now
        condition.broadcast()
    }

    /// - Parameter body: called on each thread that waits to write, which must not call the pool.
    func onWaiting(_ body: (@Sendable () -> Void)?) {
        condition.lock()
        defer { condition.unlock() }
        waitingHook = body
    }
}
