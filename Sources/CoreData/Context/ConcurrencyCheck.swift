import Foundation
import ObjectGraph
import Synchronization

extension NSManagedObjectContext {
    /// What happens where a context, or an object of one, is used outside of the context's queue.
    public enum ConcurrencyCheck: Sendable {
        /// Nobody looks.
        case off
        /// The closure is told what was done, on the thread that did it; the program goes on.
        case report(@Sendable (String) -> Void)
        /// The process ends with a text that says what was done.
        case stop
    }

    /// For programs while they are tested. From the start it is `stop` where the environment has
    /// `com.apple.CoreData.ConcurrencyDebug=1`, or the arguments `-com.apple.CoreData.ConcurrencyDebug 1`, as Apple's
    /// frameworks know it; else it is `off`. Set it before there are objects: those that there are may stay unwatched.
    public static var concurrencyCheck: ConcurrencyCheck {
        get { QueueCheck.current }
        set { QueueCheck.current = newValue }
    }

    /// - Parameter action: what the caller does.
    @inline(__always)
    final func checkQueue(_ action: StaticString = #function) {
        if QueueCheck.isOn { QueueCheck.check(self, action) }
    }
}

/// Whether contexts are used on their queues.
enum QueueCheck {
    private static let name = "com.apple.CoreData.ConcurrencyDebug"
    private static let chosen = Locked<NSManagedObjectContext.ConcurrencyCheck>(isAskedFor ? .stop : .off)
    private static let flag = Atomic<Bool>(isAskedFor)

    private static var isAskedFor: Bool {
        let arguments = CommandLine.arguments
        let argument = arguments.firstIndex(of: "-" + name).map { arguments[$0...].dropFirst().first }
        return [argument ?? nil, ProcessInfo.processInfo.environment[name]].contains { $0.map { $0 != "0" } ?? false }
    }

    static var isOn: Bool { flag.load(ordering: .relaxed) }

    static var current: NSManagedObjectContext.ConcurrencyCheck {
        get { chosen.withLock { $0 } }
        set {
            chosen.withLock { $0 = newValue }
            if case .off = newValue {
                flag.store(false, ordering: .relaxed)
            } else {
                flag.store(true, ordering: .relaxed)
            }
        }
    }

    static func check(_ context: NSManagedObjectContext, _ action: StaticString) {
        if context.queue.isCurrent { return }
        let name = context.name.map { "context '\($0)'" } ?? "a context"
        let text = "\(action) outside of the queue of \(name); use perform(_:) or performAndWait(_:)."
        switch current {
        case .off: return
        case .report(let report): report(text)
        case .stop: Misuse.stop(text)
        }
    }
}
