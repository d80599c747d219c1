import Foundation

/// Keeps the changes of polls in their order: those of one poll are passed on before the next poll begins, on any thread.
package final class PollOrder: Sendable {
    /// Recursive, because passing changes on may release a poller.
    private let lock = NSRecursiveLock()

    package init() {}

    /// Reads the changes of others, and passes them on if there are any.
    /// - Parameters:
    ///   - read: It must not wait for another thread that may poll.
    ///   - pass: It must neither block nor poll.
    /// - Returns: The changes.
    package func poll(
        _ read: () throws -> SavedChanges, passingTo pass: (SavedChanges) -> Void
    ) throws -> SavedChanges {
        try lock.withLock {
            let changes = try read()
            if !changes.isEmpty { pass(changes) }
            return changes
        }
    }

    /// Runs `body` while no poll is in progress.
    func withoutPolls(_ body: () -> Void) { lock.withLock { body() } }
}
