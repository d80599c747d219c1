import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The file behind the pages: read without leaving a trace, and open for writing only during an operation.
///
/// While it is only read, a file changed by other processes is opened again. While it is open for writing, there is no
/// other descriptor of it: closing any descriptor of a file releases all locks that the process holds on it. So read
/// sessions are interrupted and restarted when the file is opened for writing and when it is closed again. No lock is
/// held during reads or backups.
final class StoreSource: Sendable {
    let url: URL
    private let options: BrowserOptions
    private let state = Locked(State())
    /// Held while the file is opened or closed, for reading or writing.
    private let opening = Locked(())
    /// Current read sessions.
    private let readSessions = DispatchGroup()
    private let counts = RowCounts()

    private struct State {
        var opened: Opened?
        var activeReads: [ObjectIdentifier: ReadRequest] = [:]
        var backup: Backup?
        /// Whether the program is about to exit.
        var isEnding = false
    }

    private enum Opened {
        case inspected(Inspection)
        case writable(WritableStore)

        var store: SQLiteStore {
            switch self {
            case .inspected(let inspection): inspection.store
            case .writable(let opened): opened.store
            }
        }

        var inspection: Inspection? {
            if case .inspected(let inspection) = self { inspection } else { nil }
        }
    }

    /// A backup made before the first change.
    private struct Backup {
        let url: URL
        /// Identifies the file that was copied. If another file replaces it, that file is backed up, too.
        let original: FileStamp

        func isOf(_ file: FileStamp?) -> Bool { file?.device == original.device && file?.inode == original.inode }
    }

    private static let attempts = 3

    /// - Throws: errors of opening the file for inspection.
    init(_ options: BrowserOptions) throws {
        self.options = options
        // Journal files are next to the file itself, not next to a symbolic link to it.
        url = options.file.absoluteURL.resolvingSymlinksInPath()
        _ = try current()
    }

    // MARK: Reading

    /// Runs the closure on a new thread, as it may take long. Repeats it if the file changes meanwhile. Cancelling the
    /// task stops it.
    func readSession<Result: Sendable>(_ body: @escaping @Sendable (ReadSession) throws -> Result) async throws
        -> Result
    {
        let request = ReadRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Swift.Result { try self.perform(request, body) }) }
            }
        } onCancel: {
            request.withdraw()
        }
    }

    /// Runs the closure on the caller's thread, for short reads before the server starts.
    func readHere<Result>(_ body: (ReadSession) throws -> Result) throws -> Result { try perform(ReadRequest(), body) }

    /// Repeats the closure if the file changed during the read, or was opened or closed for writing.
    private func perform<Result>(_ request: ReadRequest, _ body: (ReadSession) throws -> Result) throws -> Result {
        var attemptsLeft = Self.attempts
        while true {
            let (opened, meter) = try beginReading(request)
            defer { endReading(request) }
            do {
                return try opened.store.reading(until: meter) { try read(opened, body) }
            } catch  where !request.isWithdrawn && request.isInterrupted {
                continue
            } catch {
                try checkNotClosed()
                guard attemptsLeft > 1, !request.isWithdrawn, isBehind(opened) else { throw error }
                attemptsLeft -= 1
            }
        }
    }

    private func read<Result>(_ opened: Opened, _ body: (ReadSession) throws -> Result) throws -> Result {
        let session = readSession(opened)
        guard let inspection = opened.inspection else { return try body(session) }
        let result = try inspection.file.describingErrors { try body(session) }
        try inspection.file.checkUnchanged()
        return result
    }

    /// Whether a file that is read in place has changed since it was opened.
    private func isBehind(_ opened: Opened) -> Bool {
        guard let inspection = opened.inspection else { return false }
        return inspection.file.untouched.way == .inPlace && !inspection.isOf(stamps)
    }

    private func beginReading(_ request: ReadRequest) throws -> (Opened, RowMeter) {
        while true {
            let opened = try current()
            let meter: RowMeter? = state.withLock { state in
                // The file may have been opened anew meanwhile.
                guard let now = state.opened, now.store === opened.store else { return nil }
                state.activeReads[ObjectIdentifier(request)] = request
                readSessions.enter()
                return request.begin()
            }
            if let meter { return (opened, meter) }
        }
    }

    private func endReading(_ request: ReadRequest) {
        state.withLock { $0.activeReads[ObjectIdentifier(request)] = nil }
        readSessions.leave()
    }

    private func readSession(_ opened: Opened) -> ReadSession {
        switch opened {
        case .inspected(let inspection): ReadSession(inspection, counts: counts)
        case .writable(let opened): ReadSession(opened, state: settledState, counts: counts)
        }
    }

    /// `nil` if the file was written a moment ago: another write within the resolution of file times would go
    /// unnoticed.
    private var settledState: RowCounts.State? {
        let stamps = stamps
        return stamps.allSatisfy { $0?.isSettled ?? true } ? .stamps(stamps) : nil
    }

    /// Stops current reads and copies, and refuses later requests, so that the program can exit.
    func end() {
        state.withLock { state in
            state.isEnding = true
            for request in state.activeReads.values { request.withdraw() }
            return state.opened?.store
        }?.interrupt()
    }

    private func checkNotClosed() throws {
        if state.withLock({ $0.isEnding }) { throw Problem.ending }
    }

    /// Closes the file and removes its private copy. No reads are possible afterwards.
    func close() {
        state.withLock { state in
            state.opened?.inspection?.file.close()
            state.opened = nil
        }
    }

    // MARK: Opening

    private func current() throws -> Opened {
        try checkNotClosed()
        if let opened = opened { return opened }
        return try opening.withLock { _ in
            // Another thread may have opened it meanwhile.
            if let opened = opened { return opened }
            let earlier = state.withLock { $0.opened?.inspection }
            let opened = Opened.inspected(try Inspection(url, options.models, after: earlier, checkNotClosed))
            state.withLock { $0.opened = opened }
            return opened
        }
    }

    /// The current opening if it is still valid. Compares file stamps only, without opening the file.
    private var opened: Opened? {
        guard let opened = state.withLock({ $0.opened }) else { return nil }
        return opened.inspection?.isGood(stamps) ?? true ? opened : nil
    }

    private var stamps: [FileStamp?] {
        ["", "-wal", "-journal"].map { FileStamp(URL(fileURLWithPath: url.path + $0)) }
    }

    // MARK: Writing

    /// Whether opening the file for writing makes a backup first.
    var wantsBackup: Bool {
        guard options.makesBackup else { return false }
        let now = FileStamp(url)
        return state.withLock { !($0.backup?.isOf(now) ?? false) }
    }

    /// The backup made before the first change.
    var backup: URL? { state.withLock { $0.backup?.url } }

    /// Opens the file for writing, after a backup if there is none. Blocks until both are done; read sessions continue
    /// during the backup. Must not be called concurrently, and must be balanced by `endWriting`.
    /// - Parameter progress: called with the bytes copied and the total; throws to stop.
    /// - Throws: errors of `WritableStore.open`.
    func beginWriting(progress: (_ done: Int64, _ total: Int64) throws -> Void) throws -> SQLiteStore {
        let known = state.withLock { $0.opened?.inspection }
        let original = FileStamp(url)
        let preparation = try WritableStore.Preparation(
            url, models: options.models, reusing: known?.file,
            others: options.writesBesideOthers ? .writeBeside : .refuse,
            backup: wantsBackup ? .make : .none, progress: progress)
        return try opening.withLock { _ in
            closeFile()
            let opened = try preparation.open()
            state.withLock { state in
                state.opened = .writable(opened)
                if let url = opened.backup, let original { state.backup = Backup(url: url, original: original) }
            }
            return opened.store
        }
    }

    /// Closes the file if it is open for writing: the log is checkpointed, and other processes can open the file.
    /// Blocks until current read sessions have stopped.
    func endWriting() {
        opening.withLock { _ in
            guard state.withLock({ if case .writable = $0.opened { true } else { false } }) else { return }
            closeFile()
        }
    }

    /// Closes the file and interrupts all read sessions.
    private func closeFile() {
        let opened = state.withLock { state in
            for request in state.activeReads.values { request.interrupt() }
            defer { state.opened = nil }
            return state.opened
        }
        readSessions.wait()
        opened?.inspection?.file.close()
    }
}
