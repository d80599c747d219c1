import ObjectGraph
import TestSupport
import Testing

@testable import SwiftData

/// The statements that fetches run, and the models that they keep in memory.
@Suite("Costs of fetches")
struct FetchCostTests {
    @Test("Models of an enumeration are released with each batch, however few they are")
    func enumeratedModels() throws {
        let container = try makeZoo()
        let filling = ModelContext(container)
        for index in 0..<40 { filling.insert(Animal(name: "\(index)")) }
        try filling.save()
        let context = ModelContext(container)
        let kept = try #require(try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])).first)
        weak var released: Animal?
        var most = 0
        try context.enumerate(FetchDescriptor<Animal>(), batchSize: 4) { animal in
            if animal !== kept { released = animal }
            most = max(most, context.graph.registeredRecords.count)
        }
        #expect(released == nil && most < 60)
        #expect(context.graph.registeredRecords.count <= 8 && kept.modelContext === context)
    }

    @Test("Counts with unsaved changes equal fetches, and read no unchanged row")
    func countsWithChanges() throws {
        let (container, log) = try loggedContainer(Animal.self, AnimalCategory.self, Tag.self)
        let context = ModelContext(container)
        for index in 0..<30 { context.insert(Animal(name: "\(index)", age: index)) }
        try context.save()
        var random = SeededGenerator(seed: 7)
        for round in 0..<40 {
            let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
            switch random.roll(4) {
            case 0: context.insert(Animal(name: "new \(round)", age: random.roll(40)))
            case 1: if let animal = random.pick(animals) { context.delete(animal) }
            case 2: random.pick(animals)?.age = random.roll(40)
            default: if random.chance(20) { try context.save() }
            }
            let limit = random.roll(30)
            var descriptor = FetchDescriptor<Animal>(predicate: #Predicate { $0.age < limit })
            if random.chance(30) { descriptor.fetchLimit = random.roll(20) }
            if random.chance(30) { descriptor.fetchOffset = random.roll(10) }
            let fetched = try context.fetch(descriptor).count
            log.clear()
            #expect(try context.fetchCount(descriptor) == fetched, "round \(round)")
            #expect(log.queries.count <= 3, "\(log.queries)")
        }
    }
}
