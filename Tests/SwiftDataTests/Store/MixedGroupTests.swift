import ObjectGraph
import Testing

@testable import SwiftData

/// A custom store beside a SQLite store, as one group.
@Suite("Groups with custom stores")
struct MixedGroupTests {
    private func made(_ file: NotesFile) throws -> ModelContainer {
        let own = JSONStoreConfiguration(schema: Schema([Notebook.self, Note.self, Label.self]), fileURL: file.url)
        let plain = ModelConfiguration("plain", schema: Schema([Memo.self]), isStoredInMemoryOnly: true)
        return try ModelContainer(
            for: Schema([Notebook.self, Note.self, Label.self, Memo.self]), configurations: [own, plain])
    }

    @Test("A deletion of everything is refused, not done in part, if a store does not delete sets")
    func everything() throws {
        let file = try NotesFile()
        let core = try made(file).core
        let custom = try #require(core.stores.first { $0.setDeleting == nil })
        let group = try core.store.requireSetDeleting()
        let refusal = StoreCapabilityError.deletesNoSets(store: custom.identifier)
        #expect(throws: refusal) { try group.plan(DeleteRequest(.everything)) }
        #expect(throws: refusal) { try group.delete(DeleteRequest(.everything)) }
    }

    @Test("Erasing a container empties stores of both kinds")
    func erasing() throws {
        let file = try NotesFile()
        let container = try made(file)
        let context = ModelContext(container)
        context.insert(Note(text: "a"))
        context.insert(Memo(name: "p"))
        try context.save()
        try container.erase()
        let other = ModelContext(container)
        #expect(try other.fetchCount(FetchDescriptor<Memo>()) == 0)
        #expect(try other.fetchCount(FetchDescriptor<Note>()) == 0)
        #expect(try file.texts().isEmpty)
    }
}
