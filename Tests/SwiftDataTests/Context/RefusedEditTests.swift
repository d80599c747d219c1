import Foundation
import SwiftData
import Testing

@Model private final class Stranger {
    var name = ""
    init(name: String) { self.name = name }
}

@Model private class Shelter {
    var name: String
    @Relationship(inverse: \Guest.shelter) var guests: [Guest] = []
    init(name: String) { self.name = name }
}

@Model private class Guest {
    var name: String
    var shelter: Shelter?
    init(name: String, shelter: Shelter? = nil) {
        self.name = name
        self.shelter = shelter
    }
}

@Model private final class LateGuest: Guest {
    var hour = 0
    override init(name: String, shelter: Shelter? = nil) { super.init(name: name, shelter: shelter) }
}

/// Changes that a context refuses without a caller to throw to.
@Suite("Refused changes")
struct RefusedEditTests {
    private func isRefused(_ context: ModelContext, naming parts: String...) -> Bool {
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error == SwiftDataError.modelValidationFailure)
        return parts.allSatisfy { error?.localizedDescription.contains($0) == true }
    }

    @Test("A model whose class is not in the schema makes save throw and save nothing, until it is removed")
    func unknownClass() throws {
        let context = ModelContext(try makeZoo())
        let stranger = Stranger(name: "X")
        context.insert(Tag(label: "kept"))
        context.insert(stranger)
        #expect(stranger.modelContext == nil && context.hasChanges)
        #expect(isRefused(context, naming: "'Stranger' is not part of the container's schema"))
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Tag>()) == 0)
        #expect(isRefused(context), "It stays until it is resolved.")
        context.delete(stranger)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Tag>()) == 1)
        context.insert(stranger)
        context.rollback()
        #expect(!context.hasChanges)
        try context.save()
    }

    @Test("A link to a model of another context makes save throw, until the property has another value")
    func linkAcrossContexts() throws {
        let container = try makeZoo()
        let (first, second) = (ModelContext(container), ModelContext(container))
        let mammals = AnimalCategory(name: "Mammals")
        first.insert(mammals)
        try first.save()
        let fox = Animal(name: "Fox")
        second.insert(fox)
        fox.category = mammals
        #expect(isRefused(second, naming: "'Animal.category'", "belongs to another context"))
        #expect(try first.fetchCount(FetchDescriptor<Animal>()) == 0)
        try first.save()
        fox.category = second.model(for: mammals.persistentModelID) as? AnimalCategory
        try second.save()
        #expect(try first.fetch(FetchDescriptor<Animal>()).first?.category === mammals)

        fox.category = mammals
        fox.category = nil
        try second.save()
        #expect(try first.fetch(FetchDescriptor<Animal>()).first?.category == nil)

        fox.category = mammals
        second.delete(fox)
        try second.save()
        #expect(try first.fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("A member of another context makes save throw in the context of the list")
    func memberOfAnotherContext() throws {
        let container = try makeZoo()
        let (first, second) = (ModelContext(container), ModelContext(container))
        let mammals = AnimalCategory(name: "Mammals")
        first.insert(mammals)
        let fox = Animal(name: "Fox")
        second.insert(fox)
        mammals.animals.append(fox)
        #expect(isRefused(first, naming: "'AnimalCategory.animals'"))
        try second.save()
        mammals.animals = []
        try first.save()
        #expect(try second.fetch(FetchDescriptor<AnimalCategory>()).first?.animals.isEmpty == true)
    }

    @Test("Inserting or deleting a model of another context makes save throw, until it is reverted")
    func insertedInTwoContexts() throws {
        let container = try makeZoo()
        let (first, second) = (ModelContext(container), ModelContext(container))
        let tag = Tag(label: "a")
        first.insert(tag)
        second.insert(tag)
        #expect(isRefused(second, naming: "was not inserted", "belongs to another context"))
        second.delete(tag)
        try second.save()
        try first.save()

        second.delete(tag)
        #expect(isRefused(second, naming: "was not deleted"))
        #expect(try second.deleteAndArchive(tag) == nil)
        second.rollback()
        try second.save()
        #expect(try second.fetchCount(FetchDescriptor<Tag>()) == 1)

        second.insert(tag)
        first.delete(tag)
        try first.save()
        second.insert(tag)
        try second.save()
        #expect(tag.modelContext === second, "Its first context has let it go, so that it is accepted after all.")
    }

    @Test("A model whose context is gone is refused, alone and with its linked models")
    func contextGone() throws {
        let container = try makeZoo()
        func saved() throws -> AnimalCategory {
            let context = ModelContext(container)
            let mammals = AnimalCategory(name: "Mammals")
            context.insert(mammals)
            try context.save()
            return mammals
        }
        let mammals = try saved()
        let context = ModelContext(container)
        context.insert(mammals)
        #expect(isRefused(context, naming: "was not inserted"))
        context.rollback()
        let fox = Animal(name: "Fox")
        fox.category = mammals
        context.insert(fox)
        #expect(isRefused(context, naming: "'Animal.category'"))
        fox.category = nil
        try context.save()
        context.delete(mammals)
        #expect(isRefused(context, naming: "was not deleted"))
    }

    @Test("A linked model that cannot be inserted is left out; the others are inserted, and save throws")
    func leftOut() throws {
        let context = ModelContext(
            try ModelContainer(for: Shelter.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let shelter = Shelter(name: "S")
        let late = LateGuest(name: "late")
        let guest = Guest(name: "early")
        shelter.guests = [guest, late]
        context.insert(shelter)
        #expect(shelter.guests.map(\.name) == ["early"])
        #expect(isRefused(context, naming: "'Shelter.guests'", "'LateGuest' is not part"))
        context.delete(late)
        try context.save()
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Guest>()).map(\.name) == ["early"])
    }

    @Test("The main context autosaves only once refused changes are resolved")
    @MainActor
    func autosave() async throws {
        let container = try makeZoo()
        let context = container.mainContext
        let stranger = Stranger(name: "X")
        context.insert(Tag(label: "kept"))
        context.insert(stranger)
        for _ in 0..<20 { await Task.yield() }
        #expect(context.hasChanges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 0)
        context.delete(stranger)
        context.insert(Tag(label: "more"))
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 2)
    }
}
