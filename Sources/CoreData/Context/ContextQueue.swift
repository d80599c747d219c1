import Foundation
import ObjectGraph

/// Where the work of one context, or coordinator, runs: one block after the other, on a queue of its own or on the main
/// queue. Work that is started from within a block of the same queue, however deep, runs at once.
final class ContextQueue: @unchecked Sendable {
    // Constants but for the reference, which is set before anything runs; what a thread holds is known to it alone.
    private let queue: DispatchQueue
    private let isMain: Bool
    /// The context whose work runs here. Set once, before anything runs.
    weak var context: NSManagedObjectContext?

    init(main: Bool, label: String) {
        isMain = main
        queue = main ? .main : DispatchQueue(label: label)
    }

    /// Whether the caller is on the queue.
    var isCurrent: Bool {
        if HeldQueues.current.contains(where: { $0 === self }) { return true }
        return isMain && Thread.isMainThread
    }

    func async(_ body: @escaping () -> Void) {
        let work = Work(body: body)
        queue.async { HeldQueues.holding([self]) { work.body() } }
    }

    /// Runs the work now, after what was there before, on the calling thread (on the main thread for the main queue).
    func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if isCurrent { return try body() }
        // The caller waits, so what it holds may be used by the work.
        let held = HeldQueues.current + [self]
        var result: Swift.Result<Result, Failure>?
        queue.sync {
            HeldQueues.holding(held) {
                do throws(Failure) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
            }
        }
        guard let result else {
            // The queue runs what it is given before it returns.
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

extension NSManagedObjectContext {
    /// The context in whose block the caller is.
    static var current: NSManagedObjectContext? { HeldQueues.current.last?.context }
}

/// The queues whose work the current thread is doing.
private enum HeldQueues {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: [ContextQueue] {
        pthread_getspecific(key)?.assumingMemoryBound(to: [ContextQueue].self).pointee ?? []
    }

    static func holding(_ queues: [ContextQueue], _ body: () -> Void) {
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        var list = queues
        withUnsafeMutablePointer(to: &list) { list in
            pthread_setspecific(key, list)
            body()
        }
    }
}
