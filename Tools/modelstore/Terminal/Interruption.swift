import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore

/// Handles Ctrl-C, termination by another process, and the closing of the terminal: stops the current operation, so
/// that it can clean up and report. Nothing is left half done.
enum Interruption {
    private struct State {
        /// The signal that requested the end.
        var request: Int32?
        /// Actions that stop the current operation, the innermost last.
        var actions: [@Sendable () -> Void] = []
    }

    private static let state = Locked(State())
    private static let sources = Locked<[any DispatchSourceSignal]>([])
    /// A separate queue, as the operation may occupy all threads of the shared ones.
    private static let queue = DispatchQueue(label: "modelstore.Interruption")

    /// Installs the signal handlers. A second Ctrl-C ends the process immediately.
    static func install() {
        // A closed pipe then appears as a write error.
        signal(SIGPIPE, SIG_IGN)
        let found = [SIGINT, SIGTERM, SIGHUP].compactMap { number -> (any DispatchSourceSignal)? in
            // Under `nohup`, the operation continues after the terminal is closed.
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

    /// The exit code that shells use for a command ended by a signal.
    static var exitCode: Int32 { 128 + (state.withLock { $0.request } ?? SIGINT) }

    /// - Throws: `Stopped` once a signal has requested it.
    static func check() throws {
        if isRequested { throw Stopped() }
    }

    /// Runs a closure that `action` can stop from another thread. In a nested call, the inner action replaces this one.
    /// Must be called on the main thread.
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

/// Thrown when the user stops the operation.
struct Stopped: Error, CustomStringConvertible {
    var message = "Stopped."

    var description: String { message }
}
