import Foundation
import TestSupport
import Testing

@testable import SwiftData

/// `DefaultStore`, wrapped by a store that forwards everything to it.
@Suite("The library's own store wrapped in a custom one")
struct DefaultStoreTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.appendingPathComponent("default.store") }

    init() throws { folder = try TemporaryFolder() }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Notebook.self, Note.self, Label.self, configurations: WrappedStore.Configuration(url: url))
    }

    @Test("Everything saved through the wrapper is in the file, as any container reads it")
    func passingOn() throws {
        let context = ModelContext(try container())
        context.author = "wrapped"
        let (book, label) = (Notebook(title: "Travel"), Label(name: "city"))
        context.insert(book)
        book.notes = [Note(text: "Rome", stars: 5), Note(text: "Oslo", stars: 2)]
        for note in book.notes { note.labels = [label] }
        try context.save()

        let plain = try ModelContainer(
            for: Notebook.self, Note.self, Label.self, configurations: ModelConfiguration(url: url))
        let reader = ModelContext(plain)
        let read = try #require(try reader.fetch(FetchDescriptor<Notebook>()).first)
        #expect(read.persistentModelID == book.persistentModelID)
        #expect(read.notes.map(\.text).sorted() == ["Oslo", "Rome"])
        #expect(try reader.fetch(FetchDescriptor<Label>()).first?.notes.count == 2)
        let history = try reader.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(history.map(\.author) == ["wrapped"])

        let again = ModelContext(try container())
        let liked = FetchDescriptor<Note>(predicate: #Predicate { $0.stars ?? 0 > 3 }, sortBy: [SortDescriptor(\.text)])
        let rome = try #require(try again.fetch(liked).first)
        #expect(rome.labels.map(\.name) == ["city"])
        rome.stars = 1
        rome.labels = []
        try again.save()
        #expect(try again.fetchCount(liked) == 0)
        let labels = ModelContext(plain)
        #expect(try labels.fetch(FetchDescriptor<Label>()).first?.notes.count == 1)
        try again.delete(model: Note.self, where: #Predicate { $0.text == "Oslo" })
        #expect(try ModelContext(plain).fetch(FetchDescriptor<Note>()).map(\.text) == ["Rome"])
        again.delete(try #require(try again.fetch(FetchDescriptor<Notebook>()).first))
        try again.save()
        #expect(try ModelContext(plain).fetchCount(FetchDescriptor<Note>()) == 0)
        #expect(try ModelContext(plain).fetchCount(FetchDescriptor<Label>()) == 1)
    }

    @Test("A new model listed twice is written once; an update of a missing row is refused, with the whole save")
    func oddRequests() throws {
        let schema = Schema([Notebook.self, Note.self, Label.self])
        let store = try DefaultStore(ModelConfiguration(schema: schema, url: url))
        func save(inserted: [Label] = [], updated: [Label] = [], deleted: [Label] = []) throws {
            func snapshots(_ labels: [Label]) -> [DefaultSnapshot] { labels.map { DefaultSnapshot(of: $0.record) } }
            _ = try store.save(
                DataStoreSaveChangesRequest(
                    inserted: snapshots(inserted), updated: snapshots(updated), deleted: snapshots(deleted),
                    editingState: EditingState()))
        }
        let plain = try ModelContainer(for: schema, configurations: [ModelConfiguration(schema: schema, url: url)])
        let label = Label(name: "city")
        try save(inserted: [label, label])
        let stored = try ModelContext(plain).fetch(FetchDescriptor<Label>())
        #expect(stored.map(\.name) == ["city"])

        try withExtendedLifetime(stored) {
            try save(deleted: stored)
            let error = #expect(throws: CocoaError.self) { try save(inserted: [Label(name: "sea")], updated: stored) }
            #expect(error?.code.rawValue == 133020)
        }
        #expect(try ModelContext(plain).fetchCount(FetchDescriptor<Label>()) == 0)
    }
}
