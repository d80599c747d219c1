import Foundation
import ObjectGraph
import Synchronization

extension NSManagedObjectContext {
    /// The reactions to a use of a context, or of an object of one, outside of the context's queue.
    public enum ConcurrencyCheck: Sendable {
        /// Uses are not checked.
        case off
        /// The closure is called with a description of the use, on the thread that made it, and the program continues.
        case report(@Sendable (String) -> Void)
        /// The process ends with a description of the use.
        case stop
    }

    /// The reaction to uses of contexts outside of their queues, for programs under test.
    ///
    /// The initial value is `stop` if the environment has `com.apple.CoreData.ConcurrencyDebug=1`, or the arguments have
    /// `-com.apple.CoreData.ConcurrencyDebug 1`, as with Apple's framework, and `off` otherwise. Set it before objects are made:
    /// existing objects may stay unchecked.
    public static var concurrencyCheck: ConcurrencyCheck {
        get { QueueCheck.current }
        set { QueueCheck.current = newValue }
    }

    /// - Parameter action: the caller's function, for the description.
    @inline(__always)
    final func checkQueue(_ action: StaticString = #function) {
        if QueueCheck.isOn { QueueCheck.check(self, action) }
    }
}

/// Checks that contexts are used on their queues.
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
