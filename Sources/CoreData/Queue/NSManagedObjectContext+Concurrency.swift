import Foundation

/// Blocks on the context's queue.
///
/// Blocks are `@Sendable`, because the queue may run them on any thread: in Swift 6 the compiler warns of a block that uses
/// state of the main actor. Code in Swift 5 mode may pass any block.
extension NSManagedObjectContext {
    /// The times at which an asynchronous block may begin.
    public enum ScheduledTaskType: Sendable, Hashable {
        /// At once, if the caller is on the context's queue.
        case immediate
        /// After the blocks that are enqueued already.
        case enqueued
    }

    /// Enqueues a block on the context's queue and returns at once. Pending changes are processed after the block.
    /// - Parameter block: runs on the context's queue.
    @preconcurrency
    public nonisolated func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it.
    ///
    /// Within a block of the same context, or on the main queue for a context of the main queue, the block runs at once, as
    /// part of the event; otherwise pending changes are processed after it.
    /// - Parameter block: runs on the context's queue.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    @preconcurrency
    public nonisolated func performAndWait<T, E: Error>(_ block: @Sendable () throws(E) -> T) throws(E) -> T {
        let isPartOfEvent = queue.isCurrent
        return try queue.sync { () throws(E) -> T in
            defer { if !isPartOfEvent { processPendingChanges() } }
            return try block()
        }
    }

    /// Runs a block on the context's queue and returns its result without blocking a thread. Pending changes are processed
    /// after the block, unless it runs at once as part of the event.
    /// - Parameters:
    ///   - schedule: `.immediate` runs the block at once if the caller is on the queue.
    ///   - block: runs on the context's queue.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    @preconcurrency
    public nonisolated func perform<T, E: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(E) -> T
    ) async throws(E) -> T {
        if schedule == .immediate, queue.isCurrent { return try queue.sync(block) }
        return try await enqueue(block)
    }

    // MARK: Blocks of this module: each is passed to the queue once, and used only there

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
