import Foundation
import Observation
import Synchronization
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Suite("Observing the history")
struct HistoryObserverTests {
    private func memory() throws -> ModelContainer {
        try ModelContainer(
            for: Assignment.self, TourSchema1.Stop.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func file(_ file: TestFile) throws -> ModelContainer {
        try ModelContainer(
            for: Assignment.self, TourSchema1.Stop.self, configurations: ModelConfiguration(url: file.url))
    }

    private func save(_ title: String, by author: String? = nil, in container: ModelContainer) throws {
        let context = ModelContext(container)
        context.author = author
        context.insert(Assignment(title, .open))
        try context.save()
    }

    /// The history of the transactions after a token.
    private func titles(after token: DefaultHistoryToken, in context: ModelContext) throws -> Int {
        try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
        ).count
    }

    @Test("Every save counts")
    func counts() throws {
        let container = try memory()
        try save("before", in: container)
        let observer = try HistoryObserver(modelContainer: container)
        #expect(observer.eventCounter == 0)
        #expect(observer.modelContainer === container && observer.observedModels.isEmpty && observer.authors.isEmpty)
        try save("a", in: container)
        try save("b", in: container)
        #expect(observer.eventCounter == 2)
        let context = ModelContext(container)
        try context.delete(model: Assignment.self)
        try context.save()
        #expect(observer.eventCounter == 3)
        try container.erase()
        #expect(observer.eventCounter == 3)
    }

    @Test("Only transactions of the given authors and classes are reported")
    func filters() throws {
        let container = try memory()
        let app = try HistoryObserver(authors: ["App"], modelContainer: container)
        let stops = try HistoryObserver(observedModels: [TourSchema1.Stop.self], modelContainer: container)
        try save("a", by: "App", in: container)
        try save("b", by: "server", in: container)
        try save("c", in: container)
        #expect(app.eventCounter == 1)
        #expect(stops.eventCounter == 0)
        let context = ModelContext(container)
        context.insert(TourSchema1.Stop())
        try context.save()
        #expect(stops.eventCounter == 1)
        #expect(app.eventCounter == 1)
    }

    @Test("Transactions after given tokens count with the next save")
    func tokens() throws {
        let container = try memory()
        try save("a", in: container)
        let context = ModelContext(container)
        let token = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
        try save("b", by: "App", in: container)
        let observer = try HistoryObserver(
            historyTokens: [token.storeIdentifier: token], authors: ["App"], modelContainer: container)
        #expect(observer.eventCounter == 0)
        try save("c", in: container)
        #expect(observer.eventCounter == 1)
    }

    @Test("The counter is observed")
    func observed() throws {
        let container = try memory()
        let observer = try HistoryObserver(modelContainer: container)
        let count = Mutex(0)
        withObservationTracking {
            _ = observer.eventCounter
        } onChange: {
            count.withLock { $0 += 1 }
        }
        try save("a", in: container)
        try save("b", in: container)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("On an actor, the counter changes in one of its next turns")
    @MainActor
    func onActor() async throws {
        let container = try memory()
        let observer = try HistoryObserver(modelContainer: container)
        try save("a", in: container)
        #expect(observer.eventCounter == 0)
        for _ in 0..<1000 where observer.eventCounter == 0 { await Task.yield() }
        #expect(observer.eventCounter == 1)
    }

    @Test("Saves of another container of the file count, and are merged")
    func otherContainer() throws {
        let file = try TestFile()
        let (one, two) = (try self.file(file), try self.file(file))
        let observer = try HistoryObserver(modelContainer: one)
        try save("a", in: two)
        #expect(observer.eventCounter == 1)
        #expect(try ModelContext(one).fetchCount(FetchDescriptor<Assignment>()) == 1)
        #expect(observer.eventCounter == 1)
    }

    /// A container that is not known to the others of the process, as one of another process is.
    private func stranger(at file: TestFile) throws -> ModelContainer {
        let schema = Schema([Assignment.self, TourSchema1.Stop.self])
        let store = try SQLiteStore(model: schema.compiled(), location: .file(file.url))
        return ModelContainer(
            ContainerCore(schema: schema, store: store, configuration: ModelConfiguration(url: file.url)))
    }

    @Test("Saves of another process are detected by polling")
    func otherProcess() async throws {
        let file = try TestFile()
        let container = try self.file(file)
        let other = try stranger(at: file)
        let observer = try HistoryObserver(authors: ["other"], modelContainer: container, isolation: nil)
        let (changes, end) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = observer.eventCounter
        } onChange: {
            end.finish()
        }
        try save("a", by: "other", in: other)
        for await _ in changes {}
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Assignment>()) == 1)
    }

    @Test("Results on the main actor follow saves of another process")
    @MainActor
    func resultsOfAnotherProcess() async throws {
        let file = try TestFile()
        let container = try self.file(file)
        let observer = try ResultsObserver<Assignment, Never>(modelContext: container.mainContext)
        let (changes, end) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = observer.results.count
        } onChange: {
            end.finish()
        }
        try save("a", in: try stranger(at: file))
        for await _ in changes {}
        #expect(observer.results.map(\.title) == ["a"])
    }

    @Test("DV101 The notification of a change names the container, and has the newest position")
    func remoteChange() throws {
        let container = try memory()
        let posts = Mutex<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: container, queue: nil
        ) { note in
            let key = ModelContext.NotificationKey.historyTokens.rawValue
            let token = note.userInfo?[key] as? DefaultHistoryToken
            posts.withLock { $0.append(token.map { "\($0.tokenValue?.count ?? 0)" } ?? "none") }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try save("a", in: container)
        #expect(posts.withLock { $0 } == ["1"])
    }

    @Test("DV100 didSave has a token from which to read on")
    func didSave() throws {
        let container = try memory()
        let context = ModelContext(container)
        let found = Mutex<[DefaultHistoryToken]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { note in
            let key = ModelContext.NotificationKey.historyTokens.rawValue
            guard let token = note.userInfo?[key] as? DefaultHistoryToken else { return }
            found.withLock { $0.append(token) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(Assignment("a", .open))
        try context.save()
        let token = try #require(found.withLock { $0.first })
        #expect(try titles(after: token, in: context) == 0)
        try save("b", in: container)
        #expect(try titles(after: token, in: context) == 1)
        #expect(container.configurationName(forStoreIdentifier: token.storeIdentifier) != nil)
    }

    @Test("DV100 With several stores, the token has a position in each")
    func severalStores() throws {
        let container = try ModelContainer(
            for: Assignment.self, TourSchema1.Stop.self,
            configurations: ModelConfiguration("a", schema: Schema([Assignment.self]), isStoredInMemoryOnly: true),
            ModelConfiguration("b", schema: Schema([TourSchema1.Stop.self]), isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let found = Mutex<DefaultHistoryToken?>(nil)
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { note in
            let token = note.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue] as? DefaultHistoryToken
            found.withLock { $0 = token }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(TourSchema1.Stop())
        try context.save()
        context.insert(Assignment("a", .open))
        try context.save()
        let token = try #require(found.withLock { $0 })
        #expect(token.tokenValue?.count == 2 && token.storeIdentifier.isEmpty)
        #expect(try titles(after: token, in: context) == 0)
        let observed = try HistoryObserver(modelContainer: container)
        context.insert(TourSchema1.Stop())
        context.insert(Assignment("b", .open))
        try context.save()
        #expect(observed.eventCounter == 1)
        #expect(try titles(after: token, in: context) == 2)
    }
}
