import Foundation
import SwiftData
import TestSupport
import Testing

@Model private final class Outsider {
    var name = ""
    init() {}
}

/// The text of an error that a person reads.
@Suite("Texts of errors")
struct ErrorTextTests {
    private func text(_ body: () throws -> Void) -> String {
        let error = #expect(throws: (any Error).self) { try body() }
        return error?.localizedDescription ?? ""
    }

    @Test("The error for a class outside the schema names it, and mentions no migration plan")
    func outsideSchema() throws {
        let context = ModelContext(try makeZoo())
        let descriptor = FetchDescriptor<Outsider>()
        let expected = "'Outsider' is not part of the container's schema; add it where the container is made."
        #expect(text { _ = try context.fetch(descriptor) } == expected)
        #expect(text { _ = try context.fetchCount(descriptor) } == expected)
        #expect(text { try context.delete(model: Outsider.self) } == expected)
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(descriptor) }
    }

    @Test("The localized description begins with a sentence, the description with the kind")
    func kinds() {
        let error = SwiftDataError.loadIssueModelContainer
        #expect(error.localizedDescription == "The container could not open its store.")
        #expect(error.description == "SwiftDataError.loadIssueModelContainer: The container could not open its store.")
    }

    @Test("Errors for a file that is no store, and for one that cannot be migrated, contain the path")
    func paths() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        let configuration = ModelConfiguration(url: url)
        try Data("not a database, but long enough to be taken for one at first sight".utf8).write(to: url)
        #expect(text { _ = try ModelContainer(for: Animal.self, configurations: configuration) }.contains(url.path))
        try FileManager.default.removeItem(at: url)
        _ = try ModelContainer(for: Animal.self, configurations: configuration)
        let refused = text { _ = try ModelContainer(for: Outsider.self, configurations: configuration) }
        #expect(refused.hasPrefix("The container could not open its store at \(url.path)."))
    }

    @Test("The error for saving to a read-only store names the store, its configuration and the solution")
    func readOnly() throws {
        let container = try ModelContainer(
            for: Animal.self, configurations: ModelConfiguration("zoo", isStoredInMemoryOnly: true, allowsSave: false))
        let context = ModelContext(container)
        context.insert(Animal(name: "Fox"))
        let text = self.text { try context.save() }
        #expect(text.contains("(configuration 'zoo') was opened with allowsSave: false; nothing was saved."))
        #expect(text.hasSuffix("Roll back, or open with allowsSave: true."))
    }

    @Test("The error for unsaved changes in a block of enumerate names allowEscapingMutations")
    func enumerating() throws {
        let context = ModelContext(try makeZoo())
        context.insert(Animal(name: "Fox"))
        try context.save()
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.enumerate(FetchDescriptor<Animal>()) { $0.age += 1 }
        }
        context.rollback()
        let text = self.text { try context.enumerate(FetchDescriptor<Animal>()) { $0.age += 1 } }
        #expect(text.contains("allowEscapingMutations: true"))
    }
}
