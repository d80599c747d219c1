import Foundation
import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// A store made by the tests, always the same except for its identifier: shelves with books (cascade), readers with borrowed books
/// (deny), labels (many to many), and an entity with a superentity.
enum Library {
    static func model() throws -> Model {
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("name", .string), Attribute("rank", .integer64, optional: true)]
        shelf.relationships = [Relationship("books", to: "Book", .toMany, inverse: "shelf", deleteRule: .cascade)]
        shelf.uniquenessConstraints = [["name"]]

        var title = Attribute("title", .string)
        title.preservesValueOnDeletion = true
        var mood = Attribute("mood", .composite, optional: true)
        mood.elements = [Attribute("mood", .string, optional: true)]
        mood.isEnum = true
        var size = Attribute("size", .composite, optional: true)
        size.elements = [Attribute("width", .double, optional: true), Attribute("height", .double, optional: true)]
        var book = EntityDescription("Book")
        book.attributes = [
            title, Attribute("pages", .integer32), Attribute("price", .decimal, optional: true),
            Attribute("printed", .date, optional: true), Attribute("isbn", .uuid, optional: true),
            Attribute("cover", .binary, optional: true), Attribute("isLent", .boolean), mood, size,
        ]
        book.relationships = [
            Relationship("shelf", to: "Shelf", .toOne, inverse: "books"),
            Relationship("labels", to: "Label", .toMany, inverse: "books"),
            Relationship("reader", to: "Reader", .toOne, inverse: "books"),
        ]
        book.indexes = [FetchIndex(name: "byTitle", propertyNames: ["title"])]

        var atlas = EntityDescription("Atlas", superentity: "Book")
        atlas.attributes = [Attribute("scale", .integer64, optional: true)]

        var label = EntityDescription("Label")
        label.attributes = [Attribute("text", .string)]
        label.relationships = [Relationship("books", to: "Book", .toMany, inverse: "labels")]

        var reader = EntityDescription("Reader")
        reader.attributes = [Attribute("name", .string)]
        reader.relationships = [Relationship("books", to: "Book", .toMany, inverse: "reader", deleteRule: .deny)]
        return try Model([shelf, book, atlas, label, reader], versionIdentifiers: ["1.0.0"])
    }

    /// Three shelves, twelve books of which three are atlases, three labels, two readers with one book each.
    @discardableResult
    static func make(at url: URL, history: SchemaLayout.HistoryKind = .with) throws -> SQLiteStore {
        let model = try model()
        var options = SQLiteStore.Options()
        options.history = history
        let store = try SQLiteStore(model: model, location: .file(url), options: options)
        _ = try store.save(changes(model))
        return store
    }

    /// Closed, so that everything is in one file.
    static func makeFile(at url: URL, history: SchemaLayout.HistoryKind = .with) throws {
        _ = try make(at: url, history: history)
    }

    private static func changes(_ model: Model) throws -> ChangeSet {
        var changes = ChangeSet()
        changes.author = "tests"
        func add(_ name: String, _ values: [String: [Value]]) -> ObjectID {
            guard let entity = model.entity(named: name) else { return .temporary(entityName: name) }
            let id = ObjectID.temporary(entityName: name)
            var slots = Array(repeating: Value.null, count: entity.slots.count)
            for (property, found) in values {
                if let attribute = entity.attribute(named: property) {
                    for (slot, value) in zip(attribute.slots, found) { slots[slot] = value }
                } else if let slot = entity.relationship(named: property)?.slot {
                    slots[slot] = found[0]
                }
            }
            changes.insertions.append(ChangeSet.Insertion(id: id, entityIndex: entity.index, values: SlotValues(slots)))
            return id
        }
        let shelves = ["Animals", "Maps", "Poems"].enumerated().map { place, name in
            add("Shelf", ["name": [.text(name)], "rank": [.integer(Int64(place + 1))]])
        }
        let readers = ["Ada", "Björn"].map { add("Reader", ["name": [.text($0)]]) }
        var books: [ObjectID] = []
        for number in 1...12 {
            let isAtlas = number % 4 == 0
            var values: [String: [Value]] = [
                "title": [.text("Book \(number)")], "pages": [.integer(Int64(number * 10))],
                "printed": [.real(Double(number) * 86_400.25)], "isLent": [.integer(number <= 2 ? 1 : 0)],
                "shelf": [.reference(shelves[number % 3])],
            ]
            if number % 2 == 0 { values["price"] = [.decimal(Decimal(number) / 4)] }
            if number % 3 == 0 { values["mood"] = [.text("happy")] }
            if number == 5 { values["size"] = [.real(1.5), .real(2.25)] }
            if number == 7 { values["cover"] = [.bytes(Data([1, 2, 3, 255]))] }
            if number <= 2 { values["reader"] = [.reference(readers[number - 1])] }
            if isAtlas { values["scale"] = [.integer(Int64(number * 1000))] }
            books.append(add(isAtlas ? "Atlas" : "Book", values))
        }
        let labels = ["old", "new; \"quoted\"", "line\nbreak"].map { add("Label", ["text": [.text($0)]]) }
        if let label = model.entity(named: "Label"), let relationship = label.relationship(named: "books") {
            for (place, id) in labels.enumerated() {
                changes.links.append(
                    ChangeSet.LinkChange(
                        owner: id, ownerEntityIndex: label.index, relationshipIndex: relationship.index,
                        added: Array(books.prefix(place * 2 + 1)), removed: []))
            }
        }
        return changes
    }
}
