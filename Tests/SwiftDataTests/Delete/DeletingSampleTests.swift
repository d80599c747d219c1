import Foundation
import SwiftData
import Testing

/// The steps of Apple's sample "Deleting persistent data from your app".
@Suite("Deleting, as in Apple's sample")
struct DeletingSampleTests {
    private func filled() throws -> ModelContainer {
        let container = try makeZoo()
        let context = ModelContext(container)
        for (name, animals) in [("Mammals", ["Fox", "Wolf"]), ("Fish", ["Eel"])] {
            let category = AnimalCategory(name: name)
            category.animals = animals.map { Animal(name: $0) }
            context.insert(category)
        }
        context.insert(Tag(label: "wild"))
        try context.save()
        return container
    }

    private func counts(_ container: ModelContainer) throws -> [Int] {
        let context = ModelContext(container)
        return try [
            context.fetchCount(FetchDescriptor<AnimalCategory>()), context.fetchCount(FetchDescriptor<Animal>()),
            context.fetchCount(FetchDescriptor<Tag>()),
        ]
    }

    @Test("Deleting all models of a type cascades to related models, and deletes nothing else")
    func allOfAModel() throws {
        let container = try filled()
        let context = ModelContext(container)
        try context.delete(model: AnimalCategory.self)
        try context.save()
        #expect(try counts(container) == [0, 0, 1])
    }

    @Test("Without autosave, a delete is stored when the context is saved, and not before")
    func withoutAutosave() throws {
        let container = try filled()
        let context = ModelContext(container)
        context.autosaveEnabled = false
        let fox = try #require(
            try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == "Fox" })).first)
        context.delete(fox)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 2)
        #expect(context.hasChanges)
        #expect(try counts(container) == [2, 3, 1])
        try context.save()
        #expect(try counts(container) == [2, 2, 1])
    }

    @Test("deleteAllData clears every model")
    func allData() throws {
        let container = try filled()
        container.deleteAllData()
        #expect(try counts(container) == [0, 0, 0])
    }

    @Test("The selected model is recognized by its identifier, so that it can be deselected before it is deleted")
    func selection() throws {
        let context = ModelContext(try filled())
        let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        var selected: Animal? = animals.last
        let kept = selected
        for animal in animals {
            if animal.persistentModelID == selected?.persistentModelID { selected = nil }
            #expect((selected == nil) == (animal.name == "Wolf"))
            context.delete(animal)
        }
        try context.save()
        #expect(selected == nil)
        // A deleted model that is still referenced shows that it is deleted, and does not end the program.
        #expect(kept?.modelContext == nil)
        #expect(kept?.name == "Wolf")
    }
}
