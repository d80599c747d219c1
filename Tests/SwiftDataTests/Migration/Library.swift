import Foundation
import SwiftData
import TestSupport

/// Versions of a library's models, each with classes of the same names.
enum Library1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self, Writer.self] }

    @Model
    final class Book {
        var title: String
        var pages: Int?
        var writer: Writer?

        init(title: String, pages: Int? = nil, writer: Writer? = nil) {
            self.title = title
            self.pages = pages
            self.writer = writer
        }
    }

    @Model
    final class Writer {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Book.writer) var books: [Book] = []

        init(name: String) {
            self.name = name
        }
    }
}

/// A new class that sorts before the others, a renamed property, a property that becomes mandatory, and a new one.
enum Library2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Article.self, Book.self, Writer.self] }

    @Model
    final class Article {
        var text: String = ""

        init(text: String) {
            self.text = text
        }
    }

    @Model
    final class Book {
        @Attribute(originalName: "title") var name: String
        var pages: Int = 100
        var isbn: String?
        var writer: Writer?

        init(name: String, pages: Int = 100) {
            self.name = name
            self.pages = pages
        }
    }

    @Model
    final class Writer {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Book.writer) var books: [Book] = []

        init(name: String) {
            self.name = name
        }
    }
}

/// Names are unique, and so duplicates must be removed before.
enum Library3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Article.self, Book.self, Writer.self] }

    @Model
    final class Article {
        var text: String = ""

        init(text: String) {
            self.text = text
        }
    }

    @Model
    final class Book {
        @Attribute(.unique) var name: String
        var pages: Int = 100
        var isbn: String?
        var summary: String = "none"
        var writer: Writer?

        init(name: String, pages: Int = 100) {
            self.name = name
            self.pages = pages
        }
    }

    @Model
    final class Writer {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Book.writer) var books: [Book] = []

        init(name: String) {
            self.name = name
        }
    }
}

/// A folder for a store, which is removed with it.
final class LibraryFile {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var url: URL { folder.appendingPathComponent("library.store") }

    init() throws { temporary = try TemporaryFolder() }

    func container(
        _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil, allowsSave: Bool = true
    ) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan,
            configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
    }

    /// Two writers, one with two books of one name and one with none.
    @discardableResult
    func fill() throws -> [PersistentIdentifier] {
        let context = ModelContext(try container(Library1.self))
        let ada = Library1.Writer(name: "Ada")
        context.insert(ada)
        context.insert(Library1.Writer(name: "Grace"))
        let books = [Library1.Book(title: "Notes", pages: 7, writer: ada), Library1.Book(title: "Notes", writer: ada)]
        for book in books { context.insert(book) }
        try context.save()
        return books.map(\.persistentModelID)
    }

    /// Everything in the folder, except files that opening leaves behind.
    var contents: [String: Data] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        var found: [String: Data] = [:]
        for name in names where !name.hasSuffix("-shm") {
            let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
            if !(name.hasSuffix("-wal") && data.isEmpty) { found[name] = data }
        }
        return found
    }
}
