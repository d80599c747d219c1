import Foundation
import SwiftData
import TestSupport
import Testing

@Suite("Several containers on one file")
struct SeveralContainersTests {
    private final class Folder {
        private let folder: TemporaryFolder
        var url: URL { folder.url }

        init() throws { folder = try TemporaryFolder() }

        func container() throws -> ModelContainer {
            try ModelContainer(
                for: AnimalCategory.self, Animal.self, Tag.self,
                configurations: ModelConfiguration(url: url.appendingPathComponent("zoo.store")))
        }
    }

    @Test("One container's saves and deletes are visible to the other at its next fetch, also in registered models")
    func fetches() throws {
        let folder = try Folder()
        let (one, two) = (ModelContext(try folder.container()), ModelContext(try folder.container()))
        let category = AnimalCategory(name: "Mammals")
        category.animals = ["Fox", "Wolf", "Bear"].map { Animal(name: $0) }
        one.insert(category)
        try one.save()

        let seen = try #require(try two.fetch(FetchDescriptor<AnimalCategory>()).first)
        let fox = try #require(seen.animals.first { $0.name == "Fox" })
        let bear = try #require(seen.animals.first { $0.name == "Bear" })
        #expect(bear.name == "Bear")
        try one.delete(model: Animal.self, where: #Predicate { $0.name == "Fox" })
        try #require(category.animals.first { $0.name == "Bear" }).name = "Panda"
        try one.save()

        two.processPendingChanges()
        #expect(fox.modelContext == nil)
        #expect(fox.name == "Fox")
        #expect(bear.name == "Panda")
        #expect(Set(seen.animals.map(\.name)) == ["Wolf", "Panda"])
        #expect(try two.fetchCount(FetchDescriptor<Animal>()) == 2)
    }

    @Test("A model read before its insertion was merged merges later updates and deletes", arguments: [true, false])
    func readBefore(isDeleted: Bool) throws {
        let folder = try Folder()
        let (one, two) = (ModelContext(try folder.container()), ModelContext(try folder.container()))
        let category = AnimalCategory(name: "Fish")
        one.insert(category)
        try one.save()
        let seen = try #require(try two.fetch(FetchDescriptor<AnimalCategory>()).first)
        let eel = Animal(name: "Eel")
        category.animals.append(eel)
        try one.save()
        let twin = try #require(seen.animals.first)
        #expect(twin.name == "Eel")
        if isDeleted { one.delete(eel) } else { eel.name = "Moray" }
        try one.save()
        two.processPendingChanges()
        #expect((twin.modelContext == nil) == isDeleted)
        #expect(twin.name == (isDeleted ? "Eel" : "Moray"))
    }

    @Test("The main context of another container merges deletes by itself")
    @MainActor
    func wakes() async throws {
        let folder = try Folder()
        let one = ModelContext(try folder.container())
        let container = try folder.container()
        let category = AnimalCategory(name: "Fish")
        category.animals = [Animal(name: "Eel")]
        one.insert(category)
        try one.save()
        let eel = try #require(try container.mainContext.fetch(FetchDescriptor<Animal>()).first)
        try one.deletionPlan(for: AnimalCategory.self).execute()
        for _ in 0..<1000 where eel.modelContext != nil { await Task.yield() }
        #expect(eel.modelContext == nil)
    }
}
