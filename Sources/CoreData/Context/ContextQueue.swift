import Foundation
import ObjectGraph

/// Where the work of one context, or coordinator, runs: one block after the other, on a queue of its own or on the main
/// queue. Work that is started from within a block of the same queue, however deep, runs at once.
final class ContextQueue: @unchecked Sendable {
    // Constants but for the reference, which is set before anything runs; what a thread holds is known to it alone.
    private let queue: DispatchQueue
    let isMain: Bool
    /// The context whose work runs here. Set once, before anything runs.
    weak var context: NSManagedObjectContext?

    init(main: Bool, label: String) {
        isMain = main
        queue = main ? .main : DispatchQueue(label: label)
    }

    /// Whether the caller is on the queue, or somebody who is waits for the caller.
    var isCurrent: Bool { HeldQueues.current.contains { $0.identity == identity } }

    /// The same for all contexts of the main queue.
    var identity: ObjectIdentifier { ObjectIdentifier(isMain ? MainQueue.held : self) }

    func async(_ body: @escaping () -> Void) {
        let work = Work(body: body)
        queue.async { HeldQueues.holding([self]) { work.body() } }
    }

    /// Runs the work now, after what was there before: where the queue runs blocks, or at once for a caller who is on it.
    ///
    /// Callers on other queues wait for this one, and never in a circle: when this queue's block waits for one that the
    /// caller holds, it cannot go on before the caller is done, so the work may as well run here and now.
    func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let held = HeldQueues.current
        var result: Swift.Result<Result, Failure>?
        func work() {
            // The caller waits, so what it holds may be used by the work. A queue that is held already is noted again: several
            // contexts share the main queue, and the innermost one is the current one.
            HeldQueues.holding(held + [self]) {
                do throws(Failure) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
            }
        }
        if held.contains(where: { $0.identity == identity }) {
            work()
        } else if let wait = QueueWait(of: held, for: self) {
            queue.sync {
                wait.end()
                work()
            }
        } else {
            work()
        }
        guard let result else {
            // All of them run the work before they return.
            Misuse.stop("A dispatch queue did not run its work.")
        }
        return try result.get()
    }

    /// The same without blocking the caller's thread.
    func run<Result, Failure: Error>(
        _ body: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let work = ThrowingWork(body: body)
        let outcome: Outcome<Result, Failure> = await withCheckedContinuation { continuation in
            queue.async {
                HeldQueues.holding([self]) {
                    do throws(Failure) {
                        continuation.resume(returning: Outcome(result: .success(try work.body())))
                    } catch {
                        continuation.resume(returning: Outcome(result: .failure(error)))
                    }
                }
            }
        }
        return try outcome.result.get()
    }

    /// Crosses to the queue once and is used there only, as whoever gives it says.
    private struct Work: @unchecked Sendable {
        let body: () -> Void
    }

    /// As above.
    private struct ThrowingWork<Result, Failure: Error>: @unchecked Sendable {
        let body: () throws(Failure) -> Result
    }

    /// Crosses back once; the queue keeps nothing of it.
    private struct Outcome<Result, Failure: Error>: @unchecked Sendable {
        let result: Swift.Result<Result, Failure>
    }
}
