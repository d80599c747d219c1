import Foundation
import SwiftData
import TestSupport
import Testing

@Suite("Models and rows that other contexts use")
struct SeveralContextsTests {
    private func saved(_ names: [String]) throws -> (ModelContainer, ModelContext) {
        let container = try makeZoo()
        let context = ModelContext(container)
        for name in names { context.insert(Animal(name: name)) }
        try context.save()
        return (container, context)
    }

    @Test("A model whose context is gone is not inserted into another one as a second row")
    func orphanedModel() throws {
        let (container, _) = try saved(["Fox"])
        let orphan = try #require(try ModelContext(container).fetch(FetchDescriptor<Animal>()).first)
        let context = ModelContext(container)
        context.insert(orphan)
        let mammals = AnimalCategory(name: "Mammals")
        context.insert(mammals)
        orphan.category = mammals
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        context.delete(orphan)
        try context.save()
        #expect(orphan.modelContext == nil)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<AnimalCategory>()) == 1)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("A child that another context added to a parent pending deletion is deleted with it")
    func lateChild() throws {
        let container = try makeZoo()
        let one = ModelContext(container)
        let mammals = AnimalCategory(name: "Mammals")
        mammals.animals = [Animal(name: "Fox")]
        one.insert(mammals)
        try one.save()
        #expect(mammals.animals.count == 1)
        one.delete(mammals)
        let two = ModelContext(container)
        let other = try #require(try two.fetch(FetchDescriptor<AnimalCategory>()).first)
        two.insert(Animal(name: "Wolf", category: other))
        try two.save()
        try one.save()
        let three = ModelContext(container)
        #expect(try three.fetchCount(FetchDescriptor<AnimalCategory>()) == 0)
        #expect(try three.fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("An upsert that moves a row removes it from its former member list")
    func movedByUpsert() throws {
        let container = try ModelContainer(
            for: Pack.self, Wolf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let north = Pack(name: "north")
        let south = Pack(name: "south")
        north.wolves = [Wolf(tag: 7)]
        [north, south].forEach(context.insert)
        try context.save()
        #expect(north.wolves.count == 1)
        let again = Wolf(tag: 7)
        again.pack = south
        context.insert(again)
        try context.save()
        #expect(north.wolves.isEmpty)
        context.delete(north)
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<Wolf>()).map { $0.pack?.name } == ["south"])
    }

    @Test("Deleting a model whose row is gone does not make the save fail")
    func deletedTwice() throws {
        let (container, one) = try saved(["Fox", "Eel"])
        let two = ModelContext(container)
        let id = try #require(try one.fetch(FetchDescriptor<Animal>()).first).persistentModelID
        let ghost = try #require(two.model(for: id) as? Animal)
        try one.delete(model: Animal.self, where: #Predicate { $0.name == "Fox" })
        try one.save()
        two.delete(ghost)
        two.insert(Animal(name: "Owl"))
        try two.save()
        let names = try ModelContext(container).fetch(FetchDescriptor<Animal>()).map(\.name)
        #expect(names == ["Eel", "Owl"])
    }

    @Test("A model of another context is not deleted here")
    func foreignDelete() throws {
        let (container, one) = try saved(["Fox"])
        let two = ModelContext(container)
        let fox = try #require(try one.fetch(FetchDescriptor<Animal>()).first)
        two.delete(fox)
        #expect(!fox.isDeleted)
        #expect(throws: SwiftDataError.modelValidationFailure) { try two.save() }
    }

    @Test("A context merges all changes made while it was idle")
    func overflow() throws {
        let (container, one) = try saved(["Fox"])
        let fox = try #require(try one.fetch(FetchDescriptor<Animal>()).first)
        let two = ModelContext(container)
        try #require(try two.fetch(FetchDescriptor<Animal>()).first).name = "Red fox"
        for index in 0..<10_001 { two.insert(Animal(name: "\(index)")) }
        try two.save()
        one.processPendingChanges()
        #expect(fox.name == "Red fox")
        #expect(try one.fetchCount(FetchDescriptor<Animal>()) == 10_002)
    }
}
