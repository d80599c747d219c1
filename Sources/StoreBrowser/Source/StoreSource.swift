import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The file behind the pages: looked at without leaving a trace, and open for writing only while something is written.
///
/// While it is only looked at, a file that others wrote is opened again. While it is open for writing, nobody opens it
/// otherwise: closing a descriptor of a file gives up all locks that this process has on it. So who looks at it is stopped,
/// and begins anew, whenever it is opened for writing and whenever that is over. No lock is held while anything is read,
/// nor while a backup is made.
final class StoreSource: Sendable {
    let url: URL
    private let options: BrowserOptions
    private let state = Locked(State())
    /// Held while the file is opened or closed, in either way.
    private let opening = Locked(())
    /// Who looks at the file now.
    private let looks = DispatchGroup()
    private let counts = RowCounts()

    private struct State {
        var opened: Opened?
        var looking: [ObjectIdentifier: LookRequest] = [:]
        var backup: Backup?
        /// Whether the program is about to end.
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

    /// What the file was copied to before it was first changed here.
    private struct Backup {
        let url: URL
        /// The file that was copied: another one in its place is another one to copy.
        let original: FileStamp

        func isOf(_ file: FileStamp?) -> Bool { file?.device == original.device && file?.inode == original.inode }
    }

    private static let attempts = 3

    /// - Throws: what opening the file to look at it throws.
    init(_ options: BrowserOptions) throws {
        self.options = options
        // Journals lie beside the file itself, not beside a link to it.
        url = options.file.absoluteURL.resolvingSymlinksInPath()
        _ = try current()
    }

    // MARK: Reading

    /// Runs a body on a thread of its own, as it may take long; anew where the file changed meanwhile. It is stopped when
    /// the task is cancelled.
    func look<Result: Sendable>(_ body: @escaping @Sendable (Look) throws -> Result) async throws -> Result {
        let request = LookRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Swift.Result { try self.perform(request, body) }) }
            }
        } onCancel: {
            request.withdraw()
        }
    }

    /// The same on the thread of the caller, for what little is read before anybody asks.
    func lookHere<Result>(_ body: (Look) throws -> Result) throws -> Result { try perform(LookRequest(), body) }

    /// A file that changed under a reader, or was opened otherwise, is read again.
    private func perform<Result>(_ request: LookRequest, _ body: (Look) throws -> Result) throws -> Result {
        var attemptsLeft = Self.attempts
        while true {
            let (opened, meter) = try beginLook(request)
            defer { endLook(request) }
            do {
                return try opened.store.reading(until: meter) { try read(opened, body) }
            } catch  where !request.isWithdrawn && request.isInterrupted {
                continue
            } catch {
                try checkGoesOn()
                guard attemptsLeft > 1, !request.isWithdrawn, isBehind(opened) else { throw error }
                attemptsLeft -= 1
            }
        }
    }

    private func read<Result>(_ opened: Opened, _ body: (Look) throws -> Result) throws -> Result {
        let look = look(opened)
        guard let inspection = opened.inspection else { return try body(look) }
        let result = try inspection.file.telling { try body(look) }
        try inspection.file.checkUnchanged()
        return result
    }

    /// Whether a file that is read in place is not as it was when it was opened.
    private func isBehind(_ opened: Opened) -> Bool {
        guard let inspection = opened.inspection else { return false }
        return inspection.file.untouched.way == .inPlace && !inspection.isOf(stamps)
    }

    private func beginLook(_ request: LookRequest) throws -> (Opened, RowMeter) {
        while true {
            let opened = try current()
            let meter: RowMeter? = state.withLock { state in
                // It may have been opened otherwise meanwhile.
                guard let now = state.opened, now.store === opened.store else { return nil }
                state.looking[ObjectIdentifier(request)] = request
                looks.enter()
                return request.begin()
            }
            if let meter { return (opened, meter) }
        }
    }

    private func endLook(_ request: LookRequest) {
        state.withLock { $0.looking[ObjectIdentifier(request)] = nil }
        looks.leave()
    }

    private func look(_ opened: Opened) -> Look {
        switch opened {
        case .inspected(let inspection):
            Look(
                inspection.store, notes: inspection.file.notes, state: .opening(inspection.id), counts: counts)
        case .writable(let opened): Look(opened.store, notes: [], state: settledState, counts: counts)
        }
    }

    /// `nil` where the file was written a moment ago: it may be written again within what its time can tell.
    private var settledState: RowCounts.State? {
        let stamps = stamps
        return stamps.allSatisfy { $0?.isSettled ?? true } ? .stamps(stamps) : nil
    }

    /// Stops what is being read or copied, and refuses what is asked for later, so that the program can end.
    func end() {
        state.withLock { state in
            state.isEnding = true
            for request in state.looking.values { request.withdraw() }
            return state.opened?.store
        }?.interrupt()
    }

    private func checkGoesOn() throws {
        if state.withLock({ $0.isEnding }) { throw Problem.ending }
    }

    /// Lets go of the file, and removes a private copy of it. Nothing is read any more.
    func close() {
        state.withLock { state in
            state.opened?.inspection?.file.close()
            state.opened = nil
        }
    }

    // MARK: Opening

    private func current() throws -> Opened {
        try checkGoesOn()
        if let opened = opened { return opened }
        return try opening.withLock { _ in
            // Others may have opened it meanwhile.
            if let opened = opened { return opened }
            let earlier = state.withLock { $0.opened?.inspection }
            let opened = Opened.inspected(try Inspection(url, options.models, after: earlier, checkGoesOn))
            state.withLock { $0.opened = opened }
            return opened
        }
    }

    /// As it was opened, if that is still good. Names and times only: nothing of the file is opened for this.
    private var opened: Opened? {
        guard let opened = state.withLock({ $0.opened }) else { return nil }
        return opened.inspection?.isGood(stamps) ?? true ? opened : nil
    }

    private var stamps: [FileStamp?] {
        ["", "-wal", "-journal"].map { FileStamp(URL(fileURLWithPath: url.path + $0)) }
    }

    // MARK: Writing

    /// Whether opening the file for writing takes a backup first.
    var wantsBackup: Bool {
        guard options.makesBackup else { return false }
        let now = FileStamp(url)
        return state.withLock { !($0.backup?.isOf(now) ?? false) }
    }

    /// The file's copy of before it was first changed here.
    var backup: URL? { state.withLock { $0.backup?.url } }

    /// Opens the file for writing, after a backup of it where none was made. Blocks until that is done; who reads is not
    /// kept waiting by the backup. Not to be called twice at once; `endWriting` must follow.
    /// - Parameter progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: as `WritableStore.open`.
    func beginWriting(progress: (_ done: Int64, _ total: Int64) throws -> Void) throws -> SQLiteStore {
        let known = state.withLock { $0.opened?.inspection }
        let original = FileStamp(url)
        let preparation = try WritableStore.Preparation(
            url, models: options.models, reusing: known?.file,
            others: options.writesBesideOthers ? .writeBeside : .refuse,
            backup: wantsBackup ? .make : .none, progress: progress)
        return try opening.withLock { _ in
            putAway()
            let opened = try preparation.open()
            state.withLock { state in
                state.opened = .writable(opened)
                if let url = opened.backup, let original { state.backup = Backup(url: url, original: original) }
            }
            return opened.store
        }
    }

    /// Closes the file that is open for writing, if it is: its log is emptied, and others may have it. Blocks until those
    /// who look at it are stopped.
    func endWriting() {
        opening.withLock { _ in
            guard state.withLock({ if case .writable = $0.opened { true } else { false } }) else { return }
            putAway()
        }
    }

    /// Nobody has the file open after this.
    private func putAway() {
        let opened = state.withLock { state in
            for request in state.looking.values { request.interrupt() }
            defer { state.opened = nil }
            return state.opened
        }
        looks.wait()
        opened?.inspection?.file.close()
    }
}
