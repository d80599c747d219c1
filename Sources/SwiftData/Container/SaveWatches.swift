import Foundation
import ObjectGraph
import Synchronization

extension ModelContainer {
    /// The name of the notification posted after a store of a container was saved: by a context of the container, by another
    /// container or coordinator of the process, or by another process. Its object is the container. `userInfo` has, under the
    /// raw value of `ModelContext.NotificationKey.historyTokens`, the newest position of the stores that keep a history.
    ///
    /// It is posted on the thread that saved, or that detected the save. From the first use of this name on, the files of all
    /// containers are watched for saves of other processes, four times a second, for one statement each.
    public static var remoteChange: Notification.Name {
        SaveWatches.beginPosting()
        return SaveWatches.name
    }
}

/// The watches on the saves of one container's stores. Saves of other processes are looked for while there are any.
final class SaveWatches: Sendable {
    static let name = Notification.Name("ModelContainerRemoteChange")

    private struct State {
        var watches: Set<Int> = []
        /// What to call after a save, by the number of the watch. Watches of live results have nothing to call.
        var closures: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
        var pollers: [any SavePoller] = []
        /// Whether the notification is posted, so that there always is a watch.
        var isPosting = false

        mutating func add(_ notify: (@Sendable () -> Void)?, _ makePollers: () -> [any SavePoller]) -> Int {
            if watches.isEmpty { pollers = makePollers() }
            lastNumber += 1
            watches.insert(lastNumber)
            closures[lastNumber] = notify
            return lastNumber
        }

        mutating func remove(_ number: Int) {
            watches.remove(number)
            closures[number] = nil
        }
    }

    private let state = Locked(State())

    func notify() {
        for closure in state.withLock({ Array($0.closures.values) }) { closure() }
    }

    /// - Parameter pollers: Called for the first watch.
    fileprivate func add(_ notify: (@Sendable () -> Void)?, pollers: () -> [any SavePoller]) -> Int {
        state.withLock { $0.add(notify, pollers) }
    }

    fileprivate func remove(_ number: Int) {
        // Released outside the lock, because they wait for a poll in progress.
        let unused: [any SavePoller] = state.withLock { state in
            state.remove(number)
            guard state.watches.isEmpty else { return [] }
            defer { state.pollers = [] }
            return state.pollers
        }
        withExtendedLifetime(unused) {}
    }

    /// Looks for saves of others without waiting for the next poll.
    func pollNow() {
        for poller in state.withLock({ $0.pollers }) { poller.pollNow() }
    }

    // MARK: The notification

    private struct OpenCore {
        weak var core: ContainerCore?
    }

    private static let openCores = Locked<[ObjectIdentifier: OpenCore]>([:])
    private static let posts = Atomic<Bool>(false)

    /// Whether the program uses the notification's name.
    static var isPosting: Bool { posts.load(ordering: .acquiring) }

    static func beginPosting() {
        guard !posts.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for core in openCores.withLock({ $0.values.compactMap(\.core) }) { core.saveWatches.keepPosting(core) }
    }

    static func register(_ core: ContainerCore) {
        openCores.withLock { $0[ObjectIdentifier(core)] = OpenCore(core: core) }
        if isPosting { core.saveWatches.keepPosting(core) }
    }

    /// Called when a core is released. Looking for released ones would retain the others for a moment, and their files might
    /// be closed on another thread, after the program released their container.
    static func unregister(_ core: ObjectIdentifier) { openCores.withLock { $0[core] = nil } }

    private func keepPosting(_ core: ContainerCore) {
        state.withLock { state in
            if !state.isPosting { _ = state.add(nil, core.makePollers) }
            state.isPosting = true
        }
    }
}

/// Detects saves of other processes to a store. Stops when it is released.
protocol SavePoller: Sendable {
    /// Looks at once, without waiting for the next poll.
    func pollNow()
}

/// A watch on the saves of a container's stores. Ends when it is released.
final class SaveWatch: Sendable {
    private let number: Int
    private let watches: SaveWatches

    fileprivate init(_ watches: SaveWatches, _ number: Int) {
        self.watches = watches
        self.number = number
    }

    deinit { watches.remove(number) }
}

extension ContainerCore {
    /// Looks for saves of other processes until the result is released, so that contexts receive their changes.
    /// - Parameter notify: Called after each save of a store by this or another process, on any thread. Contexts have received
    ///   the changes of others before.
    func watchSaves(_ notify: (@Sendable () -> Void)? = nil) -> SaveWatch {
        SaveWatch(saveWatches, saveWatches.add(notify, pollers: makePollers))
    }

    /// Notifies the watches, and posts `ModelContainer.remoteChange`.
    func storesWereSaved() {
        saveWatches.notify()
        guard SaveWatches.isPosting else { return }
        let tokens = historyToken().map { [ModelContext.NotificationKey.historyTokens.rawValue: $0] }
        NotificationCenter.default.post(
            name: SaveWatches.name, object: owner.withLock { $0.container } ?? ModelContainer(self), userInfo: tokens)
    }

    /// The positions of all stores that keep a history: after a save, and the newest of stores that it did not write; `nil`
    /// without history.
    /// - Parameter saved: The transactions of the save, by store identifier.
    func historyToken(after saved: [String: Int64] = [:]) -> DefaultHistoryToken? {
        var numbers = saved
        for store in stores where numbers[store.identifier] == nil {
            guard let newest = try? store.historyRecording?.historyToken() else { continue }
            numbers[store.identifier] = newest.number(of: store.identifier)
        }
        return numbers.isEmpty ? nil : DefaultHistoryToken(ObjectGraph.HistoryToken(numbers))
    }
}

/// The container that the program created; other handles on its stores are made as needed.
struct ContainerOwner {
    weak var container: ModelContainer?
}
