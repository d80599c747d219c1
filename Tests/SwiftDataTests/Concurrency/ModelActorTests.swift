import SwiftData
import Testing

@ModelActor
actor BookshopActor {
    private(set) var added = 0

    func add(_ title: String) throws -> PersistentIdentifier {
        let book = Bookshop.Book(title: title)
        modelContext.insert(book)
        try modelContext.save()
        added += 1
        return book.persistentModelID
    }

    func title(of id: PersistentIdentifier) -> String? { self[id, as: Bookshop.Book.self]?.title }
    func isAuthor(_ id: PersistentIdentifier) -> Bool { self[id, as: Bookshop.Author.self] != nil }
}

/// The macro's expansion, written by hand, with a custom initializer.
actor HandMadeLibrary: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor

    init(container: ModelContainer, author: String) {
        modelContainer = container
        let context = ModelContext(container)
        context.author = author
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    var author: String? { modelContext.author }
}

@Suite("Model actors")
struct ModelActorTests {
    @Test("A model actor works on its own context and finds models by identifier and type")
    func modelActor() async throws {
        let container = try Bookshop.container()
        let library = BookshopActor(modelContainer: container)
        let id = try await library.add("One")
        #expect(await library.title(of: id) == "One")
        #expect(await !library.isAuthor(id))
        #expect(await library.added == 1)
        #expect(library.modelContainer === container)
        let absent = try PersistentIdentifier.identifier(
            for: try #require(id.storeIdentifier), entityName: "Book", primaryKey: 77)
        #expect(await library.title(of: absent) == nil)
    }

    @Test("A model actor sees deletions by other contexts, also of models it has read")
    func deletedElsewhere() async throws {
        let container = try Bookshop.container()
        let library = BookshopActor(modelContainer: container)
        let id = try await library.add("One")
        let context = ModelContext(container)
        try context.delete(model: Bookshop.Book.self)
        try context.save()
        #expect(await library.title(of: id) == nil)
    }

    @Test("An actor may conform by hand")
    func handMade() async throws {
        let library = HandMadeLibrary(container: try Bookshop.container(), author: "me")
        #expect(await library.author == "me")
        #expect(library.modelExecutor is any SerialModelExecutor)
        _ = library.unownedExecutor
    }
}

// MARK: - Compiled, not run

private func executor(_ executor: DefaultSerialModelExecutor, _ job: consuming ExecutorJob) -> UnownedSerialExecutor {
    executor.enqueue(job)
    let context: ModelContext = executor.modelContext
    let general: any ModelExecutor = DefaultSerialModelExecutor(modelContext: context)
    _ = general.modelContext
    return executor.asUnownedSerialExecutor()
}
