import Foundation
import ServiceLifecycle
import Synchronization

/// Notifies every open window of changes of the collection.
///
/// A window receives the new revision and reloads its page if it shows an older one. So lost, duplicate and late
/// messages do no harm.
final class LiveUpdates: Service {
    private struct State {
        var revision = 0
        var lastChange: ContinuousClock.Instant?
        var windows: [UUID: AsyncStream<LiveMessage>.Continuation] = [:]
    }

    private let state = Mutex(State())
    /// Differs at each launch, so that pages of earlier launches are always out of date.
    private let launch = String(UInt32.random(in: 0 ... .max), radix: 36)

    /// The revision of the collection, as in pages and messages.
    var revision: String { state.withLock { "\(launch)-\($0.revision)" } }

    /// Notifies all windows that the collection, or its saved state, has changed.
    func collectionChanged() {
        state.withLock { state in
            state.revision += 1
            state.lastChange = .now
        }
        send(.revision(revision))
    }

    /// The last time that windows were notified of a change; `nil` before the first one.
    var lastChange: ContinuousClock.Instant? { state.withLock { $0.lastChange } }

    /// Whether any window is connected.
    var hasWindows: Bool { state.withLock { !$0.windows.isEmpty } }

    /// Sends the progress of a long task, which windows show without reloading their pages.
    func progressed(_ progress: ProgressMessage) {
        send(.progress(progress))
    }

    /// Makes windows that show this model leave it. Call it before the model is deleted.
    func willDelete(_ leaving: LiveMessage.Leaving) {
        send(.leaving(leaving))
    }

    /// The stream of messages for one window, starting with the current revision.
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

    /// Sends a message at intervals, so that closed connections are detected.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(15))
                self.send(.keepAlive)
            }
        }
    }
}
