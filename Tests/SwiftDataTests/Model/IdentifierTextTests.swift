import Foundation
import SwiftData
import Testing

/// Identifiers as texts that are passed out of the program and decoded again.
@Suite("Identifiers as texts")
struct IdentifierTextTests {
    private func savedFox(_ container: ModelContainer) throws -> Animal {
        let context = ModelContext(container)
        let fox = Animal(name: "Fox")
        context.insert(fox)
        try context.save()
        return fox
    }

    @Test("A URI contains store, entity and key, and its container decodes it")
    func uri() throws {
        let container = try makeZoo()
        let id = try savedFox(container).persistentModelID
        let uri = id.uriRepresentation()
        #expect(uri.absoluteString == "x-coredata://\(try #require(id.storeIdentifier))/Animal/p1")
        #expect(container.identifier(forURIRepresentation: uri) == id)
        #expect((0..<10).allSatisfy { _ in id.uriRepresentation() == uri })
    }

    @Test("URIs of other stores, classes and shapes, and of unsaved models, are refused")
    func refused() throws {
        let (container, other) = (try makeZoo(), try makeZoo())
        let fox = try savedFox(container)
        let store = try #require(fox.persistentModelID.storeIdentifier)
        #expect(other.identifier(forURIRepresentation: fox.persistentModelID.uriRepresentation()) == nil)
        let unsaved = Tag(label: "new").persistentModelID.uriRepresentation()
        #expect(unsaved.absoluteString.hasPrefix("x-coredata:///Tag/t"))
        #expect(container.identifier(forURIRepresentation: unsaved) == nil)
        for text in [
            "https://example.com/Animal/p1", "x-coredata://\(store)/Stranger/p1", "x-coredata://\(store)/Animal/t1",
            "x-coredata://\(store)/Animal/p", "x-coredata://\(store)/Animal", "x-coredata://\(store)/Animal/p1/p2",
            "x-coredata://\(store.lowercased())/Animal/p1", "x-coredata:///Animal/p1",
        ] {
            let uri = try #require(URL(string: text))
            #expect(container.identifier(forURIRepresentation: uri) == nil, "\(text)")
        }
    }

    @Test("A custom store's keys survive a round trip, whatever characters they have")
    func ownKeys() throws {
        let store = "a store/é"
        for key in ["7", "07", "p7", "x/y", "ä ö?", "%41"] {
            let id = try PersistentIdentifier.identifier(for: store, entityName: "Word", primaryKey: key)
            let text = id.uriRepresentation().absoluteString
            #expect(text.hasPrefix("x-coredata://") && text.dropFirst(13).split(separator: "/").count == 3, "\(text)")
        }
    }

    @Test("Encoded with sorted keys, an identifier has the same bytes each time; unsaved ones have one length")
    func archives() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let id = try savedFox(makeZoo()).persistentModelID
        let archive = try encoder.encode(id)
        for _ in 0..<20 { #expect(try encoder.encode(id) == archive) }
        let lengths = try (0..<50).map { try encoder.encode(Tag(label: "\($0)").persistentModelID).count }
        #expect(Set(lengths).count == 1)
    }
}
