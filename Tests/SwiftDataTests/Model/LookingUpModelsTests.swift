import Foundation
import SwiftData
import Testing

/// Lookup of models by identity, and a model's state, after other contexts saved.
@Suite("Looking up models after other contexts saved")
struct LookingUpModelsTests {
    @Model final class Shelf {
        @Relationship(inverse: \Book.shelf) var books: [Book] = []
        init() {}
    }

    @Model final class Book {
        var title: String
        var shelf: Shelf?
        init(_ title: String) { self.title = title }
    }

    private func filled(_ file: SharedFile) throws -> (ModelContext, Shelf, Book) {
        let context = ModelContext(try file.container(for: Shelf.self, Book.self))
        let (shelf, book) = (Shelf(), Book("Emma"))
        context.insert(shelf)
        book.shelf = shelf
        try context.save()
        return (context, shelf, book)
    }

    @Test("Models read by model(for:) are in the lists that refer to them, after another container saved")
    func modelForIdentifier() throws {
        let file = try SharedFile()
        let (context, shelf, _) = try filled(file)
        #expect(shelf.books.count == 1)
        let other = ModelContext(try file.container(for: Shelf.self, Book.self))
        let new = Book("Persuasion")
        other.insert(new)
        let theirs = try #require(try other.fetch(FetchDescriptor<Shelf>()).first)
        new.shelf = theirs
        try other.save()

        let found = try #require(context.model(for: new.persistentModelID) as? Book)
        #expect(found.shelf === shelf)
        #expect(shelf.books.contains { $0 === found })
        shelf.books.removeAll { $0 === found }
        #expect(found.shelf == nil)
    }

    @Test("A model deleted by another context of the container shows it")
    func deletedElsewhere() throws {
        let file = try SharedFile()
        let (context, _, book) = try filled(file)
        let id = book.persistentModelID
        let other = ModelContext(context.container)
        for found in try other.fetch(FetchDescriptor<Book>()) { other.delete(found) }
        try other.save()
        #expect(book.modelContext == nil)
        let registered: Book? = context.registeredModel(for: id)
        #expect(registered == nil)
        let found = try #require(context.model(for: id) as? Book)
        #expect(found.title.isEmpty)
        #expect(found.modelContext == nil)
    }

    @Test("A pending delete is dropped when another context has deleted the model")
    func deletedTwice() throws {
        let file = try SharedFile()
        let (context, _, book) = try filled(file)
        context.delete(book)
        #expect(book.isDeleted)
        let other = ModelContext(context.container)
        try other.delete(model: Book.self)
        try other.save()
        #expect(!book.isDeleted)
        #expect(context.deletedModelsArray.isEmpty)
        #expect(book.modelContext == nil)
    }
}
