import ObjectGraph
import Observation

/// Observes the history of a container's stores: a counter increases when transactions of interest were added, by this or
/// another process.
///
/// ```swift
/// let observer = try HistoryObserver(authors: ["App"], modelContainer: container)
/// withObservationTracking { _ = observer.eventCounter } onChange: { … }
/// ```
///
/// The transactions themselves are fetched with `ModelContext.fetchHistory(_:)`, from the program's own token on.
public final class HistoryObserver: Observable, Sendable {
    /// The container whose stores are observed.
    public let modelContainer: ModelContainer
    /// The classes whose changes are of interest, with their subclasses; empty for all.
    public let observedModels: [any PersistentModel.Type]
    /// The authors whose transactions are of interest; empty for all.
    public let authors: Set<String>
    private let registrar = ObservationRegistrar()
    private let counter = Locked(0)
    private let unseen: Locked<UnseenHistory>
    /// The actor on which the counter changes; `nil` for the thread that saves or detects a save.
    private let actor: (any Actor)?
    /// Set once, at the end of the initializer.
    private let watch = Locked<SaveWatch?>(nil)

    /// The number of saves, or of groups of saves detected together, that added transactions of interest.
    ///
    /// It changes on the actor on which the observer was created, or, if that was none, on the thread that saved or detected
    /// the save.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return counter.withLock { $0 }
    }

    /// Creates an observer.
    /// - Parameters:
    ///   - historyTokens: The positions, by store identifier, after which transactions are of interest. They are looked for
    ///     with the next save. Where there is none, the store's newest position.
    ///   - observedModels: The classes whose changes are of interest, with their subclasses; empty for all.
    ///   - authors: The authors whose transactions are of interest; empty for all.
    ///   - modelContainer: The container. Its SQLite stores are observed.
    ///   - isolation: The actor on which the counter changes.
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if no store keeps a history, or an error of reading.
    public convenience init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        let filter = HistoryFilter(of: observedModels, by: authors, in: modelContainer.core)
        do {
            let unseen = try UnseenHistory(in: modelContainer.core, after: historyTokens ?? [:], filter)
            self.init(unseen, observedModels, authors, modelContainer, on: isolation)
        } catch {
            throw ErrorMapping.history(error)
        }
    }

    private init(
        _ unseen: UnseenHistory, _ observedModels: [any PersistentModel.Type], _ authors: Set<String>,
        _ container: ModelContainer, on actor: (any Actor)?
    ) {
        modelContainer = container
        self.observedModels = observedModels
        self.authors = authors
        self.actor = actor
        self.unseen = Locked(unseen)
        let watch = container.core.watchSaves { [weak self] in self?.countNewTransactions() }
        self.watch.withLock { $0 = watch }
    }

    private func countNewTransactions() {
        let core = modelContainer.core
        do {
            guard try unseen.withLock({ try $0.readAll(of: core) }) == .ofInterest else { return }
        } catch {
            return core.reportUnread(error)
        }
        guard let actor else { return count() }
        Task { await self.count(on: actor) }
    }

    private func count(on actor: isolated any Actor) { count() }

    private func count() {
        registrar.withMutation(of: self, keyPath: \.eventCounter) { counter.withLock { $0 += 1 } }
    }
}
