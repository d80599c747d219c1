import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The file behind the pages: looked at without leaving a trace until the first change, and open for writing from then on.
///
/// While it is only looked at, a file that others wrote is opened again. Once it is open for writing, nobody opens it
/// otherwise: closing a descriptor of a file gives up all locks that this process has on it. No lock is held while
/// anything is read, nor while a backup is made.
final class StoreSource: Sendable {
    let url: URL
    private let options: BrowserOptions
    /// Reads are side by side, on threads that may wait.
    private let queue = DispatchQueue(label: "OpenSwiftData.StoreBrowser", attributes: .concurrent)
    private let state = Locked(State())
    /// Held while the file is opened, in either way.
    private let opening = Locked(())
    private let counts = RowCounts()

    private struct State {
        var opened: Opened?
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

    private static let attempts = 3

    /// - Throws: what opening the file to look at it throws.
    init(_ options: BrowserOptions) throws {
        self.options = options
        // Journals lie beside the file itself, not beside a link to it.
        url = options.file.absoluteURL.resolvingSymlinksInPath()
        _ = try current()
    }

    // MARK: Reading

    /// Runs a body on a thread that may wait; anew where the file changed meanwhile.
    func look<Result: Sendable>(_ body: @escaping @Sendable (Look) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try self.perform(body) }) }
        }
    }

    /// Deletes that were begun and neither brought to their end nor dropped. Blocks.
    func unfinishedJobs() throws -> [DeleteJobRecord] { try perform { try $0.store.jobs() } }

    /// A file that changed under a reader is read again.
    private func perform<Result>(_ body: (Look) throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            let opened = try current()
            let look = look(opened)
            guard let inspection = opened.inspection else { return try body(look) }
            do {
                let result = try inspection.file.telling { try body(look) }
                try inspection.file.checkUnchanged()
                return result
            } catch {
                guard attempt < Self.attempts, inspection.file.untouched.way == .inPlace, !inspection.isOf(stamps)
                else { throw error }
                attempt += 1
            }
        }
    }

    private func look(_ opened: Opened) -> Look {
        switch opened {
        case .inspected(let inspection):
            Look(
                inspection.store, notes: inspection.file.notes, state: .opening(inspection.number), counts: counts)
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
            let opened = Opened.inspected(try Inspection(url, after: earlier, checkGoesOn))
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
        return state.withLock { if case .writable = $0.opened { false } else { true } }
    }

    /// Opens the file for writing the first time this is called, after a backup of it. Blocks until that is done; who reads
    /// is not kept waiting. Not to be called twice at once.
    /// - Parameter progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: as `WritableStore.open`.
    func writable(progress: (_ done: Int64, _ total: Int64) throws -> Void) throws -> WritableStore {
        let known = state.withLock { $0.opened }
        if case .writable(let opened) = known { return opened }
        let preparation = try WritableStore.Preparation(
            url, reusing: known?.inspection?.file, others: options.writesBesideOthers ? .writeBeside : .refuse,
            backup: options.makesBackup ? .make : .none, progress: progress)
        return try opening.withLock { _ in
            let opened = try preparation.open()
            state.withLock { $0.opened = .writable(opened) }
            return opened
        }
    }
}
