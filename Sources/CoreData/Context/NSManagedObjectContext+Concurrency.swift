import Foundation

/// Blocks on the context's queue.
///
/// They are `@Sendable`, because the queue may run them on any thread: in Swift 6 the compiler warns of a block that uses state
/// of the main actor. Code in Swift 5 mode may pass any block.
extension NSManagedObjectContext {
    /// When an asynchronous block may begin.
    public enum ScheduledTaskType: Sendable, Hashable {
        /// At once, where the caller is on the context's queue already.
        case immediate
        /// After what waits on the queue.
        case enqueued
    }

    /// Runs the block on the context's queue, later, and processes pending changes after it.
    @preconcurrency
    public nonisolated func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// Runs the block on the context's queue now. Within a block of the same context, or on the main queue for a context of
    /// that queue, it runs at once, as part of the event; otherwise pending changes are processed after it.
    @preconcurrency
    public nonisolated func performAndWait<T, E: Error>(_ block: @Sendable () throws(E) -> T) throws(E) -> T {
        let isPartOfEvent = queue.isCurrent
        return try queue.sync { () throws(E) -> T in
            defer { if !isPartOfEvent { processPendingChanges() } }
            return try block()
        }
    }

    /// Runs the block on the context's queue and returns its result. Pending changes are processed as in `performAndWait`.
    @preconcurrency
    public nonisolated func perform<T, E: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(E) -> T
    ) async throws(E) -> T {
        if schedule == .immediate, queue.isCurrent { return try queue.sync(block) }
        return try await enqueue(block)
    }

    // MARK: Blocks of this module: each is handed to the queue once, and used there only

    final func enqueue(_ block: @escaping () -> Void) {
        queue.async {
            block()
            self.processPendingChanges()
        }
    }

    final func enqueue<T, E: Error>(_ block: @escaping () throws(E) -> T) async throws(E) -> T {
        try await queue.run { () throws(E) -> T in
            defer { self.processPendingChanges() }
            return try block()
        }
    }
}
