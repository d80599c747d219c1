import SwiftData
import Testing

@ModelActor
actor SurfaceLibrary {
    private(set) var added = 0

    func add(_ title: String) throws -> PersistentIdentifier {
        let book = Surface.Book(title: title)
        modelContext.insert(book)
        try modelContext.save()
        added += 1
        return book.persistentModelID
    }

    func title(of id: PersistentIdentifier) -> String? { self[id, as: Surface.Book.self]?.title }
    func isAuthor(_ id: PersistentIdentifier) -> Bool { self[id, as: Surface.Author.self] != nil }
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

@Suite("Surface: actors and errors")
struct ActorAndErrorSurfaceTests {
    @Test("A model actor works on its own context and finds models by identifier and type")
    func modelActor() async throws {
        let container = try Surface.container()
        let library = SurfaceLibrary(modelContainer: container)
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
        let container = try Surface.container()
        let library = SurfaceLibrary(modelContainer: container)
        let id = try await library.add("One")
        let context = ModelContext(container)
        try context.delete(model: Surface.Book.self)
        try context.save()
        #expect(await library.title(of: id) == nil)
    }

    @Test("An actor may conform by hand")
    func handMade() async throws {
        let library = HandMadeLibrary(container: try Surface.container(), author: "me")
        #expect(await library.author == "me")
        #expect(library.modelExecutor is any SerialModelExecutor)
        _ = library.unownedExecutor
    }

    @Test("Every error is a constant that a catch clause can name")
    func errors() {
        let all: [SwiftDataError] = [
            .includePendingChangesWithBatchSize, .unsupportedPredicate, .unsupportedKeyPath,
            .sortingPendingChangesWithIdentifiers, .unsupportedSortDescriptor, .duplicateConfiguration,
            .configurationFileNameTooLong, .configurationFileNameContainsInvalidCharacters,
            .configurationSchemaNotFoundInContainerSchema, .loadIssueModelContainer, .modelValidationFailure,
            .missingModelContext, .backwardMigration, .unknownSchema, .historyTokenExpired,
            .invalidTransactionFetchRequest, .unknownDataStoreSchema,
        ]
        #expect(Set(all).count == 17)
        func kind(of error: any Error) -> String {
            do {
                throw error
            } catch SwiftDataError.unsupportedPredicate {
                return "predicate"
            } catch SwiftDataError.loadIssueModelContainer {
                return "container"
            } catch {
                return "other"
            }
        }
        #expect(kind(of: SwiftDataError.unsupportedPredicate) == "predicate")
        #expect(kind(of: SwiftDataError.loadIssueModelContainer) == "container")
        #expect(kind(of: SwiftDataError.unknownSchema) == "other")
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
