import Foundation
import SwiftData
import TestSupport
import Testing

/// Custom stores, by one that keeps everything in a JSON file.
@Suite("Custom stores")
struct DataStoreTests {
    private let file: NotesFile

    init() throws { file = try NotesFile() }

    @Test("Models are written and read again, with values of every kind, relationships and permanent identifiers")
    func roundTrip() throws {
        let context = ModelContext(try file.open())
        let (book, note, label) = (Notebook(title: "Travel"), Note(text: "Rome", stars: 5), Label(name: "city"))
        note.place = NotePlace(x: 1, y: 2)
        note.labels = [label]
        context.insert(book)
        book.notes = [note, Note(text: "Oslo")]
        #expect(note.persistentModelID.storeIdentifier == nil)
        try context.save()
        #expect(!context.hasChanges)
        #expect(note.persistentModelID.storeIdentifier == "notes.json")
        #expect(note.notebook === book)

        let other = ModelContext(try file.open())
        let books = try other.fetch(FetchDescriptor<Notebook>())
        #expect(books.map(\.title) == ["Travel"])
        let read = try #require(books.first?.notes.first { $0.text == "Rome" })
        #expect(read.persistentModelID == note.persistentModelID)
        #expect(read.stars == 5)
        #expect(read.place == NotePlace(x: 1, y: 2))
        #expect(read.written == note.written)
        #expect(read.labels.map(\.name) == ["city"])
        #expect(read.labels.first?.notes.map(\.text) == ["Rome"])
        #expect(read.notebook === books.first)
        #expect(books.first?.notes.count == 2)
        #expect(books.first?.notes.first { $0.text == "Oslo" }?.stars == nil)
    }

    @Test("Predicates and orders that the store refuses are evaluated in memory, with limit and offset")
    func inMemory() throws {
        let container = try file.filled(with: ["b": 2, "a": 1, "d": 4, "c": 3])
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Note>(
            predicate: #Predicate { $0.stars ?? 0 > 1 }, sortBy: [SortDescriptor(\.text, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.text) == ["d", "c", "b"])
        #expect(try context.fetchCount(descriptor) == 3)
        (descriptor.fetchOffset, descriptor.fetchLimit) = (1, 1)
        #expect(try context.fetch(descriptor).map(\.text) == ["c"])
        #expect(try context.fetchCount(descriptor) == 1)
        #expect(try context.fetchIdentifiers(descriptor).count == 1)
        var all = FetchDescriptor<Note>()
        (all.fetchOffset, all.fetchLimit) = (1, 2)
        #expect(try context.fetch(all).count == 2)
        #expect(try context.fetchCount(all) == 2)
        #expect(try context.fetchIdentifiers(all).count == 2)
    }

    @Test("Fetches include unsaved changes, which can be rolled back")
    func unsaved() throws {
        let context = ModelContext(try file.filled(with: ["a": 1, "b": 2]))
        let byText = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.text)])
        let notes = try context.fetch(byText)
        notes[0].text = "z"
        context.insert(Note(text: "m"))
        #expect(try context.fetch(byText).map(\.text) == ["b", "m", "z"])
        context.delete(notes[1])
        #expect(try context.fetch(byText).map(\.text) == ["m", "z"])
        context.rollback()
        #expect(try context.fetch(byText).map(\.text) == ["a", "b"])
        #expect(try file.texts() == ["a", "b"])
    }

    @Test("A save passes only changes to the store")
    func changes() throws {
        let context = ModelContext(try file.filled(with: ["a": 1, "b": 2, "c": 3]))
        let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.text)]))
        notes[0].text = "A"
        context.delete(notes[1])
        context.insert(Note(text: "d"))
        try context.save()
        #expect(file.opened.store?.asked.last == "save 1 1 1")
        #expect(try file.texts() == ["A", "c", "d"])
        #expect(try context.fetchCount(FetchDescriptor<Note>()) == 3)
    }

    @Test("Delete rules apply, and both ends of a link are saved")
    func deleteRules() throws {
        let container = try file.open()
        let context = ModelContext(container)
        let (book, label) = (Notebook(title: "Travel"), Label(name: "city"))
        book.notes = [Note(text: "Rome"), Note(text: "Oslo")]
        book.notes[0].labels = [label]
        context.insert(book)
        try context.save()

        let other = ModelContext(container)
        other.delete(try #require(try other.fetch(FetchDescriptor<Notebook>()).first))
        try other.save()
        #expect(try file.texts().isEmpty)
        let fresh = ModelContext(try file.open())
        #expect(try fresh.fetch(FetchDescriptor<Label>()).map(\.notes.count) == [0])
        #expect(try fresh.fetchCount(FetchDescriptor<Notebook>()) == 0)
    }

    @Test("Contexts of the container merge each other's saves")
    func merging() throws {
        let container = try file.filled(with: ["a": 1])
        let (context, other) = (ModelContext(container), ModelContext(container))
        let mine = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        let theirs = try #require(try other.fetch(FetchDescriptor<Note>()).first)
        theirs.text = "changed"
        other.insert(Note(text: "new"))
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Note>()).count == 2)
        #expect(mine.text == "changed")
        other.delete(theirs)
        try other.save()
        #expect(try context.fetchCount(FetchDescriptor<Note>()) == 1)
        #expect(mine.modelContext == nil)
    }

    @Test("Changes made to the file by other programs are visible at the next fetch")
    func changedElsewhere() throws {
        let context = ModelContext(try file.filled(with: ["a": 1]))
        let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        let elsewhere = ModelContext(try file.open())
        try #require(try elsewhere.fetch(FetchDescriptor<Note>()).first).stars = 9
        try elsewhere.save()
        _ = try context.fetch(FetchDescriptor<Note>())
        #expect(note.stars == 9)
    }

    @Test("A model is found by its identifier, also after the identifier was encoded")
    func identifiers() throws {
        let container = try file.filled(with: ["a": 1, "b": 2])
        let known = try #require(try ModelContext(container).fetchIdentifiers(FetchDescriptor<Note>()).first)
        let written = try JSONEncoder().encode(known)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: written)
        #expect(id == known)
        let context = ModelContext(container)
        let note = try #require(context.model(for: id) as? Note)
        #expect(["a", "b"].contains(note.text))
        let found = try context.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.persistentModelID == id }))
        #expect(found.map(\.persistentModelID) == [id])
    }

    @Test("Bulk deletes are executed model by model if the store does not support them")
    func deletingByPredicate() throws {
        let context = ModelContext(try file.filled(with: ["a": 1, "b": 2, "c": 3]))
        try context.delete(model: Note.self, where: #Predicate { $0.stars ?? 0 < 3 })
        #expect(try file.texts() == ["a", "b", "c"])
        try context.save()
        #expect(try file.texts() == ["c"])
    }

    @Test("Contexts merge erased stores even if a later store refuses to be erased")
    func erasedInPart() throws {
        let words = WordStore.Configuration(schema: Schema([Word.self]))
        var notes = JSONStoreConfiguration(fileURL: file.url, opened: file.opened)
        notes.schema = Schema([Notebook.self, Note.self, Label.self])
        let container = try ModelContainer(
            for: Schema([Notebook.self, Note.self, Label.self, Word.self]), configurations: [notes, words])
        let context = ModelContext(container)
        let (label, word) = (Label(name: "city"), Word(text: "one", rank: 1))
        context.insert(label)
        context.insert(word)
        try context.save()
        #expect(throws: (any Error).self) { try container.erase() }
        context.processPendingChanges()
        #expect(label.modelContext == nil)
        #expect(word.modelContext === context)
        #expect(try context.fetchCount(FetchDescriptor<Label>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Word>()) == 1)
    }

    @Test("The store receives the author of a request, and is erased with its container")
    func whoAsks() throws {
        let container = try file.filled(with: ["a": 1])
        let context = ModelContext(container)
        context.author = "me"
        let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        #expect(file.opened.store?.asked.last == "fetch Note by me")
        try container.erase()
        #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
        #expect(note.modelContext == nil)
        #expect(note.text == "a")
        #expect(try file.texts().isEmpty)
    }

    @Test("A custom store beside a SQLite store keeps the models of its schema")
    func beside() throws {
        let own = JSONStoreConfiguration(schema: Schema([Notebook.self, Note.self, Label.self]), fileURL: file.url)
        let plain = ModelConfiguration("plain", schema: Schema([Memo.self]), isStoredInMemoryOnly: true)
        let container = try ModelContainer(
            for: Schema([Notebook.self, Note.self, Label.self, Memo.self]), configurations: [own, plain])
        #expect(container.configurations == [plain])
        let context = ModelContext(container)
        context.insert(Note(text: "a"))
        context.insert(Memo(name: "p"))
        try context.save()
        #expect(try file.texts() == ["a"])
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<Memo>()).map(\.name) == ["p"])
        let notes = try other.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.text == "a" }))
        #expect(notes.count == 1)
        try other.delete(model: Memo.self)
        try other.delete(model: Note.self)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Memo>()) == 0)
        #expect(try file.texts().isEmpty)
    }

    @Test(
        "A save throws if the store returns no identifier or a foreign one for a new model, and the changes stay unsaved"
    )
    func wrongIdentifiers() throws {
        let container = try file.open()
        file.opened.store?.forgetsIdentifiers = true
        let context = ModelContext(container)
        context.insert(Note(text: "a"))
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges)
    }
}

@Model
final class Memo {
    var name: String
    init(name: String) { self.name = name }
}

/// A file of notes in a folder of its own, removed at the end.
private final class NotesFile {
    private let folder: TemporaryFolder
    let opened = OpenedStore()
    var url: URL { folder.appendingPathComponent("notes.json") }

    init() throws { folder = try TemporaryFolder() }

    func open() throws -> ModelContainer {
        try ModelContainer(
            for: Notebook.self, Note.self, Label.self,
            configurations: JSONStoreConfiguration(fileURL: url, opened: opened))
    }

    /// One note for each text, with a number of stars.
    func filled(with notes: [String: Int]) throws -> ModelContainer {
        let container = try open()
        let context = ModelContext(container)
        for (text, stars) in notes { context.insert(Note(text: text, stars: stars)) }
        try context.save()
        return container
    }

    /// The contents of the file, as any program could read them.
    func texts() throws -> [String] {
        struct Entry: Decodable {
            let text: String?
        }
        return try JSONDecoder().decode([Entry].self, from: Data(contentsOf: url)).compactMap(\.text).sorted()
    }
}
