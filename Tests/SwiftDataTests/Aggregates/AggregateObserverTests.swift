import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import SwiftData

@Suite("Observing aggregates")
struct AggregateObserverTests {
    let container: ModelContainer
    let log: StatementLog

    init() throws { (container, log) = try loggedContainer(Port.self, Ship.self) }

    /// A copy of an observer's groups, to which only differences are applied.
    private final class Copy<Key: Sendable & Equatable, Value: Sendable> {
        let observer: AggregateObserver<Ship, Key, Value>
        let changes: AggregateChanges<Key, Value>
        var groups: [AggregateGroup<Key, Value>]

        init(_ observer: AggregateObserver<Ship, Key, Value>) {
            self.observer = observer
            changes = observer.changes
            groups = changes.start
        }

        func read() throws {
            while let change = changes.mailbox.take()?.difference {
                for removal in change.removals { try #require(groups[removal.position].key == removal.group.key) }
                let former = groups
                change.apply(to: &groups)
                for update in change.updates {
                    let before = former.first { $0.key == update.group.key }.map { "\($0.value)" }
                    #expect(before == "\(update.former)" && before != "\(update.group.value)")
                }
            }
        }

        func compare(_ comment: String) {
            #expect("\(groups)" == "\(observer.groups)", "\(comment)")
        }
    }

    @Test("Groups equal those that are fetched, and differences lead from one to the next", arguments: Seeds.rounds(30))
    func agreement(seed: UInt64) throws { try compareAll(FollowedRun(seed: seed, in: container), seed) }

    @Test("So they do with another container on the file, undo, plans and restores", arguments: Seeds.rounds(10))
    func agreementOfTwoContainers(seed: UInt64) throws {
        try withTwoContainers { containers in
            try compareAll(FollowedRun(seed: seed, in: containers[0], beside: containers[1]), seed)
        }
    }

    private func compareAll(_ run: FollowedRun, _ seed: UInt64) throws {
        let context = run.context
        let byPort = AggregateDescriptor(
            of: Ship.self, .count, .sum(\.tons), .average(\.tons), .minimum(\.tons), .maximum(\.name), by: \.port?.name)
        let byFlag = AggregateDescriptor(
            of: Ship.self, .count, .maximum(\.tons), by: \.flag, where: #Predicate { $0.tons > 3 }, having: .count > 1)
        let all = AggregateDescriptor(of: Ship.self, .count, .sum(\.tons), .countDistinct(\.flag))
        let ports = try AggregateObserver(byPort, modelContext: context)
        let flags = try AggregateObserver(byFlag, modelContext: context)
        let total = try AggregateObserver(all, modelContext: context)
        let (portCopy, flagCopy, slowCopy) = (Copy(ports), Copy(flags), Copy(ports))
        for round in 0..<60 {
            try run.step()
            if run.chance(30) { continue }
            let comment = "seed \(seed), round \(round)\n\(run.log.joined(separator: "\n"))"
            #expect("\(ports.groups)" == "\(try context.fetchGroups(byPort))", "\(comment)")
            #expect("\(flags.groups)" == "\(try context.fetchGroups(byFlag))", "\(comment)")
            #expect("\(total.groups)" == "\(try context.fetchGroups(all))", "\(comment)")
            try portCopy.read()
            portCopy.compare(comment)
            try flagCopy.read()
            flagCopy.compare(comment)
            if run.chance(15) {
                try slowCopy.read()
                slowCopy.compare("slow, \(comment)")
            }
        }
        #expect(ports.refetches == 0 && flags.refetches == 0 && total.refetches == 0)
    }

    @Test("A change needs no statement, and notifies")
    func changes() throws {
        let run = try FollowedRun(seed: 1, in: container)
        let observer = try AggregateObserver(
            AggregateDescriptor(of: Ship.self, .count, .sum(\.tons)), modelContext: run.context)
        let before = try #require(observer.groups.first?.value)
        let ship = try #require(try run.context.fetch(FetchDescriptor<Ship>()).first)
        let count = Mutex(0)
        withObservationTracking {
            _ = observer.groups
        } onChange: {
            count.withLock { $0 += 1 }
        }
        log.clear()
        ship.tons += 10
        #expect(count.withLock { $0 } == 1)
        let after = try #require(observer.groups.first?.value)
        #expect(after.0 == before.0 && after.1 == before.1 + 10)
        #expect(log.queries.isEmpty)
    }

    @Test("Changes that leave all groups as they are do not notify", arguments: [true, false])
    func sameGroups(includesPendingChanges: Bool) throws {
        let run = try FollowedRun(seed: 1, in: container)
        var descriptor = AggregateDescriptor(of: Ship.self, .count, .maximum(\.tons))
        descriptor.includePendingChanges = includesPendingChanges
        let followed = try FollowedGroups(descriptor, in: run.context)
        let ship = try #require(try run.context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.tons)])).last)
        let lighter = try #require(try run.context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.tons)])).first)
        ship.tons += 10
        try run.context.save()
        #expect(try followed.update())
        lighter.tons -= 1
        try run.context.save()
        #expect(try !followed.update())
        ship.tons += 1
        try run.context.save()
        #expect(try followed.update())
        #expect(followed.list.groups.first?.value.1 == ship.tons)
    }

    @Test("A maintained observer that another observer makes in the middle of an edit follows that edit")
    func madeInEdit() throws {
        let run = try FollowedRun(seed: 1, in: container)
        var stored = AggregateDescriptor(of: Ship.self, .count)
        stored.includePendingChanges = false
        let first = try AggregateObserver(stored, modelContext: run.context, isolation: nil)
        let ship = try #require(try run.context.fetch(FetchDescriptor<Ship>()).first)
        final class Made { var sum: (() -> Int?)? }
        // The change is notified of on this thread.
        nonisolated(unsafe) let (context, made) = (run.context, Made())
        withObservationTracking {
            _ = first.groups
        } onChange: {
            let descriptor = AggregateDescriptor(of: Ship.self, .sum(\.tons))
            guard let observer = try? AggregateObserver(descriptor, modelContext: context, isolation: nil) else {
                return
            }
            made.sum = { observer.groups.first?.value }
        }
        ship.tons += 100
        let sum = try #require(made.sum)
        #expect(try sum() == context.fetch(FetchDescriptor<Ship>()).map(\.tons).reduce(0, +))
    }

    @Test("Groups without pending changes follow saves")
    func stored() throws {
        let run = try FollowedRun(seed: 1, in: container)
        var descriptor = AggregateDescriptor(of: Ship.self, .count)
        descriptor.includePendingChanges = false
        let observer = try AggregateObserver(descriptor, modelContext: run.context)
        run.context.insert(Ship("new", tons: 1, flag: nil, port: nil))
        #expect(observer.groups.first?.value == 12)
        try run.context.save()
        #expect(observer.groups.first?.value == 13)
        #expect(observer.refetches > 0)
    }

    @Test("On the main actor, observers are notified of saves of other contexts")
    @MainActor
    func mainActor() async throws {
        let run = try FollowedRun(seed: 1, in: container)
        let observer = try AggregateObserver(
            AggregateDescriptor(of: Ship.self, .count), modelContext: container.mainContext)
        let isNotified = Mutex(false)
        withObservationTracking {
            _ = observer.groups
        } onChange: {
            isNotified.withLock { $0 = true }
        }
        run.other.insert(Ship("new", tons: 1, flag: nil, port: nil))
        try run.other.save()
        for _ in 0..<1000 where !isNotified.withLock({ $0 }) { await Task.yield() }
        #expect(isNotified.withLock { $0 })
        #expect(observer.groups.first?.value == 13)
    }

    // MARK: Differences

    private func observer(_ run: FollowedRun) throws -> AggregateObserver<Ship, String?, Int> {
        try AggregateObserver(AggregateDescriptor(of: Ship.self, .sum(\.tons), by: \.flag), modelContext: run.context)
    }

    @Test("A difference names groups that are gone, new, and changed, with the aggregates before")
    func difference() throws {
        let run = try FollowedRun(seed: 1, in: container)
        try run.context.delete(model: Ship.self)
        for (name, flag) in [("a", "FR"), ("b", "IT"), ("c", "PT")] {
            run.context.insert(Ship(name, tons: 1, flag: flag, port: nil))
        }
        let observer = try observer(run)
        let changes = observer.changes
        #expect(changes.start.map(\.key) == ["FR", "IT", "PT"])
        let ships = try run.context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)]))
        (ships[0].flag, ships[2].tons) = ("IE", 5)
        _ = observer.groups
        let change = try #require(changes.mailbox.take()?.difference)
        #expect(change.removals.map(\.position) == [0] && change.removals.map(\.group.key) == ["FR"])
        #expect(change.insertions.map(\.position) == [0] && change.insertions.map(\.group.key) == ["IE"])
        #expect(change.updates.map(\.position) == [2] && change.updates.map(\.group.value) == [5])
        #expect(change.updates.map(\.former) == [1])
    }

    @Test("Changes of groups that cancel each other are none")
    func cancelledChanges() throws {
        let run = try FollowedRun(seed: 1, in: container)
        let observer = try observer(run)
        let changes = observer.changes
        let ship = Ship("new", tons: 1, flag: "PT", port: nil)
        run.context.insert(ship)
        #expect(observer.groups.contains { $0.key == "PT" })
        run.context.delete(ship)
        #expect(!observer.groups.contains { $0.key == "PT" })
        #expect(changes.mailbox.take() == nil)
    }

    @Test("A reader of groups on another actor gets all changes, and the end")
    func otherActor() async throws {
        let (changes, expected) = try changesOfRun(try FollowedRun(seed: 7, in: container))
        var groups = changes.start
        for await change in changes { change.apply(to: &groups) }
        #expect(groups == expected)
    }

    private func changesOfRun(
        _ run: FollowedRun
    ) throws -> (AggregateChanges<String?, Int>, [AggregateGroup<String?, Int>]) {
        let observer = try observer(run)
        let changes = observer.changes
        for _ in 0..<20 { try run.step() }
        return (changes, observer.groups)
    }

    @Test("A reader of groups on the observer's actor is woken by saves of others", .timeLimit(.minutes(5)))
    @MainActor
    func wakesReader() async throws {
        let run = try FollowedRun(seed: 3, in: container)
        let observer = try AggregateObserver(
            AggregateDescriptor(of: Ship.self, .count), modelContext: container.mainContext)
        let changes = observer.changes
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        let reader = Task {
            for await change in changes { for update in change.updates { continuation.yield(update.group.value) } }
        }
        run.other.insert(Ship("new", tons: 1, flag: nil, port: nil))
        try run.other.save()
        var received = counts.makeAsyncIterator()
        #expect(await received.next() == 13)
        reader.cancel()
        await reader.value
        #expect(observer.groups.first?.value == 13)
    }
}
