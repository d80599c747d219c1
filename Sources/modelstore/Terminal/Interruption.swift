import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore

/// Ctrl-C, the wish of another process, or the end of the terminal: the work under way is stopped, so that it can clean up
/// and say so; nothing is left half done.
enum Interruption {
    private struct State {
        /// The signal that asked for the end.
        var request: Int32?
        /// What stops the work under way, the innermost last.
        var actions: [@Sendable () -> Void] = []
    }

    private static let state = Locked(State())
    private static let sources = Locked<[any DispatchSourceSignal]>([])
    /// Of its own, as work may take all threads that queues share.
    private static let queue = DispatchQueue(label: "modelstore.Interruption")

    /// Listens from here on. A second Ctrl-C ends the process at once.
    static func install() {
        // A reader that has gone shows as an error of writing.
        signal(SIGPIPE, SIG_IGN)
        let found = [SIGINT, SIGTERM, SIGHUP].compactMap { number -> (any DispatchSourceSignal)? in
            // `nohup` wants the work to go on when the terminal has gone.
            if ignores(signal(number, SIG_IGN)), number == SIGHUP { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let (isFirst, action) = state.withLock { state in
                    defer { state.request = state.request ?? number }
                    return (state.request == nil, state.actions.last)
                }
                guard isFirst else { _exit(exitCode) }
                action?()
            }
            source.resume()
            return source
        }
        sources.withLock { $0 = found }
    }

    private static func ignores(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
    }

    static var isRequested: Bool { state.withLock { $0.request != nil } }

    /// As shells tell of a command that a signal ended.
    static var exitCode: Int32 { 128 + (state.withLock { $0.request } ?? SIGINT) }

    /// - Throws: `Stopped` once somebody wants it.
    static func check() throws {
        if isRequested { throw Stopped() }
    }

    /// Runs a body that `action` can stop from another thread. Within it, the action of an inner body stands for this one.
    /// Called on the main thread only.
    static func stopping<Result>(
        _ action: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        try state.withLock { state in
            if state.request != nil { throw Stopped() }
            state.actions.append(action)
        }
        defer { state.withLock { state in _ = state.actions.popLast() } }
        do {
            return try body()
        } catch let error as SQLiteError where error.isInterrupt || (error.isBusy && isRequested) {
            throw Stopped()
        } catch is CancellationError {
            throw Stopped()
        }
    }

    static func stopping<Result>(_ store: SQLiteStore, _ body: () throws -> Result) throws -> Result {
        try stopping({ store.interrupt() }, body)
    }
}

/// The user wanted the work to end.
struct Stopped: Error, CustomStringConvertible {
    var message = "Stopped."

    var description: String { message }
}
