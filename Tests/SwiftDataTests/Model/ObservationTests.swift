import Foundation
import Observation
import SwiftData
import Synchronization
import Testing

@Model
final class Watched {
    var name = "" {
        didSet { log.append("\(oldValue)→\(name)") }
    }
    private(set) var count = 0
    var parent: Watched?
    @Relationship(inverse: \Watched.parent) var children: [Watched] = []
    @Transient var log: [String] = []

    init(name: String = "") {
        self.name = name
    }

    func bump() { count += 1 }
}

@Suite("Observation")
struct ObservationTests {
    private func context() throws -> ModelContext {
        ModelContext(
            try ModelContainer(for: Watched.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    }

    private func changes(reading read: () -> Void, doing change: () throws -> Void) rethrows -> Int {
        let counter = Counter()
        withObservationTracking(read) { counter.add() }
        try change()
        return counter.value
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test("Reading a property inside a tracking scope makes its setter notify once")
    func setterNotifies() throws {
        let context = try context()
        let model = Watched(name: "a")
        context.insert(model)
        #expect(changes(reading: { _ = model.name }) { model.name = "b" } == 1)
        #expect(changes(reading: { _ = model.count }) { model.name = "c" } == 0)
        #expect(changes(reading: { _ = model.count }) { model.bump() } == 1)
    }

    @Test("The other end of a relationship is notified too")
    func inverseNotifies() throws {
        let context = try context()
        let parent = Watched(name: "parent")
        let child = Watched(name: "child")
        context.insert(parent)
        context.insert(child)
        #expect(changes(reading: { _ = parent.children.count }) { child.parent = parent } == 1)
        #expect(parent.children == [child])
        #expect(changes(reading: { _ = child.parent }) { parent.children = [] } == 1)
        #expect(child.parent == nil)
    }

    @Test("Rollback, and deletion of a related model, notify observers")
    func rollbackNotifies() throws {
        let context = try context()
        let parent = Watched(name: "parent")
        let child = Watched(name: "child")
        child.parent = parent
        context.insert(parent)
        try context.save()
        child.name = "renamed"
        #expect(changes(reading: { _ = child.name }) { context.rollback() } == 1)
        #expect(child.name == "child")
        #expect(changes(reading: { _ = parent.children }) { context.delete(child) } == 1)
    }

    @Test("An unreferenced model is kept while it is observed, and no longer")
    func memory() throws {
        let context = try context()
        context.insert(Watched(name: "watched"))
        for _ in 0..<5000 { context.insert(Watched()) }
        try context.save()
        let other = ModelContext(context.container)
        let watched = FetchDescriptor<Watched>(predicate: #Predicate { $0.name == "watched" })
        weak var model: Watched?
        let counter = Counter()
        func sweep() throws {
            // Enough models to make a context release unreferenced ones.
            for number in 0..<2 {
                let more = ModelContext(context.container)
                for _ in 0..<5000 { more.insert(Watched(name: "more \(number)")) }
                try more.save()
                _ = try other.fetch(FetchDescriptor<Watched>()).count
                _ = try other.fetch(watched).count
            }
        }
        func observe() throws {
            model = try other.fetch(watched).first
            #expect(model != nil)
            withObservationTracking {
                _ = model?.count
            } onChange: {
                counter.add()
            }
        }
        try observe()
        try sweep()
        #expect(model != nil, "an observer waits")
        func bump() { model?.bump() }
        bump()
        #expect(counter.value == 1)
        try other.save()
        try sweep()
        #expect(model == nil, "no observer waits")
    }

    @Test("didSet of a persisted property runs when it is set, not during initialisation")
    func observersRun() throws {
        let model = Watched(name: "a")
        #expect(model.log.isEmpty)
        model.name = "b"
        #expect(model.log == ["a→b"])
    }
}
