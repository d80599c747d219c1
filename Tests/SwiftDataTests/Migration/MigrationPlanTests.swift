import Foundation
import SwiftData
import Testing

@Suite("Migration plans")
struct MigrationPlanTests {
    enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Library1.self, Library2.self, Library3.self] }
        static var stages: [MigrationStage] { [first, second] }

        static let first = MigrationStage.lightweight(fromVersion: Library1.self, toVersion: Library2.self)
        static let second = MigrationStage.custom(
            fromVersion: Library2.self, toVersion: Library3.self,
            willMigrate: { context in
                let books = try context.fetch(FetchDescriptor<Library2.Book>(sortBy: [SortDescriptor(\.pages)]))
                for (number, book) in books.enumerated() where number > 0 { book.name += " \(number)" }
                try context.save()
            },
            didMigrate: { context in
                for book in try context.fetch(FetchDescriptor<Library3.Book>()) {
                    book.summary = "\(book.pages) pages by \(book.writer?.name ?? "nobody")"
                }
                try context.save()
            })
    }

    @Test("stages run in order from the stored version, with contexts of the old and the new models")
    func stages() throws {
        let file = try LibraryFile()
        let ids = try file.fill()
        let context = ModelContext(try file.container(Library3.self, plan: Plan.self))
        let books = try context.fetch(FetchDescriptor<Library3.Book>(sortBy: [SortDescriptor(\.pages)]))
        #expect(books.map(\.name) == ["Notes", "Notes 1"])
        #expect(books.map(\.summary) == ["7 pages by Ada", "100 pages by Ada"])
        #expect(Set(books.map(\.persistentModelID)) == Set(ids))
        #expect(file.contents.keys.allSatisfy { $0.hasPrefix("library.store") }, "nothing is left beside the store")
    }

    @Test("a store at a later version starts there; a new store, or one at the last version, runs no stage")
    func later() throws {
        let file = try LibraryFile()
        _ = try file.container(Library3.self, plan: Plan.self)
        _ = try file.container(Library3.self, plan: Plan.self)
        let other = try LibraryFile()
        try other.fill()
        do { _ = try other.container(Library2.self, plan: Plan.self) }
        let context = ModelContext(try other.container(Library3.self, plan: Plan.self))
        #expect(try context.fetchCount(FetchDescriptor<Library3.Book>()) == 2)
    }

    private struct Refusal: Error {}

    enum FailingPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { Plan.schemas }
        static var stages: [MigrationStage] {
            [
                Plan.first,
                .custom(
                    fromVersion: Library2.self, toVersion: Library3.self,
                    willMigrate: { context in
                        try context.delete(model: Library2.Book.self)
                        try context.save()
                    }, didMigrate: { _ in throw Refusal() }),
            ]
        }
    }

    @Test("a stage that throws leaves the store at the version before the first stage")
    func failing() throws {
        let file = try LibraryFile()
        try file.fill()
        let before = file.contents
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            _ = try file.container(Library3.self, plan: FailingPlan.self)
        }
        #expect(file.contents == before)
        #expect(try ModelContext(try file.container(Library1.self)).fetchCount(FetchDescriptor<Library1.Book>()) == 2)
    }

    enum ShortPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Library2.self, Library3.self] }
        static var stages: [MigrationStage] { [Plan.second] }
    }

    @Test("a store of a version outside the plan is refused as unknown")
    func unknown() throws {
        let file = try LibraryFile()
        try file.fill()
        let before = file.contents
        #expect(throws: SwiftDataError.unknownSchema) { _ = try file.container(Library3.self, plan: ShortPlan.self) }
        #expect(file.contents == before)
    }

    @Test("a store of a later version than the container's is refused as a backward migration")
    func backward() throws {
        let file = try LibraryFile()
        do { _ = try file.container(Library3.self) }
        let before = file.contents
        #expect(throws: SwiftDataError.backwardMigration) { _ = try file.container(Library1.self, plan: Plan.self) }
        #expect(file.contents == before)
    }

    enum TwinPlan: SchemaMigrationPlan {
        enum Twin: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 1, 0)
            static var models: [any PersistentModel.Type] { Library1.models }
        }

        static var schemas: [any VersionedSchema.Type] { [Library1.self, Twin.self, Library2.self] }
        static var stages: [MigrationStage] { [Plan.first] }
    }

    @Test("two versions with the same models are refused")
    func twins() throws {
        let file = try LibraryFile()
        try file.fill()
        let error = try #require(throws: SwiftDataError.self) {
            _ = try file.container(Library2.self, plan: TwinPlan.self)
        }
        #expect(error == .loadIssueModelContainer && error.description.contains("Duplicate version checksums"))
    }

    @Test("MG6 a migration that fails leaves no file beside a new store")
    func noLogFiles() throws {
        func names(_ file: LibraryFile) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: file.folder.path))
        }
        let file = try LibraryFile()
        try file.fill()
        #expect(try names(file) == ["library.store"])
        let before = try Data(contentsOf: file.url)
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            _ = try file.container(Library3.self, plan: FailingPlan.self)
        }
        #expect(throws: SwiftDataError.unknownSchema) { _ = try file.container(Library3.self, plan: ShortPlan.self) }
        #expect(try names(file) == ["library.store"])
        #expect(try Data(contentsOf: file.url) == before)
    }
}
