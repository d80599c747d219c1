import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SwiftData

/// A custom store beside a SQLite store, as one group.
@Suite("Groups with custom stores")
struct MixedGroupTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        let notes = Schema([Notebook.self, Note.self, Label.self])
        let own = JSONStoreConfiguration(schema: notes, fileURL: folder.appendingPathComponent("notes.json"))
        let plain = ModelConfiguration("plain", schema: Schema([Memo.self]), isStoredInMemoryOnly: true)
        container = try ModelContainer(
            for: Schema([Notebook.self, Note.self, Label.self, Memo.self]), configurations: [own, plain])
    }

    @Test("A deletion of everything is refused, not done in part, if a store does not delete sets")
    func everything() throws {
        let core = container.core
        let custom = try #require(core.stores.first { $0.setDeleting == nil })
        let group = try core.store.requireSetDeleting()
        let refusal = StoreCapabilityError.deletesNoSets(store: custom.identifier)
        #expect(throws: refusal) { try group.plan(DeleteRequest(.everything)) }
        #expect(throws: refusal) { try group.delete(DeleteRequest(.everything)) }
    }

    @Test("Erasing a container empties stores of both kinds")
    func erasing() throws {
        let context = ModelContext(container)
        context.insert(Note(text: "a"))
        context.insert(Memo(name: "p"))
        try context.save()
        try container.erase()
        let other = ModelContext(container)
        #expect(try other.fetchCount(FetchDescriptor<Memo>()) == 0)
        #expect(try other.fetchCount(FetchDescriptor<Note>()) == 0)
    }
}
