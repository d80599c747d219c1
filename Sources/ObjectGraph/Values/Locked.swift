import Foundation

/// A value protected by a lock.
///
/// The standard library's `Mutex` would suffice, but on Linux it uses atomics that the thread sanitizer does not
/// understand, so that it reports races in correct code. A lock of the system keeps this check usable.
package final class Locked<State>: @unchecked Sendable {  // The state is accessed only with the lock held.
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
