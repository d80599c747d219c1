import Foundation
import SwiftData
import Testing

@Suite("Migration without a plan")
struct LightweightMigrationTests {
    @Test("a store of an older schema is migrated when its container opens, and identifiers stay")
    func automatic() throws {
        let file = try LibraryFile()
        let ids = try file.fill()
        let context = ModelContext(try file.container(Library2.self))
        let books = try context.fetch(FetchDescriptor<Library2.Book>(sortBy: [SortDescriptor(\.pages)]))
        #expect(books.map(\.name) == ["Notes", "Notes"])
        #expect(books.map(\.pages) == [7, 100])
        #expect(books.allSatisfy { $0.isbn == nil && $0.writer?.name == "Ada" })
        #expect(Set(books.map(\.persistentModelID)) == Set(ids))
        let writers = try context.fetch(FetchDescriptor<Library2.Writer>(sortBy: [SortDescriptor(\.name)]))
        #expect(writers.map(\.books.count) == [2, 0])
        context.insert(Library2.Article(text: "new"))
        try context.save()
        let again = ModelContext(try file.container(Library2.self))
        #expect(try again.fetchCount(FetchDescriptor<Library2.Article>()) == 1)
    }

    @Test(".unique is added if values are unique; otherwise it is refused and the store is unchanged")
    func unique() throws {
        let file = try LibraryFile()
        try file.fill()
        do { _ = try file.container(Library2.self) }
        let before = file.contents
        let error = try #require(throws: SwiftDataError.self) { _ = try file.container(Library3.self) }
        #expect(error == .loadIssueModelContainer)
        #expect(error.description.contains("Book") && error.description.contains("name"))
        #expect(file.contents == before)
        do {
            let context = ModelContext(try file.container(Library2.self))
            for (number, book) in try context.fetch(FetchDescriptor<Library2.Book>()).enumerated() {
                book.name += " \(number)"
            }
            try context.save()
        }
        let context = ModelContext(try file.container(Library3.self))
        #expect(try context.fetch(FetchDescriptor<Library3.Book>()).map(\.summary) == ["none", "none"])
    }

    @Test("a mandatory property without a default is refused, and the store is unchanged")
    func missingDefault() throws {
        let file = try LibraryFile()
        try file.fill()
        let before = file.contents
        let error = try #require(throws: SwiftDataError.self) {
            _ = try ModelContainer(for: Strict.Book.self, configurations: ModelConfiguration(url: file.url))
        }
        #expect(error == .loadIssueModelContainer)
        #expect(error.description.contains("Book.rating"))
        #expect(file.contents == before)
    }

    enum Strict {
        @Model
        final class Book {
            var title: String
            var rating: Int

            init(title: String, rating: Int) {
                self.title = title
                self.rating = rating
            }
        }
    }

    @Test("a read-only store of an older schema is refused and unchanged")
    func readOnly() throws {
        let file = try LibraryFile()
        try file.fill()
        let before = file.contents
        let error = try #require(throws: SwiftDataError.self) {
            _ = try file.container(Library2.self, allowsSave: false)
        }
        #expect(error == .loadIssueModelContainer)
        #expect(file.contents == before)
    }

    @Test("a store without any entity of the schema is refused, as another program's")
    func foreign() throws {
        let file = try LibraryFile()
        try file.fill()
        let before = file.contents
        let error = try #require(throws: SwiftDataError.self) {
            _ = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: file.url))
        }
        #expect(error == .loadIssueModelContainer)
        #expect(error.description.contains("Book"))
        #expect(file.contents == before)
    }

    @Test("each of several stores is migrated separately, also along a plan", arguments: [false, true])
    func severalStores(usesPlan: Bool) throws {
        let file = try LibraryFile()
        try file.fill()
        let books = Schema([Library2.Book.self], version: Schema.Version(2, 0, 0))
        let articles = Schema([Library2.Article.self], version: Schema.Version(2, 0, 0))
        let other = file.folder.appendingPathComponent("articles.store")
        let container = try ModelContainer(
            for: Schema(versionedSchema: Library2.self), migrationPlan: usesPlan ? MigrationPlanTests.Plan.self : nil,
            configurations: ModelConfiguration("books", schema: books, url: file.url),
            ModelConfiguration("articles", schema: articles, url: other))
        let context = ModelContext(container)
        #expect(try context.fetch(FetchDescriptor<Library2.Book>()).map(\.name) == ["Notes", "Notes"])
        context.insert(Library2.Article(text: "new"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Library2.Article>()) == 1)
    }

    @Test("history is kept: its transactions are there after a migration")
    func history() throws {
        let file = try LibraryFile()
        try file.fill()
        let container = try file.container(Library2.self)
        let other = ModelContext(try file.container(Library2.self))
        let context = ModelContext(container)
        let book = try #require(try context.fetch(FetchDescriptor<Library2.Book>()).first)
        let seen = try #require(other.model(for: book.persistentModelID) as? Library2.Book)
        #expect(seen.isbn == nil)
        book.isbn = "1-2"
        try context.save()
        other.processPendingChanges()
        #expect(seen.isbn == "1-2")
    }
}
