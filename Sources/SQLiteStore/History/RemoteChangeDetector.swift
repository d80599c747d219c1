import ObjectGraph

/// Detects saves by other connections to the same file, of this process or another.
///
/// 1. A check is cheap while there is no commit: one statement, which reads SQLite's commit counter and nothing from the
///    file.
/// 2. With history, commits are reported by identity, once. The store's own saves are never reported: each registers its
///    transaction's number before its commit, because it might otherwise be visible before it is known. If there were
///    own saves since, rows are reported as these left them.
/// 3. Without history, or if there are too many changes, the report only says that anything may have changed.
/// 4. Writers that bypass history in a file that has one are not detected.
final class RemoteChangeDetector: Sendable {
    private let reader: HistoryReader?
    private let seen: Locked<SeenTransactions>
    private let watchState: Locked<WatchState>
    /// `nil` if no other connection can exist.
    private let openConnection: (@Sendable () throws -> Connection)?

    /// The watching connection, opened on first use, and the state that it saw last.
    private struct WatchState {
        var connection: Connection?
        var version: Int64?
        /// The commit counter of the writing connection, which does not count its own commits. Only used without history.
        var writerVersion: WriterVersion
    }

    /// The maximum number of changes that a context would merge one by one.
    static let mostChanges = 10_000

    /// - Parameters:
    ///   - reader: `nil` for a file without history.
    ///   - newest: The number of the newest transaction when the store was opened.
    ///   - writerVersion: The writing connection's commit counter at that time.
    ///   - openConnection: Opens a connection for reading; `nil` for a store in memory.
    init(
        reader: HistoryReader?, newest: Int64, writerVersion: Int64?,
        openConnection: (@Sendable () throws -> Connection)?
    ) {
        self.reader = reader
        seen = Locked(SeenTransactions(last: newest))
        watchState = Locked(WatchState(writerVersion: writerVersion.map(WriterVersion.known) ?? .noWriter))
        self.openConnection = openConnection
    }

    /// Closes the connection. The writing connection must be the last to close.
    func close() {
        watchState.withLock { $0 = WatchState(writerVersion: $0.writerVersion) }
    }

    // MARK: Own saves

    /// Runs `body`, which writes one transaction. Before its commit, it calls its argument with the transaction's number,
    /// if there is one.
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

    // MARK: Saves of other connections

    /// The writing connection's commit counter.
    enum WriterVersion: Equatable {
        /// The store was opened read-only.
        case noWriter
        /// The connection is writing. Waiting could deadlock: its current holder may call this itself, and wait for
        /// another caller.
        case busy
        case known(Int64)
    }

    /// Returns the changes that others saved since the last call, or since the store was opened. Without history, changes
    /// are reported late while the store itself is writing.
    /// - Parameter writerVersion: Reads the writing connection's counter, without waiting.
    func changesByOthers(writerVersion: () throws -> WriterVersion) throws -> SavedChanges {
        guard let openConnection else { return SavedChanges() }
        return try watchState.withLock { watchState in
            let connection = try watchState.connection ?? openConnection()
            watchState.connection = connection
            let version = try connection.dataVersion()
            if version == watchState.version { return SavedChanges() }
            guard let reader else {
                let now = try writerVersion()
                if now == .busy { return SavedChanges() }
                let isOwn = now != .noWriter && now == watchState.writerVersion
                watchState.writerVersion = now
                watchState.version = version
                return isOwn ? SavedChanges() : .overflow
            }
            let unseen = try unseen(connection)
            let changes = try unseen.map { try self.changes(in: $0, reader, connection) } ?? .overflow
            if let unseen { seen.withLock { $0.saw(unseen) } }
            watchState.version = unseen?.isFinal == false ? nil : version
            return changes
        }
    }

    /// The known transactions are read twice. A transaction can only be missing from a replaced file if it was known
    /// before; all visible own transactions can only be included if they are read afterwards.
    /// - Returns: `nil` if the file was replaced by an older state.
    private func unseen(_ connection: Connection) throws -> SeenTransactions.Unseen? {
        let known = seen.withLock { $0.last }
        let newest = try HistoryReader.range(connection).newest
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
        return try connection.inTransaction(.reading) {
            guard let changes = try reader.sum(of: numbers, mostChanges: Self.mostChanges, connection) else {
                return .overflow
            }
            guard let first = numbers.first, numbers.count < unseen.through - first + 1 else { return changes }
            // Contexts may have merged the store's own later saves already.
            let all = try reader.sum(after: first - 1, through: unseen.through, connection)
            return changes.corrected(byAll: all)
        }
    }
}

extension SavedChanges {
    /// The changes of others, made up to date with saves of the store among them: a row that it restored exists, and one that
    /// it deleted does not.
    /// - Parameter all: The changes of others and of the store.
    fileprivate func corrected(byAll all: SavedChanges) -> SavedChanges {
        let gone = RowSet(all.deleted)
        var corrected = self
        corrected.inserted.removeAll(where: gone.contains)
        corrected.updatedIDs.removeAll(where: gone.contains)
        corrected.updatedIDs += deleted.filter { !gone.contains($0) }
        corrected.deleted = deleted.filter(gone.contains) + (inserted + updatedIDs).filter(gone.contains)
        return corrected
    }
}

extension Connection {
    /// A number that changes with any other connection's commit, but not with this one's own.
    func dataVersion() throws -> Int64 {
        try withStatement("PRAGMA data_version") { try $0.step() ? $0.integer(at: 0) : 0 }
    }
}
