import Foundation
import Observation
import SwiftData
import Synchronization
import Testing

@Model
final class Journey {
    var name: String
    var destination: String
    var region: String?
    var days: Int

    init(_ name: String, to destination: String, region: String? = nil, days: Int = 1) {
        self.name = name
        self.destination = destination
        self.region = region
        self.days = days
    }
}

@Suite("Observing results")
struct ResultsObserverTests {
    private func memory() throws -> ModelContainer {
        try ModelContainer(for: Journey.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    /// A context with three journeys to two destinations.
    private func context() throws -> ModelContext {
        let context = ModelContext(try memory())
        context.insert(Journey("a", to: "Rome", region: "South", days: 3))
        context.insert(Journey("b", to: "Oslo", days: 9))
        context.insert(Journey("c", to: "Rome", region: "South", days: 5))
        try context.save()
        return context
    }

    /// The number of changes that observers of what `read` reads are notified of.
    private func notified(reading read: () -> Void, doing change: () throws -> Void) rethrows -> Int {
        let count = Mutex(0)
        withObservationTracking(read) { count.withLock { $0 += 1 } }
        try change()
        return count.withLock { $0 }
    }

    @Test("Results follow unsaved changes, saves, rollback and deletes")
    func follows() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, Never>(
            filterBy: #Predicate { $0.days > 2 }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        var names: [String] { observer.results.map(\.name) }
        #expect(names == ["a", "b", "c"])
        let new = Journey("aa", to: "Bern", days: 4)
        context.insert(new)
        #expect(names == ["a", "aa", "b", "c"])
        try context.save()
        #expect(names == ["a", "aa", "b", "c"])
        new.days = 1
        #expect(names == ["a", "b", "c"])
        new.days = 7
        #expect(names == ["a", "aa", "b", "c"])
        context.rollback()
        #expect(names == ["a", "aa", "b", "c"])
        new.name = "z"
        #expect(names == ["a", "b", "c", "z"])
        context.delete(new)
        #expect(names == ["a", "b", "c"])
        try context.delete(model: Journey.self, where: #Predicate { $0.destination == "Rome" })
        #expect(names == ["b"])
        try context.save()
        #expect(names == ["b"])
    }

    @Test("Results follow saves of other contexts, with an observer's own context too")
    func others() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, Never>(modelContainer: context.container)
        #expect(observer.modelContext !== context)
        #expect(observer.results.count == 3)
        context.insert(Journey("d", to: "Bern"))
        #expect(observer.results.count == 3)
        try context.save()
        #expect(observer.results.count == 4)
        try context.delete(model: Journey.self)
        try context.save()
        #expect(observer.results.isEmpty)
    }

    @Test("A collection that was read stays as it is")
    func snapshot() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
        context.insert(Journey("d", to: "Bern"))
        let before: FetchResultsCollection<Journey> = observer.results
        try context.save()
        context.delete(before[3])
        #expect(before.map(\.name) == ["a", "b", "c", "d"])
        #expect(before[1...].count == 3)
        #expect(observer.results.map(\.name) == ["a", "b", "c"])
    }

    @Test("Models of equal rank are in the order of their identifiers")
    func stableOrder() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, Never>(
            sortBy: [SortDescriptor(\.destination)], modelContext: context)
        #expect(observer.sortBy.count == 2)
        #expect(observer.results.map(\.name) == ["b", "a", "c"])
        observer.sortBy = [SortDescriptor(\.persistentModelID, order: .reverse)]
        #expect(observer.sortBy.count == 1)
        #expect(observer.results.map(\.name) == ["c", "b", "a"])
    }

    @Test("The condition and the order can be set, and count at once")
    func settings() throws {
        let context = try context()
        var descriptor = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = 2
        let observer = try ResultsObserver<Journey, Never>(fetchDescriptor: descriptor, modelContext: context)
        #expect(observer.results.map(\.name) == ["a", "b"])
        let changes = notified(reading: { _ = observer.results }) {
            observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
        }
        #expect(changes == 1)
        #expect(observer.results.map(\.name) == ["c", "b"])
        observer.filterBy = #Predicate { $0.destination == "Rome" }
        #expect(observer.results.map(\.name) == ["c", "a"])
        #expect(observer.fetchDescriptor.fetchLimit == 2 && observer.filterBy != nil)
        observer.filterBy = nil
        #expect(observer.results.map(\.name) == ["c", "b"])
        #expect(observer.sectionBy == nil && observer.sections == nil)
        observer.results = try context.fetch(descriptor, batch: 1)
        #expect(observer.results.map(\.name) == ["a", "b"])
        context.insert(Journey("d", to: "Bern"))
        #expect(observer.results.map(\.name) == ["d", "c"])
    }

    @Test("Models whose texts are beyond the last one held do not join a window")
    func beyondWindow() throws {
        let context = try context()
        for number in 100..<140 { context.insert(Journey("j\(number)", to: "Bern")) }
        try context.save()
        var descriptor = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = 2
        let observer = try ResultsObserver<Journey, Never>(fetchDescriptor: descriptor, modelContext: context)
        #expect(observer.results.map(\.name) == ["a", "b"])
        for number in 100..<160 {
            context.insert(Journey("k\(number)", to: "Bern"))
            #expect(observer.results.map(\.name) == ["a", "b"])
        }
        context.delete(try #require(observer.results.first))
        #expect(observer.results.map(\.name) == ["b", "c"])
    }

    @Test("Without an actor, observers are notified once until they read again")
    func notifies() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, Never>(modelContext: context)
        #expect(
            notified(reading: { _ = observer.results }) {
                context.insert(Journey("d", to: "Bern"))
                context.insert(Journey("e", to: "Bern"))
            } == 1)
        let journey = try #require(observer.results.first)
        #expect(notified(reading: { _ = observer.results }) { journey.days = 20 } == 1)
        #expect(notified(reading: { _ = observer.results }) { context.rollback() } == 1)
        #expect(notified(reading: { _ = observer.results }) {} == 0)
    }

    @Test("Results are sections in the order of their titles")
    func sections() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, String>(
            sortBy: [SortDescriptor(\.days, order: .reverse)], sectionBy: \.destination, modelContext: context)
        #expect(observer.sectionBy == \Journey.destination)
        #expect(observer.sortBy.count == 3 && observer.sortBy.first?.order == .forward)
        let sections: SectionedResults<Journey, String> = try #require(observer.sections)
        #expect(sections.sectionTitles == ["Oslo", "Rome"])
        #expect(sections.map(\.count) == [1, 2])
        #expect(sections[sectionTitle: "Rome"]?.map(\.name) == ["c", "a"])
        #expect(sections[sectionTitle: "Bern"] == nil)
        #expect(sections.index(ofSectionTitled: "Rome") == 1 && sections.index(ofSectionTitled: "Bern") == nil)
        #expect(sections.contains(sectionTitle: "Oslo") && !sections.contains(sectionTitle: "Bern"))
        let rome: ResultsSection<Journey, String> = sections[1]
        #expect(rome.id == "Rome" && rome.title == "Rome" && rome == sections[sectionTitle: "Rome"])
        #expect(observer.results.map(\.name) == ["b", "c", "a"])
        let journey = try #require(observer.element(at: IndexPath(indexes: [1, 1])))
        #expect(journey.name == "a")
        #expect(observer.indexPath(for: journey) == IndexPath(indexes: [1, 1]))
        #expect(observer.element(at: IndexPath(indexes: [1, 2])) == nil)
        #expect(observer.element(at: IndexPath(indexes: [2, 0])) == nil)
        #expect(observer.indexPath(for: Journey("x", to: "Rome")) == nil)
        journey.destination = "Bern"
        #expect(observer.sections?.sectionTitles == ["Bern", "Oslo", "Rome"])
        #expect(observer.indexPath(for: journey) == IndexPath(indexes: [0, 0]))
        #expect(observer.sections != sections)
        observer.sortBy = [SortDescriptor(\.destination, order: .reverse)]
        #expect(observer.sections?.sectionTitles == ["Rome", "Oslo", "Bern"])
        #expect(observer.debugDescription.contains("3"))
    }

    @Test("A section whose title alone changes is notified")
    func renamedSection() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, String>(
            filterBy: #Predicate { $0.name == "b" }, sectionBy: \.destination, modelContext: context)
        let journey = try #require(observer.results.first)
        #expect(notified(reading: { _ = observer.sections }) { journey.destination = "Bergen" } == 1)
        #expect(observer.sections?.sectionTitles == ["Bergen"])
    }

    @Test("Models without a section are in one with an empty title")
    func optionalSections() throws {
        let context = try context()
        let observer = try ResultsObserver<Journey, String>(sectionBy: \.region, modelContext: context)
        #expect(observer.sections?.sectionTitles == ["", "South"])
        #expect(observer.sections?[sectionTitle: ""]?.map(\.name) == ["b"])
    }

    @Test("All initializers")
    func initializers() throws {
        let context = try context()
        let container = context.container
        let all = FetchDescriptor<Journey>()
        #expect(try ResultsObserver<Journey, Never>(fetchDescriptor: all, modelContainer: container).results.count == 3)
        #expect(try ResultsObserver<Journey, Never>(filterBy: nil, modelContainer: container).results.count == 3)
        #expect(try ResultsObserver<Journey, Never>(modelContext: context).results.count == 3)
        let plain = [
            try ResultsObserver(fetchDescriptor: all, sectionBy: \Journey.destination, modelContext: context),
            try ResultsObserver(fetchDescriptor: all, sectionBy: \Journey.destination, modelContainer: container),
            try ResultsObserver(filterBy: nil, sectionBy: \Journey.destination, modelContext: context),
            try ResultsObserver(filterBy: nil, sectionBy: \Journey.destination, modelContainer: container),
        ]
        #expect(plain.allSatisfy { $0.sections?.count == 2 })
        let optional = [
            try ResultsObserver(fetchDescriptor: all, sectionBy: \Journey.region, modelContext: context),
            try ResultsObserver(fetchDescriptor: all, sectionBy: \Journey.region, modelContainer: container),
            try ResultsObserver(filterBy: nil, sectionBy: \Journey.region, modelContext: context),
            try ResultsObserver(filterBy: nil, sectionBy: \Journey.region, modelContainer: container),
        ]
        #expect(optional.allSatisfy { $0.sections?.sectionTitles.first == "" })
        let wrong = FetchDescriptor<Assignment>()
        #expect(throws: SwiftDataError.unknownSchema) {
            _ = try ResultsObserver<Assignment, Never>(fetchDescriptor: wrong, modelContext: context)
        }
    }

    // MARK: On an actor

    @Observable @MainActor
    final class Totals {
        private let observer: ResultsObserver<Journey, Never>
        private(set) var days = 0
        private(set) var rounds = 0

        init(_ context: ModelContext) throws {
            observer = try ResultsObserver(modelContext: context)
            follow()
        }

        private func follow() {
            withObservationTracking {
                days = observer.results.reduce(0) { $0 + $1.days }
            } onChange: { [weak self] in
                Task { @MainActor in
                    self?.rounds += 1
                    self?.follow()
                }
            }
        }
    }

    @Test("On the main actor, a program's own state follows the results")
    @MainActor
    func mainActor() async throws {
        let container = try memory()
        let context = container.mainContext
        context.autosaveEnabled = false
        let totals = try Totals(context)
        context.insert(Journey("a", to: "Rome", days: 2))
        for _ in 0..<1000 where totals.days != 2 { await Task.yield() }
        #expect(totals.days == 2)
        let other = ModelContext(container)
        other.insert(Journey("b", to: "Rome", days: 5))
        try other.save()
        for _ in 0..<1000 where totals.days != 7 { await Task.yield() }
        #expect(totals.days == 7)
    }

    @ModelActor
    actor Watcher {
        private var observer: ResultsObserver<Journey, Never>?
        private var first: ResultsObserver<Journey, Never>?
        private(set) var changes = 0

        /// The first observer makes the context merge saves of others, and shall not be the only one to learn of them.
        func start() throws {
            first = try ResultsObserver(filterBy: #Predicate { $0.days > 100 }, modelContext: modelContext)
            observer = try ResultsObserver(modelContext: modelContext)
            follow()
        }

        private func follow() {
            withObservationTracking {
                _ = observer?.results.count
            } onChange: {
                Task { await self.changed() }
            }
        }

        private func changed() {
            changes += 1
            follow()
        }

        var count: Int { observer?.results.count ?? 0 }
    }

    @Test("A model actor's observer is notified of saves of other contexts")
    func modelActor() async throws {
        let container = try memory()
        let watcher = Watcher(modelContainer: container)
        try await watcher.start()
        let context = ModelContext(container)
        context.insert(Journey("a", to: "Rome"))
        try context.save()
        for _ in 0..<1000 where await watcher.changes == 0 { await Task.yield() }
        #expect(await watcher.changes == 1)
        #expect(await watcher.count == 1)
    }

    @ModelActor
    actor Holder {
        private var observer: ResultsObserver<Journey, Never>?

        func observe() throws -> Int {
            let observer = try ResultsObserver<Journey, Never>(modelContext: modelContext)
            self.observer = observer
            modelContext.insert(Journey("a", to: "Rome"))
            return observer.results.count
        }
    }

    @Test("A model actor with an observer is released")
    func releasedActor() async throws {
        let container = try memory()
        weak var released: Holder?
        do {
            let holder = Holder(modelContainer: container)
            released = holder
            #expect(try await holder.observe() == 1)
        }
        for _ in 0..<1000 where released != nil { await Task.yield() }
        #expect(released == nil)
    }

    @Test("An observer is released, and its context's work goes on")
    func released() throws {
        let context = try context()
        weak var released: ResultsObserver<Journey, Never>?
        func observe() throws {
            let observer = try ResultsObserver<Journey, Never>(modelContext: context)
            released = observer
            #expect(observer.results.count == 3)
        }
        try observe()
        #expect(released == nil)
        context.insert(Journey("d", to: "Bern"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Journey>()) == 4)
    }
}

extension ModelContext {
    fileprivate func fetch(
        _ descriptor: FetchDescriptor<Journey>, batch: Int
    ) throws -> FetchResultsCollection<Journey> {
        var descriptor = descriptor
        descriptor.includePendingChanges = false
        return try fetch(descriptor, batchSize: batch)
    }
}
