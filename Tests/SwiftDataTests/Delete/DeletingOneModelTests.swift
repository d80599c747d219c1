import Foundation
import SwiftData
import Testing

@Suite("Deleting one model")
struct DeletingOneModelTests {
    private func withFox() throws -> (context: ModelContext, fox: Animal) {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox", age: 3)
        context.insert(fox)
        try context.save()
        return (context, fox)
    }

    @Test("a model that was never saved is removed at once")
    func neverSaved() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox")
        context.insert(fox)
        context.delete(fox)
        #expect(!context.hasChanges)
        #expect(context.insertedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
        #expect(fox.modelContext == nil)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("until the save a deleted model has isDeleted true and keeps its context")
    func beforeSave() throws {
        let (context, fox) = try withFox()
        context.delete(fox)
        #expect(fox.isDeleted && fox.hasChanges)
        #expect(fox.modelContext === context)
        #expect(context.deletedModelsArray.first === fox)
        #expect(fox.name == "Fox")
    }

    @Test("fetches hide a deleted model at once, unless they leave pending changes out")
    func hidden() throws {
        let (context, fox) = try withFox()
        context.delete(fox)
        var descriptor = FetchDescriptor<Animal>()
        #expect(try context.fetchCount(descriptor) == 0)
        descriptor.includePendingChanges = false
        #expect(try context.fetchCount(descriptor) == 1)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("a deletion that is never saved is discarded with its context")
    func unsavedDeletion() throws {
        let container = try makeZoo()
        try {
            let context = ModelContext(container)
            context.insert(Animal(name: "Fox"))
            try context.save()
            try context.fetch(FetchDescriptor<Animal>()).forEach(context.delete)
        }()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("rollback brings a deleted model back, with its links")
    func rolledBack() throws {
        let (context, fox) = try withFox()
        fox.category = AnimalCategory(name: "Mammals")
        try context.save()
        context.delete(fox)
        #expect(try context.fetch(FetchDescriptor<AnimalCategory>()).first?.animals.isEmpty == true)
        context.rollback()
        #expect(!fox.isDeleted && !context.hasChanges)
        #expect(fox.category?.animals == [fox])
        #expect(try context.fetch(FetchDescriptor<Animal>()) == [fox])
    }

    @Test("after the save the model is no longer deleted but without context, and its last values stay readable")
    func afterSave() throws {
        let (context, fox) = try withFox()
        let id = fox.persistentModelID
        context.delete(fox)
        try context.save()
        #expect(!fox.isDeleted && !fox.hasChanges)
        #expect(fox.modelContext == nil)
        #expect(context.deletedModelsArray.isEmpty)
        #expect(fox.persistentModelID == id)
        #expect(fox.name == "Fox" && fox.age == 3)
    }

    @Test("DV29 a model that outlives its context keeps its read values, and reads the others from the store")
    func contextGone() throws {
        let container = try makeZoo()
        let setUp = ModelContext(container)
        setUp.insert(Animal(name: "Fox", age: 3, category: AnimalCategory(name: "Mammals")))
        try setUp.save()
        var context: ModelContext? = ModelContext(container)
        let fox = try #require(try context?.fetch(FetchDescriptor<Animal>()).first)
        let fault = try #require(
            context?.model(for: fox.category?.persistentModelID ?? fox.persistentModelID) as? AnimalCategory)
        context = nil
        #expect(fox.modelContext == nil)
        #expect(fox.name == "Fox" && fox.age == 3)
        #expect(fox.category == nil)
        #expect(fault.name == "Mammals")
    }

    @Test("DV29 a model that was unread when its context was released reads the store's current values")
    func readsAfterwards() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        let fox = Animal(name: "Fox", age: 3)
        context.insert(fox)
        try context.save()
        func model() -> Animal? { ModelContext(container).model(for: fox.persistentModelID) as? Animal }
        let orphan = try #require(model())
        let another = try #require(model())
        fox.age = 4
        try context.save()
        #expect(orphan.modelContext == nil)
        #expect(orphan.name == "Fox" && orphan.age == 4)
        context.delete(fox)
        try context.save()
        #expect(orphan.name == "Fox")
        #expect(another.name == "" && another.modelContext == nil)
    }

    @Test("DV29 operations that a model without a context cannot do are logged, once for each released context")
    func reportsOnce() throws {
        CapturedLog.start()
        let container = try makeZoo()
        let setUp = ModelContext(container)
        setUp.insert(Animal(name: "Fox", category: AnimalCategory(name: "Mammals")))
        try setUp.save()
        func orphan() throws -> Animal { try #require(ModelContext(container).fetch(FetchDescriptor<Animal>()).first) }
        let fox = try orphan()
        #expect(fox.category == nil && fox.tags.isEmpty)
        fox.age = 5
        let id = String(describing: fox.persistentModelID.storeIdentifier ?? "")
        let lines = CapturedLog.lines(about: "Animal.category").filter { $0.text.contains(id) }
        #expect(lines.count == 1)
        #expect(lines.first?.text.contains("The context of the model is gone") == true)
        #expect(CapturedLog.lines(about: "Animal.tags").filter { $0.text.contains(id) }.isEmpty)
    }

    @Test("writing to a model whose deletion was saved changes nothing")
    func writingAfterwards() throws {
        let (context, fox) = try withFox()
        let mammals = AnimalCategory(name: "Mammals")
        context.insert(mammals)
        context.delete(fox)
        try context.save()
        fox.name = "Wolf"
        fox.category = mammals
        #expect(fox.name == "Fox")
        #expect(mammals.animals.isEmpty)
        #expect(!context.hasChanges)
    }
}
