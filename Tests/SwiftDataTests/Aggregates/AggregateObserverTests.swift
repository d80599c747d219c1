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

    @Test("Groups equal those that are fetched", arguments: Seeds.rounds(30))
    func agreement(seed: UInt64) throws {
        let run = try FollowedRun(seed: seed, in: container)
        let context = run.context
        let byPort = AggregateDescriptor(
            of: Ship.self, .count, .sum(\.tons), .average(\.tons), .minimum(\.tons), .maximum(\.name), by: \.port?.name)
        let byFlag = AggregateDescriptor(
            of: Ship.self, .count, .maximum(\.tons), by: \.flag, where: #Predicate { $0.tons > 3 }, having: .count > 1)
        let all = AggregateDescriptor(of: Ship.self, .count, .sum(\.tons), .countDistinct(\.flag))
        let ports = try AggregateObserver(byPort, modelContext: context)
        let flags = try AggregateObserver(byFlag, modelContext: context)
        let total = try AggregateObserver(all, modelContext: context)
        for round in 0..<60 {
            try run.step()
            if run.chance(30) { continue }
            let comment = "seed \(seed), round \(round)\n\(run.log.joined(separator: "\n"))"
            #expect("\(ports.groups)" == "\(try context.fetchGroups(byPort))", "\(comment)")
            #expect("\(flags.groups)" == "\(try context.fetchGroups(byFlag))", "\(comment)")
            #expect("\(total.groups)" == "\(try context.fetchGroups(all))", "\(comment)")
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
        #expect(followed.groups.first?.value.1 == ship.tons)
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
}
