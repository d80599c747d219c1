import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The file behind the pages: looked at without leaving a trace until the first change, and open for writing from then on.
///
/// While it is only looked at, a file that others wrote is opened again. Opening it for writing waits until nobody reads:
/// closing a descriptor of a file gives up all locks that this process has on it.
final class StoreSource: Sendable {
    let url: URL
    private let options: BrowserOptions
    /// Reads are side by side; opening for writing is alone.
    private let queue = DispatchQueue(label: "OpenSwiftData.StoreBrowser", attributes: .concurrent)
    private let state = Locked(State())

    private struct State {
        var opened: Opened?
        var counts: Counts?
    }

    private struct Counts {
        let stamps: [FileStamp?]
        let values: [Int]
    }

    private enum Opened {
        case inspected(InspectedFile, SQLiteStore, ContinuousClock.Instant)
        case writable(WritableStore)

        var store: SQLiteStore {
            switch self {
            case .inspected(_, let store, _): store
            case .writable(let opened): opened.store
            }
        }
    }

    /// A copy of a file that others keep writing is good for this long.
    private static let freshness = Duration.seconds(2)
    private static let attempts = 3

    /// - Throws: what opening the file to look at it throws.
    init(_ options: BrowserOptions) throws {
        self.options = options
        // Journals lie beside the file itself, not beside a link to it.
        url = options.file.absoluteURL.resolvingSymlinksInPath()
        state.withLock { $0.opened = nil }
        _ = try current()
    }

    // MARK: Reading

    /// Everything `body` reads is of one moment.
    func reading<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteStore, StoreReading) throws -> Result
    ) async throws -> Result {
        try await onQueue { source in
            try source.perform { store in try store.reading { try body(store, $0) } }
        }
    }

    func withStore<Result: Sendable>(_ body: @escaping @Sendable (SQLiteStore) throws -> Result) async throws -> Result
    {
        try await onQueue { source in try source.perform(body) }
    }

    /// Rows of each entity alone, in the order of the model; counted anew only when the file changed.
    func ownRowCounts() async throws -> [Int] {
        try await withStore { [self] store in
            let stamps = stamps
            if let known = state.withLock({ $0.counts }), known.stamps == stamps { return known.values }
            let values = try store.ownRowCounts()
            state.withLock { $0.counts = Counts(stamps: stamps, values: values) }
            return values
        }
    }

    /// Deletes that were begun and neither brought to their end nor dropped. Blocks.
    func unfinishedJobs() throws -> [DeleteJobRecord] { try perform { try $0.jobs() } }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (StoreSource) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body(self) }) }
        }
    }

    /// A file that changed under a reader is read again.
    private func perform<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            let opened = try current()
            guard case .inspected(let file, let store, _) = opened else { return try body(opened.store) }
            do {
                let result = try file.telling { try body(store) }
                try file.checkUnchanged()
                return result
            } catch {
                guard attempt < Self.attempts, file.untouched.way == .inPlace, isStale(file) else { throw error }
                attempt += 1
            }
        }
    }

    /// Stops what is being read, so that the program can end.
    func interrupt() {
        state.withLock { $0.opened?.store }?.interrupt()
    }

    /// Lets go of the file, and removes a private copy of it. Nothing is read any more.
    func close() {
        state.withLock { state in
            if case .inspected(let file, _, _) = state.opened { file.close() }
            state.opened = nil
        }
    }

    // MARK: Opening

    private func current() throws -> Opened {
        try state.withLock { state in
            var earlier: InspectedFile?
            if let opened = state.opened {
                guard case .inspected(let file, _, let since) = opened, isStale(file) else { return opened }
                if file.untouched.way == .privateCopy, ContinuousClock.now - since < Self.freshness { return opened }
                earlier = file
            }
            state.opened = nil
            let file = try InspectedFile(url, reusing: earlier)
            let opened = Opened.inspected(file, try file.store(), .now)
            state.opened = opened
            return opened
        }
    }

    /// Names and times only: nothing of the file is opened for this.
    private func isStale(_ file: InspectedFile) -> Bool {
        let seen = file.untouched.file
        return stamps != [seen.stamp, seen.logStamp, seen.journalStamp]
    }

    private var stamps: [FileStamp?] {
        ["", "-wal", "-journal"].map { FileStamp(URL(fileURLWithPath: url.path + $0)) }
    }

    /// What a person should know about the state of the file.
    var notes: [String] {
        state.withLock { state in
            if case .inspected(let file, _, _) = state.opened { file.notes } else { [] }
        }
    }

    // MARK: Writing

    /// Opens the file for writing the first time this is called, after a backup of it. Blocks until that is done.
    /// - Parameter progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: as `WritableStore.open`.
    func writable(progress: @escaping (_ done: Int64, _ total: Int64) throws -> Void) throws -> WritableStore {
        try queue.sync(flags: .barrier) {
            try state.withLock { state in
                if case .writable(let opened) = state.opened { return opened }
                state.opened = nil
                let opened = try WritableStore.open(
                    url, others: options.writesBesideOthers ? .writeBeside : .refuse,
                    backup: options.makesBackup ? .make : .none, progress: progress)
                state.opened = .writable(opened)
                return opened
            }
        }
    }
}
