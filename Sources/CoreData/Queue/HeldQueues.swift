import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// The context whose block the caller runs in.
    static var current: NSManagedObjectContext? { HeldQueues.current.last?.context }
}

/// The queues whose work the current thread runs, the innermost last.
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

/// The main queue, which also runs work that no context started, such as that of the main actor.
enum MainQueue {
    /// Represents the main queue while it runs work that no context started.
    static let held = ContextQueue(main: true, label: "")

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Checking the main thread is not enough: from the first suspension of an asynchronous `main` on, worker threads run the
    /// main queue's work.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil || Thread.isMainThread }
}

/// A wait: the queues that a caller holds are blocked until another queue has run the caller's work.
///
/// The waits of all threads are registered to prevent deadlock between waiting queues. Checking for a circle and registering
/// happen under one lock, so that the last wait of a circle always detects it.
struct QueueWait {
    /// The queue that each queue waits for. A queue waits for one at most, because it runs one block at a time.
    private static let waits = Locked<[ObjectIdentifier: ObjectIdentifier]>([:])

    private let waiting: [ObjectIdentifier]

    /// - Returns: `nil` if the queue itself waits for one of the held queues, directly or through others.
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
        // Queues that wait already do so until the caller is done.
        let waiting = held.filter { waits[$0] == nil }
        for queue in waiting { waits[queue] = target }
        return Array(waiting)
    }

    /// The work has begun: the held queues are in use again.
    func end() {
        guard !waiting.isEmpty else { return }
        Self.waits.withLock { waits in
            for queue in waiting { waits[queue] = nil }
        }
    }
}
