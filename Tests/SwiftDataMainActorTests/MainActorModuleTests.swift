import Foundation
import SwiftData
import Testing

/// Models and contexts in their usual form, in a module where everything is on the main actor.
@Suite("A module on the main actor")
struct MainActorModuleTests {
    private let container: ModelContainer
    private var context: ModelContext { container.mainContext }

    init() throws {
        container = try ModelContainer(
            for: Author.self, Shelf.self, LockedShelf.self, Note.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        container.mainContext.autosaveEnabled = false
    }

    private func fill() throws {
        let ann = Author(name: "Ann Smith", address: Address(street: "Mill Lane", city: "York"))
        let bob = Author(name: "Bob")
        context.insert(ann)
        context.insert(bob)
        for year in 1990..<2000 {
            let book = Book(title: "Volume \(year)", year: year, genre: .novel)
            book.author = year % 2 == 0 ? ann : bob
            if year == 1999 { book.lose() }
        }
        try context.save()
    }

    @Test("models can be created, linked, saved and fetched")
    func models() throws {
        try fill()
        let other = ModelContext(container)
        let ann = try #require(
            try other.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == "Ann Smith" })).first)
        #expect(ann.shortName == "Smith" && ann.address == Address(street: "Mill Lane", city: "York"))
        #expect(ann.books.count == 5 && ann.books.allSatisfy { $0.genre == .novel && $0.author === ann })
        let shelf = LockedShelf(label: "A", code: 7)
        other.insert(shelf)
        shelf.books = ann.books
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Shelf>()).map(\.books.count) == [5])
        #expect(try context.fetch(FetchDescriptor<LockedShelf>()).map(\.code) == [7])
    }

    @Test("predicates, orders and limits work")
    func fetches() throws {
        try fill()
        let year = 1995
        var descriptor = FetchDescriptor<Book>(
            predicate: #Predicate { $0.year >= year && $0.author?.name == "Bob" },
            sortBy: [SortDescriptor(\.year, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.year) == [1999, 1997, 1995])
        descriptor.fetchLimit = 1
        let newest = try #require(try context.fetch(descriptor).first)
        if case .lost = newest.condition {} else { Issue.record("\(newest.condition)") }
        #expect(try context.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.title.contains("199") })) == 10)
        let productive = #Predicate<Author> { $0.books.contains { $0.year == 1990 } }
        #expect(try context.fetch(FetchDescriptor(predicate: productive)).map(\.name) == ["Ann Smith"])
    }

    @Test("property observers, convenience initializers and rollback work")
    func observers() throws {
        let book = Book(draft: "Draft")
        context.insert(book)
        book.readCount = 3
        #expect(book.lastChange == "0 to 3" && book.genre == .essay)
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
        let note = Note()
        context.insert(note)
        note.text = "done"
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Note>()).map(\.text) == ["done"])
    }

    @Test("single models can be deleted, and models by predicate")
    func deletes() throws {
        try fill()
        try context.delete(model: Book.self, where: #Predicate { $0.year < 1995 })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Book>()) == 5)
        let bob = try #require(
            try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == "Bob" })).first)
        context.delete(bob)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.year)])).map(\.year) == [1996, 1998])
    }

    @Test("results are observed in sections, by a text of a related model")
    func results() async throws {
        try fill()
        let observer = try ResultsObserver<Book, String>(
            filterBy: #Predicate { $0.year > 1992 }, sortBy: [SortDescriptor(\.year)], sectionBy: \.author?.name,
            modelContext: context)
        #expect(observer.sections?.sectionTitles == ["Ann Smith", "Bob"])
        #expect(observer.sections?[sectionTitle: "Bob"]?.map(\.year) == [1993, 1995, 1997, 1999])
        let bob = try #require(observer.results.last?.author)
        bob.name = "Al"
        #expect(observer.sections?.sectionTitles == ["Al", "Ann Smith"])
        let history = try HistoryObserver(observedModels: [Author.self], modelContainer: container)
        try context.save()
        for _ in 0..<1000 where history.eventCounter == 0 { await Task.yield() }
        #expect(history.eventCounter == 1)
    }

    @Test("a model actor reads and writes enums, structs and links concurrently with the main actor")
    func modelActor() async throws {
        try fill()
        let archivist = Archivist(modelContainer: container)
        let id = try await archivist.add("Papers", by: "Ann Smith")
        let book = try #require(context.model(for: id) as? Book)
        #expect(book.title == "Papers" && book.author?.name == "Ann Smith" && book.tags == ["archive"])
        #expect(await archivist.genre(of: id) == "essay")
        let author = try #require(book.author).persistentModelID
        #expect(await archivist.city(of: author) == "York")
    }
}
