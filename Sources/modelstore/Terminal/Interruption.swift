import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore

/// Ctrl-C: the work under way is stopped, so that it can clean up and say so; nothing is left half done.
enum Interruption {
    private struct State {
        var isRequested = false
        var actions: [Int: @Sendable () -> Void] = [:]
        var nextKey = 0
    }

    private static let state = Locked(State())
    private static let sources = Locked<[any DispatchSourceSignal]>([])

    /// Listens from here on. A second Ctrl-C ends the process at once.
    static func install() {
        // A reader that has gone shows as an error of writing.
        signal(SIGPIPE, SIG_IGN)
        let found = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let actions: [@Sendable () -> Void]? = state.withLock { state in
                    if state.isRequested { return nil }
                    state.isRequested = true
                    return Array(state.actions.values)
                }
                guard let actions else { _exit(Failure.stopped) }
                for action in actions { action() }
            }
            source.resume()
            return source
        }
        sources.withLock { $0 = found }
    }

    static var isRequested: Bool { state.withLock { $0.isRequested } }

    /// - Throws: `Stopped` once somebody wants it.
    static func check() throws {
        if isRequested { throw Stopped() }
    }

    /// Runs a body that `action` can stop from another thread.
    static func stopping<Result>(
        _ action: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let key = try state.withLock { state -> Int in
            if state.isRequested { throw Stopped() }
            state.nextKey += 1
            state.actions[state.nextKey] = action
            return state.nextKey
        }
        defer { state.withLock { state in state.actions[key] = nil } }
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
