import Foundation

/// When work in a context may begin.
extension NSManagedObjectContext {
    public enum ScheduledTaskType: Sendable, Hashable {
        /// At once, where the caller is on the context's queue already.
        case immediate
        /// After what waits on the queue.
        case enqueued
    }

    /// Runs the block on the context's queue, later, and processes pending changes after it.
    public func perform(_ block: @escaping () -> Void) {
        queue.async {
            block()
            self.processPendingChanges()
        }
    }

    /// Runs the block on the context's queue now. Within a block of the same context it runs at once.
    public func performAndWait<T, E: Error>(_ block: () throws(E) -> T) throws(E) -> T {
        try queue.sync(block)
    }

    /// Runs the block on the context's queue and gives what it gives.
    public func perform<T, E: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(E) -> T
    ) async throws(E) -> T {
        if schedule == .immediate, queue.isCurrent { return try block() }
        return try await queue.run { () throws(E) -> T in
            let result = try block()
            self.processPendingChanges()
            return result
        }
    }
}
