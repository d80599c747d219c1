import ObjectGraph

/// Notices what others saved: other connections to the same file, of this process or another.
///
/// 1. Asking is cheap while nobody committed: one statement, which looks at SQLite's counter of commits and reads nothing
///    from the file.
/// 2. With history, what was committed is told by identity, once. The store's own saves are never told: each gives its
///    transaction's number before its commit, as it might otherwise be seen before it is known.
/// 3. Without history, or when too much happened, all that can be told is that anything may have changed.
/// 4. Who writes a file with history and leaves no history is not noticed.
final class StoreWatcher: Sendable {
    private let reader: HistoryReader?
    private let seen: Locked<SeenTransactions>
    private let lookout: Locked<Lookout>
    /// `nil` where nobody else can be.
    private let openConnection: (@Sendable () throws -> Connection)?

    /// The connection that watches, opened when first needed, and what it saw last.
    private struct Lookout {
        var connection: Connection?
        var version: Int64?
        /// As the writing connection sees it: its own commits do not count there. Only kept without history.
        var writerVersion: WriterVersion
    }

    /// As many as a context would take in one by one.
    private static let mostChanges = 10_000

    /// - Parameters:
    ///   - reader: `nil` for a file without history.
    ///   - newest: number of the newest transaction when the store was opened.
    ///   - writerVersion: what the writing connection's counter was then.
    ///   - openConnection: makes a connection that reads; `nil` for a store in memory.
    init(
        reader: HistoryReader?, newest: Int64, writerVersion: Int64?,
        openConnection: (@Sendable () throws -> Connection)?
    ) {
        self.reader = reader
        seen = Locked(SeenTransactions(last: newest))
        lookout = Locked(Lookout(writerVersion: writerVersion.map(WriterVersion.known) ?? .noWriter))
        self.openConnection = openConnection
    }

    /// Lets go of the connection; it must not outlive the one that writes, which is to be the last to close.
    func close() {
        lookout.withLock { $0 = Lookout(writerVersion: $0.writerVersion) }
    }

    // MARK: Own saves

    /// Runs `body`, which writes one transaction and calls what it is given with its number (if it has one) before it
    /// commits.
    func recordingSave<Result>(_ body: (_ willCommit: @escaping (Int64?) -> Void) throws -> Result) rethrows -> Result {
        do {
            let result = try body { number in
                if let number { self.seen.withLock { $0.willCommit(number) } }
            }
            seen.withLock { $0.didCommit() }
            return result
        } catch {
            seen.withLock { $0.didNotCommit() }
            throw error
        }
    }

    // MARK: Others' saves

    /// What the writing connection's counter says.
    enum WriterVersion: Equatable {
        /// The store was opened for reading only.
        case noWriter
        /// It is writing, and not to be waited for: who holds it may ask for what others saved, and wait for whoever does.
        case busy
        case known(Int64)
    }

    /// What others saved since this was last asked; since the store was opened, the first time. Without history nothing is
    /// told while the store itself is being written, but later.
    /// - Parameter writerVersion: asks the writing connection's counter, without waiting.
    func changesByOthers(writerVersion: () throws -> WriterVersion) throws -> SavedChanges {
        guard let openConnection else { return SavedChanges() }
        return try lookout.withLock { lookout in
            let connection = try lookout.connection ?? openConnection()
            lookout.connection = connection
            let version = try connection.dataVersion()
            if version == lookout.version { return SavedChanges() }
            guard let reader else {
                let now = try writerVersion()
                if now == .busy { return SavedChanges() }
                let isOwn = now != .noWriter && now == lookout.writerVersion
                lookout.writerVersion = now
                lookout.version = version
                return isOwn ? SavedChanges() : .overflow
            }
            let unseen = try unseen(connection)
            let changes = try unseen.map { try self.changes(in: $0, reader, connection) } ?? .overflow
            if let unseen { seen.withLock { $0.saw(unseen) } }
            lookout.version = unseen?.isFinal == false ? nil : version
            return changes
        }
    }

    /// What is known is read twice: only what was known before can be missing from a file that went back, and only
    /// after can all own transactions that are visible be among it.
    /// - Returns: `nil` when the file went back to an older state.
    private func unseen(_ connection: Connection) throws -> SeenTransactions.Unseen? {
        let known = seen.withLock { $0.last }
        let newest = try HistoryReader.bounds(connection).newest
        return seen.withLock { seen in
            guard newest >= known else {
                seen.restart(at: newest)
                return nil
            }
            return seen.unseen(through: newest)
        }
    }

    private func changes(
        in unseen: SeenTransactions.Unseen, _ reader: HistoryReader, _ connection: Connection
    ) throws -> SavedChanges {
        if unseen.isLost { return .overflow }
        if unseen.ranges.isEmpty { return SavedChanges() }
        var numbers: [Int64] = []
        for range in unseen.ranges {
            guard range.upperBound - range.lowerBound < Self.mostChanges - numbers.count else { return .overflow }
            numbers += range
        }
        let sum = try connection.inTransaction(.reading) {
            try reader.sum(of: numbers, mostChanges: Self.mostChanges, connection)
        }
        return sum ?? .overflow
    }
}

extension Connection {
    /// A number that is another one after any other connection's commit, and the same after this one's own.
    func dataVersion() throws -> Int64 {
        try withStatement("PRAGMA data_version") { try $0.step() ? $0.integer(at: 0) : 0 }
    }
}
