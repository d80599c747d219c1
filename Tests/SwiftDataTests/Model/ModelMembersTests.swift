import SwiftData
import Testing

// The public API of macros, models and identifiers, spelled as programs written for Apple's framework spell it. Code that need not
// run is in functions that are never called: compiling is the test.

@Suite("Members of models and identifiers, options of macros")
struct ModelMembersTests {
    @Test("Every option of @Attribute and @Relationship can be saved")
    func macroOptions() throws {
        let container = try Bookshop.container()
        let context = ModelContext(container)
        let author = Bookshop.Author(name: "Ann")
        author.corner = Bookshop.Point(x: 1, y: -2)
        author.marks = ["a", "b"]
        author.portrait = Data([1])
        author.isSelected = true
        author.draft = "unsaved"
        author.books = [Bookshop.Book(title: "One"), Bookshop.Book(title: "Two")]
        author.motto = Bookshop.Motto()
        context.insert(author)
        try context.save()
        let other = ModelContext(container)
        let read = try #require(try other.fetch(FetchDescriptor<Bookshop.Author>()).first)
        #expect(read.corner == Bookshop.Point(x: 1, y: -2))
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
        let context = ModelContext(try Bookshop.container())
        let author = Bookshop.Author(name: "Ann")
        context.insert(author)
        author.setValue(forKey: \.name, to: "Eve")
        author.setValue(forKey: \.rival, to: Bookshop.Author(name: "Ann"))
        author.setValue(forKey: \.books, to: [Bookshop.Book(title: "One")])
        author.setTransformableValue(forKey: \.corner, to: Bookshop.Point(x: 3, y: 4))
        let name: String = author.getValue(forKey: \.name)
        let rival: Bookshop.Author? = author.getValue(forKey: \.rival)
        let books: [Bookshop.Book] = author.getValue(forKey: \.books)
        let corner: Bookshop.Point? = author.getTransformableValue(forKey: \.corner)
        #expect(name == "Eve")
        #expect(rival?.name == "Ann")
        #expect(books.map(\.title) == ["One"])
        #expect(corner == Bookshop.Point(x: 3, y: 4))
        #expect(author.rival === rival && author.books == books && author.corner == corner)
    }

    @Test("A model's backing data can be read and written like the model, and makes another object for the same record")
    func backingData() throws {
        let context = ModelContext(try Bookshop.container())
        let author = Bookshop.Author(name: "Ann")
        context.insert(author)
        try context.save()
        let backing: any BackingData<Bookshop.Author> = author.persistentBackingData
        let name: String = backing.getValue(forKey: \.name)
        #expect(name == "Ann")
        #expect(backing.persistentModelID == author.persistentModelID)
        backing.setValue(forKey: \.name, to: "Eve")
        #expect(author.name == "Eve")
        author.persistentBackingData = backing
        let fresh: any BackingData<Bookshop.Author> = Bookshop.Author.createBackingData()
        let made = Bookshop.Author(backingData: fresh)
        #expect(made.modelContext == nil)
        #expect(made != author)
        #expect(Bookshop.Author.schemaMetadata.count > 12)
    }

    @Test("Every model has an identity, a context and a state")
    func modelMembers() throws {
        let context = ModelContext(try Bookshop.container())
        let author = Bookshop.Author(name: "Ann")
        #expect(author.modelContext == nil)
        context.insert(author)
        #expect(author.modelContext == context)
        #expect(author.hasChanges)
        #expect(!author.isDeleted)
        let id: PersistentIdentifier = author.id
        #expect(id == author.persistentModelID)
        #expect(author == author)
        #expect(Set([author]).count == 1)
        #expect(Bookshop.Author.Root.self == Bookshop.Author.self)
        #expect([Bookshop.Book].PersistentElement.self == Bookshop.Book.self)
        #expect([Bookshop.Book]?.PersistentElement.self == Bookshop.Book.self)
    }

    @Test("Identifiers have parts, an order and an archive form")
    func identifiers() throws {
        let context = ModelContext(try Bookshop.container())
        let books = ["One", "Two"].map(Bookshop.Book.init)
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
    free: KeyPath<M, Bookshop.Point>
) {
    let string: String = model.getValue(forKey: text)
    let to: Other = model.getValue(forKey: one)
    let maybe: Other? = model.getValue(forKey: optional)
    let list: [Other] = model.getValue(forKey: many)
    let mixed: CodedModels<Other> = model.getValue(forKey: coded)
    let point: Bookshop.Point = model.getTransformableValue(forKey: free)
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
    backing.setTransformableValue(forKey: free, to: backing.getTransformableValue(forKey: free) as Bookshop.Point)
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
    isModel(Bookshop.Author.self)
    isIdentifier(PersistentIdentifier.self)
    isID(PersistentIdentifier.ID.self)
}
