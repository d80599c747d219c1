import Foundation
import ObjectGraph
import Observation
import SQLiteStore
import TestSupport
import Testing

@testable import SwiftData

@Suite("Fetching some properties")
struct PartialFetchTests {
    @Test("the statement reads the listed attributes; using another one reads the rest in one statement")
    func statements() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        var descriptor = FetchDescriptor<Grazer>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        descriptor.propertiesToFetch = [\.name, \.age]
        let animals = try context.fetch(descriptor)
        #expect(
            zoo.taken() == ["SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME, t0.ZAGE FROM ZGRAZER t0 ORDER BY t0.ZNAME, t0.Z_PK"])
        #expect(animals.map(\.name) == ["Bear", "Cat", "Dog"])
        #expect(animals.map(\.age) == [1, 2, 3])
        #expect(zoo.taken().isEmpty)

        #expect(animals[0].weight == 10)
        #expect(animals[0].diet == .carnivorous)
        #expect(animals[0].name == "Bear")
        let statements = zoo.taken()
        #expect(statements.count == 1)
        #expect(statements.first?.hasSuffix("FROM ZGRAZER WHERE Z_PK = ?") == true)
        try context.graph.checkInvariants()
    }

    @Test("a prefetched relationship is available without another statement")
    func relationships() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        var descriptor = FetchDescriptor<Grazer>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        descriptor.relationshipKeyPathsForPrefetching = [\.keeper]
        let animals = try context.fetch(descriptor)
        #expect(zoo.taken().count == 2)
        #expect(animals.map { $0.keeper?.name } == ["Kim", "Lou", "Lou"])
        #expect(zoo.taken().isEmpty)
    }

    @Test("setting a property reads the row first, and saves as usual")
    func editing() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let bear = try #require(try zoo.fetch([\.name], context).first)
        bear.name = "Brown Bear"
        #expect(bear.weight == 10)
        #expect(context.hasChanges)
        // A fetch of another property keeps the edit.
        let again = try zoo.fetch([\.age], context)
        #expect(again.contains { $0 === bear })
        #expect(bear.name == "Brown Bear")
        try context.save()
        let other = try #require(try zoo.fetch([], ModelContext(zoo.container)).first { $0.age == 1 })
        #expect(other.name == "Brown Bear")
        #expect(other.weight == 10)
    }

    @Test("setting a listed property to its value is no change")
    func sameValue() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let bear = try #require(try zoo.fetch([\.name], context).first)
        bear.name = "Bear"
        #expect(!context.hasChanges)
    }

    @Test("unsaved changes are included, in order")
    func unsaved() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        context.insert(Grazer(name: "Ape", age: 0))
        let animals = try zoo.fetch([\.age], context)
        #expect(animals.map(\.name) == ["Ape", "Bear", "Cat", "Dog"])
        animals[3].name = "Aardvark"
        #expect(try zoo.fetch([\.age], context).map(\.name) == ["Aardvark", "Ape", "Bear", "Cat"])
        context.rollback()
        #expect(try zoo.fetch([\.age], context).map(\.name) == ["Bear", "Cat", "Dog"])
        try context.graph.checkInvariants()
    }

    @Test("changes saved elsewhere are read, and observers are notified")
    func merging() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let animals = try zoo.fetch([\.name], context)
        let counter = Counter()
        withObservationTracking {
            _ = animals[0].name
        } onChange: {
            counter.add()
        }

        let other = ModelContext(zoo.container)
        let theirs = try zoo.fetch([], other)
        theirs[0].name = "Polar Bear"
        theirs[2].weight = 99
        try other.save()
        #expect(try context.fetchCount(FetchDescriptor<Grazer>()) == 3)
        #expect(counter.value == 1)
        #expect(animals[0].name == "Polar Bear")
        #expect(animals[2].weight == 99)
        #expect(animals[1].name == "Cat")
    }

    @Test("a newer version of a completely read row is read completely")
    func outdated() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let whole = try zoo.fetch([], context)
        #expect(whole[0].weight == 10)
        try zoo.elsewhere { theirs in
            theirs[0].name = "Badger"
            theirs[0].weight = 5
        }
        let listed = try zoo.fetch([\.name], context)
        #expect(listed[0] === whole[0])
        #expect(whole[0].name == "Badger")
        #expect(whole[0].weight == 5)
    }

    @Test("a deleted row keeps its read values")
    func deletedElsewhere() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let animals = try zoo.fetch([\.name, \.weight], context)
        let other = ModelContext(zoo.container)
        other.delete(try zoo.fetch([\.age], other)[0])
        try other.save()
        #expect(try context.fetchCount(FetchDescriptor<Grazer>()) == 2)
        #expect(animals[0].isDeleted || animals[0].modelContext == nil)
        #expect(animals[0].name == "Bear")
        #expect(animals[0].weight == 10)
        #expect(animals[0].age == 0)
    }

    @Test("a delete can be rolled back, and saved")
    func deleting() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let animals = try zoo.fetch([\.name], context)
        context.delete(animals[1])
        #expect(try zoo.fetch([\.name], context).map(\.name) == ["Bear", "Dog"])
        context.rollback()
        #expect(try zoo.fetch([\.name], context).map(\.name) == ["Bear", "Cat", "Dog"])
        context.delete(animals[1])
        try context.save()
        #expect(animals[1].name == "Cat")
        #expect(try zoo.fetch([], ModelContext(zoo.container)).map(\.name) == ["Bear", "Dog"])
    }

    @Test("a bulk delete nullifies the listed reference", arguments: [false, true])
    func deletingDestinations(isSaved: Bool) throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        let animals = try zoo.fetch([\.name, \.keeper], context)
        #expect(animals.map { $0.keeper?.name } == ["Kim", "Lou", "Lou"])
        try context.delete(model: Warden.self)
        #expect(animals[0].keeper == nil)
        if isSaved {
            try context.save()
            #expect(animals[0].keeper == nil)
        } else {
            context.rollback()
            #expect(animals[0].keeper?.name == "Kim")
        }
        #expect(animals[0].name == "Bear")
        try context.graph.checkInvariants()
    }

    @Test("reading in batches reads only the listed properties")
    func batches() throws {
        let zoo = try LoggedZoo()
        let context = ModelContext(zoo.container)
        var descriptor = FetchDescriptor<Grazer>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        descriptor.includePendingChanges = false
        let all = try context.fetch(descriptor, batchSize: 2)
        _ = zoo.taken()
        #expect(all.map(\.name) == ["Bear", "Cat", "Dog"])
        #expect(zoo.taken().allSatisfy { $0.hasPrefix("SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM") })

        let fresh = ModelContext(zoo.container)
        var names: [String] = []
        try fresh.enumerate(descriptor, batchSize: 2) { names.append($0.name) }
        #expect(names == ["Bear", "Cat", "Dog"])
        #expect(zoo.taken().count == 3)
    }

    @Test("subclasses have the listed properties, and every object its constants")
    func inheritance() throws {
        let (container, log) = try loggedContainer(Trip.self, BusinessTrip.self, Conference.self, Stop.self)
        let context = ModelContext(container)
        context.insert(Conference(name: "SwiftConf", topic: "Macros"))
        context.insert(Trip(name: "Alps", days: 7))
        try context.save()
        let fresh = ModelContext(container)
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        log.clear()
        let trips = try fresh.fetch(descriptor)
        #expect(trips.map(\.name) == ["Alps", "SwiftConf"])
        #expect(log.queries.count == 1)
        #expect((trips[1] as? Conference)?.topic == "Macros")
        #expect(log.queries.count == 2)
        var own = FetchDescriptor<Conference>()
        own.propertiesToFetch = [\.name, \.topic]
        log.clear()
        let conference = try #require(try ModelContext(container).fetch(own).first)
        #expect(conference.name == "SwiftConf")
        #expect(conference.topic == "Macros")
        #expect(log.queries.count == 1)
    }

    @Test("prefetched relationships are read with each batch, also of enumerate")
    func prefetchedBatches() throws {
        let (container, log) = try loggedContainer(Grazer.self, Warden.self)
        let context = ModelContext(container)
        for number in 0..<6 {
            let beast = Grazer(name: "\(number)", age: number)
            context.insert(beast)
            beast.keeper = Warden(name: "W\(number)")
        }
        try context.save()
        var descriptor = FetchDescriptor<Grazer>(sortBy: [SortDescriptor(\.name)])
        descriptor.relationshipKeyPathsForPrefetching = [\.keeper]
        descriptor.includePendingChanges = false
        var fresh = ModelContext(container)
        log.clear()
        let found = try fresh.fetch(descriptor, batchSize: 3)
        #expect(found.map { $0.keeper?.name ?? "" } == (0..<6).map { "W\($0)" })
        // Identifiers, then animals and keepers of each batch.
        #expect(log.queries.count == 5)
        fresh = ModelContext(container)
        log.clear()
        var names: [String] = []
        try fresh.enumerate(descriptor, batchSize: 3) { names.append($0.keeper?.name ?? "") }
        #expect(names == (0..<6).map { "W\($0)" })
        #expect(log.queries.count == 5)
        descriptor.relationshipKeyPathsForPrefetching = [\.name]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try fresh.fetch(descriptor, batchSize: 3) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try fresh.enumerate(descriptor) { _ in } }
    }

    @Test("an attribute of several columns is listed as a whole; a property that is not stored is refused")
    func otherProperties() throws {
        let (container, log) = try loggedContainer(Parcel.self)
        let context = ModelContext(container)
        context.insert(Parcel(ParcelSize(width: 1, height: 2), label: "A"))
        try context.save()
        var descriptor = FetchDescriptor<Parcel>()
        descriptor.propertiesToFetch = [\.size]
        log.clear()
        let fresh = ModelContext(container)
        let parcel = try #require(try fresh.fetch(descriptor).first)
        #expect(parcel.size == ParcelSize(width: 1, height: 2))
        // Constants are part of every object.
        #expect(parcel.number == 7)
        #expect(log.queries.count == 1)
        #expect(parcel.label == "A")
        #expect(log.queries.count == 2)
        descriptor.propertiesToFetch = [\.note]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(descriptor) }
    }
}

@Model
final class Grazer {
    var name: String
    var age: Int = 0
    var weight: Double?
    var diet: Diet = Diet.carnivorous
    var keeper: Warden?

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

@Model
final class Warden {
    var name: String
    @Relationship(inverse: \Grazer.keeper) var grazers: [Grazer] = []

    init(name: String) {
        self.name = name
    }
}

struct ParcelSize: Codable, Hashable {
    var width: Int
    var height: Int
}

@Model
final class Parcel {
    var size: ParcelSize
    var label: String
    let number = 7
    @Transient var note = ""

    init(_ size: ParcelSize, label: String) {
        self.size = size
        self.label = label
    }
}

private final class Counter: Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

/// Three animals, by age, in a container whose statements are recorded.
private struct LoggedZoo {
    let container: ModelContainer
    private let log: StatementLog

    init() throws {
        (container, log) = try loggedContainer(Grazer.self, Warden.self)
        let context = ModelContext(container)
        let (kim, lou) = (Warden(name: "Kim"), Warden(name: "Lou"))
        for (place, name) in ["Bear", "Cat", "Dog"].enumerated() {
            let beast = Grazer(name: name, age: place + 1)
            beast.weight = 10 * Double(place + 1)
            context.insert(beast)
            beast.keeper = place == 0 ? kim : lou
        }
        try context.save()
        log.clear()
    }

    /// The statements that read since the last call.
    func taken() -> [String] {
        defer { log.clear() }
        return log.queries
    }

    /// By name.
    func fetch(_ properties: [PartialKeyPath<Grazer>], _ context: ModelContext) throws -> [Grazer] {
        var descriptor = FetchDescriptor<Grazer>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = properties
        return try context.fetch(descriptor)
    }

    /// Changes made outside of all contexts, detected only by reading.
    func elsewhere(_ change: ([Grazer]) -> Void) throws {
        let core = container.core
        let apart = ModelContainer(
            ContainerCore(
                schema: core.schema, store: try #require(core.store as? SQLiteStore),
                configuration: ModelConfiguration(isStoredInMemoryOnly: true)))
        let context = ModelContext(apart)
        change(try fetch([], context))
        try context.save()
    }
}
