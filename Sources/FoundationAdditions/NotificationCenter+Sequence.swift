#if !canImport(Darwin)
import Foundation

extension NotificationCenter {
    /// Returns the notifications that are posted from now on, until the sequence is released or its task cancelled.
    /// Disfavored, so that Foundation's is used once it has it.
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The object that posts them; `nil` for any.
    @_disfavoredOverload
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> AsyncStream<Notification> {
        let (stream, continuation) = AsyncStream<Notification>.makeStream()
        let observer = addObserver(forName: name, object: object, queue: nil) { notification in
            // As on Apple's systems, the reader must know which parts may cross threads.
            nonisolated(unsafe) let notification = notification
            continuation.yield(notification)
        }
        // Used once, to remove it.
        nonisolated(unsafe) let token = observer
        continuation.onTermination = { [weak self] _ in self?.removeObserver(token) }
        return stream
    }
}
#endif
