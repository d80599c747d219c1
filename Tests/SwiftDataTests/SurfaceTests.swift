import SwiftData
import Testing

// The public API of macros, models and identifiers, spelled as programs written for Apple's framework spell it. Code that need not
// run is in functions that are never called: compiling is the test.

enum Surface {
    @Model final class Author {
        #Unique<Author>([\.name], [\.initials, \.year])
        #Index<Author>([\.name], [\.year, \.name])

        @Attribute(.preserveValueOnDeletion, originalName: "label", hashModifier: "v2") var name: String
        @Attribute var initials: String = ""
        @Attribute(originalName: "born") var year: Int = 0
        @Attribute(hashModifier: "v2") var rank: Int = 0
        @Attribute(.externalStorage) var portrait: Data?
        @Attribute(.ephemeral) var isSelected: Bool = false
        @Attribute(.spotlight, .allowsCloudEncryption) var note: String = ""
        @Attribute(.transformable(by: PointTransformer.self)) var corner: Point?
        @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var marks: [String]?
        @Transient var draft: String = ""
        @Relationship(
            deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 9, originalName: "texts",
            inverse: \Book.author, hashModifier: "v3")
        var books: [Book] = []
        @Relationship var rival: Author?
        @Relationship(.unique, deleteRule: .noAction, minimumModelCount: nil, maximumModelCount: nil, inverse: nil)
        var motto: Motto?

        init(name: String) {
            self.name = name
        }
    }

    @Model final class Book {
        #Index<Book>(.binary([\.title]), .rtree([\.width, \.height]))
        @Attribute(.unique) var title: String
        var width = 0.0
        var height = 0.0
        var author: Author?
        var reprints: [Book]?

        init(title: String) {
            self.title = title
        }
    }

    @Model final class Motto {
        var text: String = ""
        init() {}
    }

    /// Not `Codable`: stored by its transformer only.
    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    final class PointTransformer: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSData.self }
        override class func allowsReverseTransformation() -> Bool { true }

        override func transformedValue(_ value: Any?) -> Any? {
            (value as? Point).map { Data("\($0.x) \($0.y)".utf8) }
        }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data else { return nil }
            let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
        }
    }

    static func container() throws -> ModelContainer {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
}

/// Both a value and a list of models, as the last of the typed overloads requires.
struct CodedModels<Element: PersistentModel>: Codable, RelationshipCollection {
    typealias PersistentElement = Element
}

@Suite("Surface: macros, models, identifiers")
struct SurfaceTests {
    @Test("Every option of @Attribute and @Relationship can be saved")
    func macroOptions() throws {
        let container = try Surface.container()
        let context = ModelContext(container)
        let author = Surface.Author(name: "Ann")
        author.corner = Surface.Point(x: 1, y: -2)
        author.marks = ["a", "b"]
        author.portrait = Data([1])
        author.isSelected = true
        author.draft = "unsaved"
        author.books = [Surface.Book(title: "One"), Surface.Book(title: "Two")]
        author.motto = Surface.Motto()
        context.insert(author)
        try context.save()
        let other = ModelContext(container)
        let read = try #require(try other.fetch(FetchDescriptor<Surface.Author>()).first)
        #expect(read.corner == Surface.Point(x: 1, y: -2))
        #expect(read.marks == ["a", "b"])
        #expect(read.portrait == Data([1]))
        #expect(!read.isSelected)
        #expect(read.draft == "")
        #expect(read.books.map(\.title) == ["One", "Two"])
        #expect(read.motto?.text == "")
        #expect(read.books.allSatisfy { $0.author === read && $0.reprints?.isEmpty == true })
    }

    @Test("Values can be read and set by key path: plain, to-one, optional to-one, to-many, transformable")
    func valuesByKeyPath() throws {
        let context = ModelContext(try Surface.container())
        let author = Surface.Author(name: "Ann")
        context.insert(author)
        author.setValue(forKey: \.name, to: "Eve")
        author.setValue(forKey: \.rival, to: Surface.Author(name: "Ann"))
        author.setValue(forKey: \.books, to: [Surface.Book(title: "One")])
        author.setTransformableValue(forKey: \.corner, to: Surface.Point(x: 3, y: 4))
        let name: String = author.getValue(forKey: \.name)
        let rival: Surface.Author? = author.getValue(forKey: \.rival)
        let books: [Surface.Book] = author.getValue(forKey: \.books)
        let corner: Surface.Point? = author.getTransformableValue(forKey: \.corner)
        #expect(name == "Eve")
        #expect(rival?.name == "Ann")
        #expect(books.map(\.title) == ["One"])
        #expect(corner == Surface.Point(x: 3, y: 4))
        #expect(author.rival === rival && author.books == books && author.corner == corner)
    }

    @Test("A model's backing data can be read and written like the model, and makes another object for the same record")
    func backingData() throws {
        let context = ModelContext(try Surface.container())
        let author = Surface.Author(name: "Ann")
        context.insert(author)
        try context.save()
        let backing: any BackingData<Surface.Author> = author.persistentBackingData
        let name: String = backing.getValue(forKey: \.name)
        #expect(name == "Ann")
        #expect(backing.persistentModelID == author.persistentModelID)
        backing.setValue(forKey: \.name, to: "Eve")
        #expect(author.name == "Eve")
        author.persistentBackingData = backing
        let fresh: any BackingData<Surface.Author> = Surface.Author.createBackingData()
        let made = Surface.Author(backingData: fresh)
        #expect(made.modelContext == nil)
        #expect(made != author)
        #expect(Surface.Author.schemaMetadata.count > 12)
    }

    @Test("Every model has an identity, a context and a state")
    func modelMembers() throws {
        let context = ModelContext(try Surface.container())
        let author = Surface.Author(name: "Ann")
        #expect(author.modelContext == nil)
        context.insert(author)
        #expect(author.modelContext == context)
        #expect(author.hasChanges)
        #expect(!author.isDeleted)
        let id: PersistentIdentifier = author.id
        #expect(id == author.persistentModelID)
        #expect(author == author)
        #expect(Set([author]).count == 1)
        #expect(Surface.Author.Root.self == Surface.Author.self)
        #expect([Surface.Book].PersistentElement.self == Surface.Book.self)
        #expect([Surface.Book]?.PersistentElement.self == Surface.Book.self)
    }

    @Test("Identifiers have parts, an order and an archive form")
    func identifiers() throws {
        let context = ModelContext(try Surface.container())
        let books = ["One", "Two"].map(Surface.Book.init)
        books.forEach(context.insert)
        try context.save()
        let ids = books.map(\.persistentModelID)
        let first = try #require(ids.first)
        let store = try #require(first.storeIdentifier)
        #expect(first.entityName == "Book")
        #expect(first.id == first.id)
        #expect(Set(ids.map(\.id)).count == 2)
        #expect(ids.shuffled().sorted() == ids)
        #expect(try PersistentIdentifier.identifier(for: store, entityName: "Book", primaryKey: 1) == first)
        #expect(try PersistentIdentifier.identifier(for: store, entityName: "Book", primaryKey: "1") == first)
        let archive = try JSONEncoder().encode(first)
        #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: archive) == first)
        let form = try #require(try JSONSerialization.jsonObject(with: archive) as? [String: [String: Any]])
        let keys = try #require(form["implementation"]).keys
        #expect(
            Set(keys) == ["primaryKey", "uriRepresentation", "isTemporary", "storeIdentifier", "entityName"])
        #expect(form["implementation"]?["uriRepresentation"] as? String == "x-coredata://\(store)/Book/p1")
    }
}

// MARK: - Compiled, not run

private func everyTypedOverload<M: PersistentModel, Other: PersistentModel>(
    _ model: M, _ backing: any BackingData<M>, text: KeyPath<M, String>, one: KeyPath<M, Other>,
    optional: KeyPath<M, Other?>, many: KeyPath<M, [Other]>, coded: KeyPath<M, CodedModels<Other>>,
    free: KeyPath<M, Surface.Point>
) {
    let string: String = model.getValue(forKey: text)
    let to: Other = model.getValue(forKey: one)
    let maybe: Other? = model.getValue(forKey: optional)
    let list: [Other] = model.getValue(forKey: many)
    let mixed: CodedModels<Other> = model.getValue(forKey: coded)
    let point: Surface.Point = model.getTransformableValue(forKey: free)
    model.setValue(forKey: text, to: string)
    model.setValue(forKey: one, to: to)
    model.setValue(forKey: optional, to: maybe)
    model.setValue(forKey: many, to: list)
    model.setValue(forKey: coded, to: mixed)
    model.setTransformableValue(forKey: free, to: point)
    backing.setValue(forKey: text, to: backing.getValue(forKey: text) as String)
    backing.setValue(forKey: one, to: backing.getValue(forKey: one) as Other)
    backing.setValue(forKey: optional, to: backing.getValue(forKey: optional) as Other?)
    backing.setValue(forKey: many, to: backing.getValue(forKey: many) as [Other])
    backing.setValue(forKey: coded, to: backing.getValue(forKey: coded) as CodedModels<Other>)
    backing.setTransformableValue(forKey: free, to: backing.getTransformableValue(forKey: free) as Surface.Point)
    _ = backing.metadata
}

private func makesBackingData<M: PersistentModel, Kept: BackingData<M>>(_ type: M.Type, _ kept: Kept.Type) -> M
where M.Root == M {
    var backing = kept.init(for: type)
    backing.persistentModelID = nil
    return M(backingData: backing)
}

private func conformances() {
    func isModel<T: PersistentModel & AnyObject & Observable & Hashable & Identifiable>(_ type: T.Type) {}
    func isIdentifier<T: Hashable & Identifiable & Comparable & Codable & Sendable>(_ type: T.Type) {}
    func isID<T: Hashable & Sendable>(_ type: T.Type) {}
    isModel(Surface.Author.self)
    isIdentifier(PersistentIdentifier.self)
    isID(PersistentIdentifier.ID.self)
}
