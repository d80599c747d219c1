import Foundation

/// A value behind a lock.
///
/// The standard library's `Mutex` would do, but on Linux it is made of atomics that the thread sanitizer does not
/// understand: it reports correct code as a race. A lock of the system's keeps that check worth something.
package final class Locked<State>: @unchecked Sendable {  // The state is reached under the lock only.
    private let lock = NSLock()
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
