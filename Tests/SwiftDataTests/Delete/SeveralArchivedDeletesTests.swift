import Foundation
import SwiftData
import Testing

@Suite("Several archived deletes in one save")
struct SeveralArchivedDeletesTests {
    private func filled() throws -> ModelContext {
        let context = ModelContext(try makeZoo())
        let category = AnimalCategory(name: "Mammals")
        category.animals = ["Fox", "Hare", "Wolf"].map { Animal(name: $0) }
        context.insert(category)
        try context.save()
        return context
    }

    private func animal(_ name: String, _ context: ModelContext) throws -> Animal {
        try #require(try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == name })).first)
    }

    private func names(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test("Members of one owner deleted one after another are archived and restored together")
    func members() throws {
        let context = try filled()
        let (fox, wolf) = (try animal("Fox", context), try animal("Wolf", context))
        let token = try #require(try context.deleteAndArchive(fox))
        #expect(try context.deleteAndArchive(wolf) == token)
        #expect(try names(context) == ["Hare"])
        try context.save()
        try context.container.restore(token)
        #expect(try names(context) == ["Fox", "Hare", "Wolf"])
        let category = try #require(try context.fetch(FetchDescriptor<AnimalCategory>()).first)
        #expect(category.animals.count == 3)
    }

    @Test("A member and then its owner are archived and restored together")
    func owner() throws {
        let context = try filled()
        let fox = try animal("Fox", context)
        let category = try #require(fox.category)
        let token = try #require(try context.deleteAndArchive(fox))
        #expect(try context.deleteAndArchive(category) == token)
        #expect(try names(context).isEmpty)
        try context.save()
        try context.container.restore(token)
        #expect(try names(context) == ["Fox", "Hare", "Wolf"])
        #expect(try animal("Fox", context).category?.name == "Mammals")
    }

    @Test("A predicate over a link that a pending delete removed is evaluated without the link")
    func reading() throws {
        let context = try filled()
        let category = try #require(try context.fetch(FetchDescriptor<AnimalCategory>()).first)
        let token = try context.deleteAndArchive(try animal("Fox", context))
        let isEmpty = #Predicate<AnimalCategory> { $0.animals.isEmpty }
        #expect(try context.deleteAndArchive(model: AnimalCategory.self, where: isEmpty) == nil)
        #expect(category.animals.count == 2)
        _ = try context.deleteAndArchive(model: Animal.self)
        #expect(try context.deleteAndArchive(model: AnimalCategory.self, where: isEmpty) == token)
        #expect(try context.fetchCount(FetchDescriptor<AnimalCategory>()) == 0)
    }
}
