import Foundation
import SwiftData
import Testing

// The examples of the README; `scripts/check` compares them.

@Model
final class AnimalCategory {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category) var animals = [Animal]()

    init(name: String) {
        self.name = name
    }
}

@Model
final class Animal {
    var name: String
    var age: Int
    var category: AnimalCategory?

    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

@Suite("The README's examples with SwiftData")
struct ReadmeTests {
    /// Runs a block with a container for the models, whose store is removed afterwards.
    private func withContainer(_ body: (ModelContainer) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ModelConfiguration(url: folder.appendingPathComponent("zoo.store"))
        let container = try ModelContainer(for: AnimalCategory.self, Animal.self, configurations: file)
        try body(container)
    }

    /// - Returns: What the program prints.
    private func program(_ container: ModelContainer) throws -> [String] {
        var lines: [String] = []
        func print(_ first: String, _ second: String) { lines.append("\(first) \(second)") }
        let context = ModelContext(container)

        if try context.fetchCount(FetchDescriptor<Animal>()) == 0 {
            let mammals = AnimalCategory(name: "Mammals")
            mammals.animals = [Animal(name: "Wolf", age: 5), Animal(name: "Fox", age: 3)]
            mammals.animals.append(Animal(name: "Shrew", age: 1))
            context.insert(mammals)
            try context.save()
        }

        let grown = #Predicate<Animal> { $0.age > 2 && $0.category?.name == "Mammals" }
        for animal in try context.fetch(FetchDescriptor(predicate: grown, sortBy: [SortDescriptor(\.name)])) {
            print(animal.name, animal.category?.name ?? "-")
        }
        return lines
    }

    @Test("The program prints the same each time that it runs")
    func animals() throws {
        try withContainer { container in
            for _ in 0..<2 {
                let lines = try program(container)
                #expect(lines == ["Fox Mammals", "Wolf Mammals"])
            }
        }
    }

    @Test("The plan is printed as shown, and an executed plan is restored")
    func plan() throws {
        try withContainer { container in
            _ = try program(container)
            var text = ""
            func print(_ plan: DeletionPlan) { text = plan.description }
            let context = ModelContext(container)
            let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" })
            print(plan)
            let shown = [
                "4 rows would be deleted:",
                "  1 AnimalCategory",
                "  3 Animal through AnimalCategory.animals",
            ]
            #expect(text == shown.joined(separator: "\n"))
            if let token = try plan.executeAndArchive() { try container.restore(token) }
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 3)
        }
    }
}
