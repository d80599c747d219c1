import Foundation
import ServiceLifecycle
import Synchronization

/// Tells every open window that the collection changed.
///
/// A window is sent the new revision and fetches its own page again when it shows an older one, so a message that is
/// lost, doubled or late does no harm.
final class LiveUpdates: Service {
    private struct State {
        var revision = 0
        var windows: [UUID: AsyncStream<LiveMessage>.Continuation] = [:]
    }

    private let state = Mutex(State())
    /// Differs from launch to launch: a page of an earlier one is always out of date.
    private let launch = String(UInt32.random(in: 0 ... .max), radix: 36)

    /// The revision of the collection as pages and messages spell it.
    var revision: String { state.withLock { "\(launch)-\($0.revision)" } }

    /// The collection, or whether it is saved, is different now.
    func collectionChanged() {
        state.withLock { $0.revision += 1 }
        send(.revision(revision))
    }

    /// Whether there is a window to send anything to.
    var hasWindows: Bool { state.withLock { !$0.windows.isEmpty } }

    /// A long task has made progress: windows show its numbers without fetching their pages.
    func progressed(_ progress: ProgressMessage) {
        send(.progress(progress))
    }

    /// Windows that show this model close it. To be called before it is deleted.
    func willDelete(_ leaving: LiveMessage.Leaving) {
        send(.leaving(leaving))
    }

    /// The messages for one window, the current revision first.
    func messages() -> AsyncStream<LiveMessage> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LiveMessage.self, bufferingPolicy: .bufferingNewest(32))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.windows.removeValue(forKey: id) }
        }
        state.withLock { $0.windows[id] = continuation }
        continuation.yield(.revision(revision))
        return stream
    }

    private func send(_ message: LiveMessage) {
        let windows = state.withLock { Array($0.windows.values) }
        for window in windows { window.yield(message) }
    }

    /// Sends something now and then, so that connections of closed windows are noticed.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(15))
                self.send(.keepAlive)
            }
        }
    }
}
