import Foundation
import TestSupport
import Testing

@testable import SwiftData

@Suite("Maintained results")
struct MaintainedResultsTests {
    let container: ModelContainer
    let log: StatementLog

    init() throws { (container, log) = try loggedContainer(Port.self, Ship.self) }

    private func run(_ seed: UInt64 = 1) throws -> FollowedRun { try FollowedRun(seed: seed, in: container) }

    private func heavy(limit: Int? = nil) -> FetchDescriptor<Ship> {
        var descriptor = FetchDescriptor<Ship>(
            predicate: #Predicate { $0.tons > 4 }, sortBy: [SortDescriptor(\.tons), SortDescriptor(\.name)])
        descriptor.fetchLimit = limit
        return descriptor
    }

    /// A copy of an observer's results, to which only differences are applied.
    private final class Copy {
        let observer: any AnyObserver
        let changes: ResultsChanges
        var ids: [PersistentIdentifier]
        var titles: [String]

        init(_ observer: any AnyObserver) {
            self.observer = observer
            changes = observer.changes
            ids = observer.identifiers.elements
            titles = observer.identifiers.sections.map(\.title)
        }

        func read() {
            while let change = changes.mailbox.take() {
                change.elements.apply(to: &ids)
                change.sections.apply(to: &titles)
            }
        }
    }

    @Test("Results, sections and differences agree with fetches", arguments: Seeds.rounds(30))
    func agreement(seed: UInt64) throws { try compareAll(run(seed), seed) }

    @Test("So they do with another container on the file, undo, plans and restores", arguments: Seeds.rounds(10))
    func agreementOfTwoContainers(seed: UInt64) throws {
        try withTwoContainers { containers in
            try compareAll(FollowedRun(seed: seed, in: containers[0], beside: containers[1]), seed)
        }
    }

    private func compareAll(_ run: FollowedRun, _ seed: UInt64) throws {
        let plain = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: run.context)
        let window = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(limit: 4), modelContext: run.context)
        let flags = try ResultsObserver<Ship, String>(
            sortBy: [SortDescriptor(\.tons)], sectionBy: \.flag, modelContext: run.context)
        let ports = try ResultsObserver<Ship, String>(
            filterBy: #Predicate { $0.port?.name != "Cork" }, sectionBy: \.port?.name, modelContext: run.context)
        let observers: [any AnyObserver] = [plain, window, flags, ports]
        let copies = observers.map(Copy.init)
        let slow = observers.map(Copy.init)
        for round in 0..<60 {
            try run.step()
            if run.chance(30) { continue }
            for (number, copy) in copies.enumerated() {
                let comment = "seed \(seed), round \(round), observer \(number)\n\(run.log.joined(separator: "\n"))"
                try check(copy.observer, comment)
                copy.read()
                compare(copy, comment)
                if run.chance(15) {
                    slow[number].read()
                    compare(slow[number], "slow, \(comment)")
                }
            }
        }
        #expect(observers.map(\.refetches) == [0, 0, 0, 0])
    }

    private func compare(_ copy: Copy, _ comment: String) {
        let present = copy.observer.identifiers
        #expect(copy.ids == present.elements, "\(comment)")
        #expect(copy.titles == present.sections.map(\.title), "\(comment)")
    }

    private func check(_ observer: any AnyObserver, _ comment: String) throws {
        let fetched = try observer.fetched()
        #expect(observer.shown == fetched.map(\.persistentModelID), "\(comment)")
        let identifiers = observer.identifiers
        #expect(identifiers.elements == observer.shown, "\(comment)")
        guard let titles = observer.titles(of: fetched) else { return }
        var expected: [String] = []
        for title in titles where expected.last != title { expected.append(title) }
        #expect(identifiers.sections.map(\.title) == expected, "\(comment)")
        #expect(
            identifiers.sections.flatMap { Array(repeating: $0.title, count: $0.range.count) } == titles, "\(comment)")
    }

    // MARK: Cost

    @Test("A change of a result, and one of a property that the query does not read, need no statement")
    func noStatement() throws {
        let run = try run()
        let observer = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: run.context)
        let ship = try #require(observer.results.first)
        log.clear()
        ship.tons = 100
        #expect(observer.results.last === ship)
        ship.note = "new"
        #expect(observer.results.last === ship)
        #expect(log.queries.isEmpty)
        #expect(observer.refetches == 0)
    }

    @Test("Results that cannot be followed are fetched again")
    func refetches() throws {
        let run = try run()
        var descriptor = heavy()
        descriptor.includePendingChanges = false
        let observer = try ResultsObserver<Ship, Never>(fetchDescriptor: descriptor, modelContext: run.context)
        let changes = observer.changes
        let ship = try #require(observer.results.first)
        ship.tons = 100
        #expect(observer.results.first === ship)
        try run.context.save()
        #expect(observer.results.last === ship)
        #expect(observer.refetches > 0)
        let change = try #require(changes.mailbox.take())
        #expect(change.isRefetched && change.elements.moves.map(\.item) == [ship.persistentModelID])
    }

    // MARK: Collections

    @Test("A collection that was read survives saves, deletes and its observer")
    func snapshots() throws {
        let run = try run()
        let context = run.context
        var observer = try? ResultsObserver<Ship, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
        context.insert(Ship("new", tons: 1, flag: nil, port: nil))
        let before = try #require(observer?.results)
        let names = before.map(\.name)
        let held = try #require(before.first)
        context.delete(held)
        try context.save()
        #expect(before.map(\.name) == names)
        #expect(observer?.results.map(\.name) == Array(names.dropFirst()))
        let after = try #require(observer?.results)
        try context.delete(model: Ship.self)
        let models = Array(after)
        try context.save()
        #expect(observer?.results.isEmpty == true)
        #expect(after.map(\.name) == models.map(\.name) && after.map(\.name) == Array(names.dropFirst()))
        context.insert(Ship("last", tons: 1, flag: nil, port: nil))
        let last = try #require(observer?.results)
        observer = nil
        try context.save()
        #expect(last.map(\.name) == ["last"] && before.count == names.count)
    }

    @Test("Rows that the context does not have are read together")
    func readTogether() throws {
        let run = try run()
        let context = ModelContext(container)
        let observer = try ResultsObserver<Ship, Never>(modelContext: context)
        for ship in try run.context.fetch(FetchDescriptor<Ship>()) { ship.note = "changed" }
        try run.context.save()
        log.clear()
        #expect(observer.results.allSatisfy { $0.note == "changed" })
        #expect(log.queries.count <= 1)
    }

    @Test("A save that makes identifiers permanent is no change of the results, and an update of the identifiers")
    func permanentIdentifiers() throws {
        let run = try run()
        let observer = try ResultsObserver<Ship, Never>(sortBy: [SortDescriptor(\.name)], modelContext: run.context)
        let ship = Ship("new", tons: 1, flag: nil, port: nil)
        run.context.insert(ship)
        let changes = observer.changes
        let temporary = ship.persistentModelID
        try run.context.save()
        let change = try #require(changes.mailbox.take())
        #expect(change.elements.removals.isEmpty && change.elements.insertions.isEmpty)
        #expect(change.elements.updates.map(\.former) == [temporary])
        #expect(change.elements.updates.map(\.item) == [ship.persistentModelID])
    }

    // MARK: Changes

    @Test("An edit is an update of an element, whatever property it is of, while changes are read")
    func updates() throws {
        let run = try run()
        let observer = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: run.context)
        let ship = try #require(observer.results.last)
        var changes: ResultsChanges? = observer.changes
        ship.note = "new"
        _ = observer.results
        let change = try #require(changes?.mailbox.take())
        #expect(change.elements.updates.map(\.item) == [ship.persistentModelID])
        #expect(change.elements.updates.map(\.position) == [observer.results.count - 1])
        changes = nil
        ship.note = "newer"
        #expect(observer.results.last === ship)
    }

    @Test("Another order is a difference too")
    func otherOrder() throws {
        let run = try run()
        let observer = try ResultsObserver<Ship, String>(sectionBy: \.flag, modelContext: run.context)
        let copy = Copy(observer)
        observer.sortBy = [SortDescriptor(\.flag, order: .reverse), SortDescriptor(\.tons)]
        copy.read()
        compare(copy, "reversed")
        observer.filterBy = #Predicate { $0.tons > 10 }
        copy.read()
        compare(copy, "fewer")
    }

    @Test("Changes that cancel each other are none")
    func cancelled() throws {
        let run = try run()
        let observer = try ResultsObserver<Ship, Never>(sortBy: [SortDescriptor(\.name)], modelContext: run.context)
        let changes = observer.changes
        let ship = Ship("new", tons: 1, flag: nil, port: nil)
        run.context.insert(ship)
        _ = observer.results
        run.context.delete(ship)
        _ = observer.results
        #expect(changes.mailbox.take() == nil)
    }

    @Test("Differences start from the identifiers of their sequence, whatever others save meanwhile")
    func start() throws {
        let observer = try ResultsObserver<Ship, Never>(modelContext: ModelContext(container))
        let other = ModelContext(container)
        func save(_ name: String) throws {
            other.insert(Ship(name, tons: 1, flag: nil, port: nil))
            try other.save()
        }
        try save("before")
        let changes = observer.changes
        try save("after")
        var ids = changes.start.elements
        #expect(ids.count == 1)
        #expect(observer.results.count == 2)
        while let change = changes.mailbox.take() { change.elements.apply(to: &ids) }
        #expect(ids == observer.identifiers.elements)
    }

    @Test("The difference to another query's results is from what readers know")
    func anotherQuery() throws {
        let context = ModelContext(container)
        let first = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: context)
        let second = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: context)
        let copy = Copy(first)
        context.insert(Ship("heavy", tons: 9, flag: nil, port: nil))
        #expect(second.results.count == 1)
        first.filterBy = #Predicate { $0.tons > 1 }
        copy.read()
        #expect(copy.ids == first.identifiers.elements)
        #expect(copy.ids.count == 1)
    }

    @Test("A reader on another actor gets all changes, and the end")
    func otherActor() async throws {
        let run = try run(7)
        let (changes, start, expected) = try changesOfRun(run)
        var ids = start
        for await change in changes { change.elements.apply(to: &ids) }
        #expect(ids == expected)
    }

    private func changesOfRun(
        _ run: FollowedRun
    ) throws -> (ResultsChanges, [PersistentIdentifier], [PersistentIdentifier]) {
        let observer = try ResultsObserver<Ship, Never>(fetchDescriptor: heavy(), modelContext: run.context)
        let (changes, start) = (observer.changes, observer.identifiers.elements)
        for _ in 0..<20 { try run.step() }
        return (changes, start, observer.identifiers.elements)
    }

    @Test(
        "A reader on the observer's actor is woken by saves of others, and ended by cancellation",
        .timeLimit(.minutes(5)))
    @MainActor
    func wakes() async throws {
        let run = try run(3)
        let observer = try ResultsObserver<Ship, Never>(modelContext: container.mainContext)
        let changes = observer.changes
        let (insertions, continuation) = AsyncStream.makeStream(of: Int.self)
        let reader = Task {
            for await change in changes { continuation.yield(change.elements.insertions.count) }
        }
        run.other.insert(Ship("new", tons: 1, flag: nil, port: nil))
        try run.other.save()
        var received = insertions.makeAsyncIterator()
        #expect(await received.next() == 1)
        #expect(observer.results.count == 13)
        reader.cancel()
        await reader.value
    }
}

/// An observer of ships without its section type.
private protocol AnyObserver: AnyObject {
    var identifiers: ResultsIdentifiers { get }
    var changes: ResultsChanges { get }
    var refetches: Int { get }
    var shown: [PersistentIdentifier] { get }
    func fetched() throws -> [Ship]
    func titles(of ships: [Ship]) -> [String]?
}

extension ResultsObserver: AnyObserver where Element == Ship {
    fileprivate var shown: [PersistentIdentifier] { results.map(\.persistentModelID) }
    fileprivate func fetched() throws -> [Ship] { try modelContext.fetch(fetchDescriptor) }

    fileprivate func titles(of ships: [Ship]) -> [String]? {
        switch sectionBy {
        case let path as KeyPath<Ship, String>: ships.map { $0[keyPath: path] }
        case let path as KeyPath<Ship, String?>: ships.map { $0[keyPath: path] ?? "" }
        default: nil
        }
    }
}
