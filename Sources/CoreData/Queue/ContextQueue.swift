import Foundation
import ObjectGraph

/// The serial queue of one context or coordinator: a queue of its own, or the main queue. Work that is started from within a
/// block of the same queue, at any depth, runs at once.
final class ContextQueue: @unchecked Sendable {
    // Constants except the reference, which is set before any work runs; the list of held queues is local to each thread.
    private let queue: DispatchQueue
    let isMain: Bool
    /// The context whose work runs here. Set once, before any work runs.
    weak var context: NSManagedObjectContext?

    init(main: Bool, label: String) {
        isMain = main
        queue = main ? .main : DispatchQueue(label: label)
    }

    /// Whether the caller runs on the queue, or a block on the queue waits for the caller.
    var isCurrent: Bool { HeldQueues.current.contains { $0.identity == identity } }

    /// The queue's identity; all contexts of the main queue share one.
    var identity: ObjectIdentifier { ObjectIdentifier(isMain ? MainQueue.held : self) }

    func async(_ body: @escaping () -> Void) {
        let work = Work(body: body)
        queue.async { HeldQueues.holding([self]) { work.body() } }
    }

    /// Runs the work after earlier blocks and waits for it; a caller on this queue runs it at once.
    ///
    /// Waits never form a circle: if a block of this queue waits for a queue that the caller holds, that block cannot continue
    /// before the caller is done, so that the work can safely run on the caller's thread.
    func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let held = HeldQueues.current
        var result: Swift.Result<Result, Failure>?
        func work() {
            // The caller waits, so the work may use the queues it holds. A queue that is already held is listed again: several
            // contexts share the main queue, and the innermost one is current.
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

    /// Runs the work after earlier blocks without blocking the caller's thread.
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

    /// Crosses to the queue once and is used only there, which the caller guarantees.
    private struct Work: @unchecked Sendable {
        let body: () -> Void
    }

    /// Crosses to the queue once and is used only there, which the caller guarantees.
    private struct ThrowingWork<Result, Failure: Error>: @unchecked Sendable {
        let body: () throws(Failure) -> Result
    }

    /// Crosses back once; the queue retains nothing of it.
    private struct Outcome<Result, Failure: Error>: @unchecked Sendable {
        let result: Swift.Result<Result, Failure>
    }
}
