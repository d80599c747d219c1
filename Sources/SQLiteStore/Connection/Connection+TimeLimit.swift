import Foundation
import ObjectGraph

extension Connection {
    /// Runs a body on the current thread. When the time is up, its statements are interrupted.
    /// - Returns: `nil` if the body was interrupted.
    /// - Throws: The errors of the body.
    func within<Result>(seconds: Double, _ body: () throws -> Result) throws -> Result? {
        let clock = TimeLimit(self)
        let timer = DispatchWorkItem { clock.ring() }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + seconds, execute: timer)
        defer {
            timer.cancel()
            clock.end()
            // Later statements of the connection must not be interrupted.
            if clock.hasRung { clearInterrupt() }
        }
        do {
            return try body()
        } catch let error as SQLiteError where error.isInterrupt && clock.hasRung {
            return nil
        }
    }
}

/// Interrupts the statements of a connection when time is up, unless the body has ended.
private final class TimeLimit: Sendable {
    private enum State {
        case running(Connection)
        case rung
        case over
    }

    private let state: Locked<State>

    init(_ connection: Connection) { state = Locked(.running(connection)) }

    func ring() {
        state.withLock { state in
            guard case .running(let connection) = state else { return }
            connection.interrupt()
            state = .rung
        }
    }

    func end() {
        state.withLock { state in
            if case .running = state { state = .over }
        }
    }

    var hasRung: Bool { state.withLock { if case .rung = $0 { true } else { false } } }
}
