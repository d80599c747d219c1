import Foundation

extension NotificationCenter {
    /// An element for each notification of this name that the object posts, on any thread.
    func posts(of name: Notification.Name, by object: AnyObject) -> AsyncStream<Void> {
        AsyncStream { stream in
            let token = addObserver(forName: name, object: object, queue: nil) { _ in stream.yield() }
            nonisolated(unsafe) let kept = token  // Only handed back to the center.
            stream.onTermination = { _ in NotificationCenter.default.removeObserver(kept) }
        }
    }
}
