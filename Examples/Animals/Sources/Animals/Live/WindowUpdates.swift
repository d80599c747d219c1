import ServiceLifecycle

/// Sends the open windows what observers have seen, and releases the lists of closed ones.
@MainActor
final class WindowUpdates: Service {
    private let zoo: Zoo
    private let work: LongWork
    private let live: LiveUpdates

    /// Changes that come meanwhile make one message.
    private static let betweenMessages = Duration.milliseconds(50)
    /// Windows fetch their pages within moments after a message.
    private static let betweenReleases = Duration.seconds(15)

    init(zoo: Zoo, work: LongWork, live: LiveUpdates) {
        (self.zoo, self.work, self.live) = (zoo, work, live)
    }

    nonisolated func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.notifyWindows() }
                group.addTask { await self.releaseLists() }
            }
        }
    }

    private func notifyWindows() async {
        // Makes the observers, whose changes follow.
        _ = try? await zoo.counts()
        for await _ in zoo.saved.changes.stream {
            // A long task changes many times a second: windows get its numbers, and fetch their pages when it says so.
            if work.isUnderWay { await sendNumbers() } else { live.collectionChanged() }
            guard (try? await Task.sleep(for: Self.betweenMessages)) != nil else { return }
        }
    }

    private func sendNumbers() async {
        // The numbers are newer than the status, so that the bar is measured by them, and not ahead of them.
        guard live.hasWindows, let status = work.status, let counts = try? await zoo.counts() else { return }
        live.progressed(ProgressMessage(status, counts))
    }

    /// All windows fetch their pages after a change. Lists that none has requested since are not shown any more.
    private func releaseLists() async {
        var lastChange: ContinuousClock.Instant?
        while (try? await Task.sleep(for: Self.betweenReleases)) != nil {
            if !live.hasWindows {
                await zoo.releaseLists(notShownSince: .now)
            } else if let lastChange {
                await zoo.releaseLists(notShownSince: lastChange)
            }
            lastChange = live.lastChange
        }
    }
}
