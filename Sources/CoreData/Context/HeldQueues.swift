import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// The context in whose block the caller is.
    static var current: NSManagedObjectContext? { HeldQueues.current.last?.context }
}

/// The queues whose work the current thread is doing, the innermost last.
enum HeldQueues {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: [ContextQueue] {
        let noted = pthread_getspecific(key)?.assumingMemoryBound(to: [ContextQueue].self).pointee ?? []
        return MainQueue.isCurrent && !noted.contains(where: \.isMain) ? [MainQueue.held] + noted : noted
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

/// The main queue, which also runs what is not a context's work: whatever is isolated to the main actor.
enum MainQueue {
    /// Stands for the queue while something else than a context's work holds it.
    static let held = ContextQueue(main: true, label: "")

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main thread alone does not tell: from the first suspension of an asynchronous `main` on, worker threads do the
    /// main queue's work.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil || Thread.isMainThread }
}

/// That the queues a caller holds stand still until another one has run the caller's work.
///
/// The waits of all threads are known, so that nobody waits for somebody who waits for them. Whoever begins to wait looks
/// and tells under one lock: of those who would close a circle, the last one sees it.
struct QueueWait {
    /// Which queue waits for which; each for one at most, as the block that runs on it is at one place.
    private static let waits = Locked<[ObjectIdentifier: ObjectIdentifier]>([:])

    private let waiting: [ObjectIdentifier]

    /// - Returns: `nil` when the queue itself waits for one of those held, by way of others or not.
    init?(of held: [ContextQueue], for queue: ContextQueue) {
        let held = Set(held.map(\.identity))
        let waiting = held.isEmpty ? [] : Self.waits.withLock { Self.begin(held, queue.identity, &$0) }
        guard let waiting else { return nil }
        self.waiting = waiting
    }

    private static func begin(
        _ held: Set<ObjectIdentifier>, _ target: ObjectIdentifier, _ waits: inout [ObjectIdentifier: ObjectIdentifier]
    ) -> [ObjectIdentifier]? {
        var last = target
        while let next = waits[last] {
            if held.contains(next) { return nil }
            last = next
        }
        // Those who wait already do so until the caller is done.
        let waiting = held.filter { waits[$0] == nil }
        for queue in waiting { waits[queue] = target }
        return Array(waiting)
    }

    /// The work has begun: what was held is in use again.
    func end() {
        guard !waiting.isEmpty else { return }
        Self.waits.withLock { waits in
            for queue in waiting { waits[queue] = nil }
        }
    }
}
