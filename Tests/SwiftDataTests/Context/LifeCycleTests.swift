import Foundation
import SwiftData
import Testing

@Suite("Insert, fetch, edit, delete, save")
struct LifeCycleTests {
    @Test("An inserted model is found before and after the save, with a permanent identifier after it")
    func insertAndSave() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox", diet: .omnivorous, age: 3)
        context.insert(fox)
        #expect(fox.persistentModelID.storeIdentifier == nil)
        #expect(try context.fetch(FetchDescriptor<Animal>()).map(\.name) == ["Fox"])
        #expect(context.insertedModelsArray.count == 1)
        try context.save()
        #expect(fox.persistentModelID.storeIdentifier != nil)
        #expect(!context.hasChanges)
        let found = try #require(try context.fetch(FetchDescriptor<Animal>()).first)
        #expect(found === fox)
    }

    @Test("Another context reads the saved values, as another instance of the same identity")
    func secondContext() throws {
        let container = try makeZoo()
        let first = ModelContext(container)
        let mammals = AnimalCategory(name: "Mammals")
        let fox = Animal(name: "Fox", diet: .carnivorous, age: 3, category: mammals)
        first.insert(fox)
        try first.save()
        let second = ModelContext(container)
        let other = try #require(try second.fetch(FetchDescriptor<Animal>()).first)
        #expect(other !== fox)
        #expect(other == fox)
        #expect(other.name == "Fox")
        #expect(other.diet == .carnivorous)
        #expect(other.age == 3)
        #expect(other.weight == nil)
        #expect(other.category?.name == "Mammals")
        #expect(other.category?.animals == [other])
    }

    @Test("Linking in an initialiser inserts the new object into the context of the other")
    func linkingInserts() throws {
        let context = ModelContext(try makeZoo())
        let mammals = AnimalCategory(name: "Mammals")
        context.insert(mammals)
        let fox = Animal(name: "Fox", category: mammals)
        #expect(mammals.animals.first === fox)
        #expect(fox.modelContext === context)
        let wolf = Animal(name: "Wolf")
        mammals.animals.append(wolf)
        #expect(wolf.category === mammals)
        #expect(wolf.modelContext === context)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 2)
    }

    @Test("Deleting a category deletes its animals and keeps their tags")
    func cascade() throws {
        let context = ModelContext(try makeZoo())
        let mammals = AnimalCategory(name: "Mammals")
        let red = Tag(label: "red")
        for name in ["Fox", "Wolf"] {
            let animal = Animal(name: name, category: mammals)
            animal.tags = [red]
            context.insert(animal)
        }
        context.insert(Animal(name: "Eel"))
        try context.save()
        context.delete(mammals)
        #expect(try context.fetch(FetchDescriptor<Animal>()).map(\.name) == ["Eel"])
        #expect(red.animals.isEmpty)
        try context.save()
        #expect(mammals.modelContext == nil)
        #expect(mammals.name == "Mammals")
        let second = ModelContext(context.container)
        #expect(try second.fetch(FetchDescriptor<Animal>()).map(\.name) == ["Eel"])
        #expect(try second.fetch(FetchDescriptor<Tag>()).first?.animals.isEmpty == true)
    }

    @Test("Predicate and sort order include unsaved changes")
    func predicateWithPending() throws {
        let context = ModelContext(try makeZoo())
        for (name, age) in [("Fox", 3), ("Wolf", 5), ("Eel", 8)] { context.insert(Animal(name: name, age: age)) }
        try context.save()
        context.insert(Animal(name: "Owl", age: 9))
        let wolf = try #require(
            try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == "Wolf" })).first)
        wolf.age = 1
        let old = FetchDescriptor<Animal>(
            predicate: #Predicate { $0.age > 2 }, sortBy: [SortDescriptor(\.age, order: .reverse)])
        #expect(try context.fetch(old).map(\.name) == ["Owl", "Eel", "Fox"])
        context.rollback()
        #expect(wolf.age == 5)
        #expect(try context.fetch(old).map(\.name) == ["Eel", "Wolf", "Fox"])
    }

    @Test("Inserting a model whose unique value exists updates the existing row")
    func upsert() throws {
        let context = ModelContext(try makeZoo())
        context.insert(AnimalCategory(name: "Fish"))
        try context.save()
        let again = AnimalCategory(name: "Fish")
        again.animals.append(Animal(name: "Eel"))
        context.insert(again)
        try context.save()
        let categories = try context.fetch(FetchDescriptor<AnimalCategory>())
        #expect(categories.count == 1)
        #expect(categories.first?.animals.map(\.name) == ["Eel"])
    }
}
