import Foundation
import SQLiteStore
import TestSupport
import Testing

@testable import SwiftData

@Suite("Checking and repairing a container's stores")
struct CheckingTests {
    private final class Folder {
        private let folder: TemporaryFolder
        var url: URL { folder.url }
        init() throws { folder = try TemporaryFolder() }

        var file: URL { url.appendingPathComponent("zoo.store") }

        func container() throws -> ModelContainer {
            try ModelContainer(
                for: AnimalCategory.self, Animal.self, Tag.self, configurations: ModelConfiguration(url: file))
        }

        /// Edits the file without regard for the model's rules.
        func run(_ sql: String) throws { try Connection(.file(file), access: .readWrite).execute(sql) }
    }

    private func fill(_ container: ModelContainer) throws -> ModelContext {
        let context = ModelContext(container)
        let category = AnimalCategory(name: "Mammals")
        category.animals = ["Fox", "Wolf"].map { Animal(name: $0) }
        context.insert(category)
        try context.save()
        return context
    }

    @Test("a consistent store has no problems, and repairing it does nothing")
    func inOrder() throws {
        let folder = try Folder()
        let container = try folder.container()
        _ = try fill(container)
        #expect(try container.check() == [])
        let repair = try container.repair()
        #expect(repair.isEmpty && repair.steps == [] && repair.unrepairable == [])
        try repair.execute()
    }

    @Test("a dangling reference is found, reported and cleared; live models are updated")
    func dangling() throws {
        let folder = try Folder()
        let container = try folder.container()
        let context = try fill(container)
        let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        #expect(animals.map { $0.category?.name } == ["Mammals", "Mammals"])
        try folder.run("UPDATE ZANIMAL SET ZCATEGORY = 77 WHERE ZNAME = 'Fox'")

        let problems = try container.check()
        let problem = try #require(problems.first { $0.severity == .error })
        #expect(problem.entityName == "Animal" && problem.propertyName == "category" && problem.count == 1)
        #expect(problem.examples == [animals[0].persistentModelID])
        #expect(problem.description.contains("references a row that is gone"))
        #expect(!problem.description.contains("Fox"))

        let repair = try container.repair()
        #expect(repair.steps.count == 1)
        #expect(try container.check() == problems, "a plan changes nothing")
        try repair.execute()
        #expect(try container.check() == [])
        context.processPendingChanges()
        #expect(animals.map { $0.category?.name } == [nil, "Mammals"])
    }

    @Test("a repair planned for another state of the store is refused")
    func outdated() throws {
        let folder = try Folder()
        let container = try folder.container()
        _ = try fill(container)
        try folder.run("UPDATE ZANIMAL SET ZCATEGORY = 77 WHERE ZNAME = 'Fox'")
        let repair = try container.repair()
        try folder.run("UPDATE ZANIMAL SET ZCATEGORY = 77 WHERE ZNAME = 'Wolf'")
        let problems = try container.check()
        #expect(throws: DeletionError.storeChanged) { try repair.execute() }
        #expect(try container.check() == problems)
    }
}
