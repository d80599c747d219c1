import SwiftData
import Testing

@Suite("Members of contexts, descriptors and results")
struct ContextMembersTests {
    private func context() throws -> ModelContext {
        let context = ModelContext(try Bookshop.container())
        for title in ["One", "Two", "Three"] { context.insert(Bookshop.Book(title: title)) }
        try context.save()
        return context
    }

    @Test("A new context has its defaults, and settable properties")
    func state() throws {
        let context = try context()
        #expect(!context.autosaveEnabled)
        #expect(context.undoManager == nil && context.author == nil)
        context.author = "importer"
        #expect(context.editingState.author == "importer")
        context.editingState.author = nil
        #expect(context.author == nil)
        context.undoManager = UndoManager()
        context.autosaveEnabled = true
        context.autosaveEnabled = false
        #expect(context == context && context != ModelContext(context.container))
        #expect(!context.hasChanges)
        let arrays: [[any PersistentModel]] = [
            context.insertedModelsArray, context.changedModelsArray, context.deletedModelsArray,
        ]
        #expect(arrays.allSatisfy { $0.isEmpty })
    }

    @Test("Every fetch method compiles and works")
    func fetching() throws {
        let context = try context()
        var descriptor = FetchDescriptor<Bookshop.Book>(
            predicate: #Predicate { $0.title != "Two" }, sortBy: [SortDescriptor(\.title)])
        #expect(descriptor.includePendingChanges)
        #expect(descriptor.fetchLimit == nil && (descriptor.fetchOffset ?? 0) == 0)
        #expect(descriptor.propertiesToFetch.isEmpty && descriptor.relationshipKeyPathsForPrefetching.isEmpty)
        descriptor.propertiesToFetch = [\.title]
        descriptor.relationshipKeyPathsForPrefetching = [\.author]
        descriptor.fetchLimit = 5
        descriptor.fetchOffset = 0
        #expect(try context.fetch(descriptor).map(\.title) == ["One", "Three"])
        #expect(try context.fetchCount(descriptor) == 2)
        #expect(try context.fetchIdentifiers(descriptor).count == 2)
        descriptor.includePendingChanges = false
        let books: FetchResultsCollection<Bookshop.Book> = try context.fetch(descriptor, batchSize: 1)
        #expect(books.startIndex == 0 && books.endIndex == 2 && books[1].title == "Three")
        #expect(books.lazy.map(\.title).reversed().first == "Three")
        let slice: FetchResultsCollection<Bookshop.Book>.SubSequence = books[1...]
        #expect(slice.first?.title == "Three")
        let ids: FetchResultsCollection<PersistentIdentifier> = try context.fetchIdentifiers(descriptor, batchSize: 2)
        #expect(Array(ids) == books.map(\.persistentModelID))
        #expect(try context.fetch(FetchDescriptor<Bookshop.Book>()).count == 3)
        #expect(try context.fetch(FetchDescriptor<Bookshop.Book>(sortBy: [])).count == 3)
    }

    @Test("enumerate works with all arguments and with none")
    func enumerating() throws {
        let context = try context()
        var titles: [String] = []
        try context.enumerate(FetchDescriptor<Bookshop.Book>()) { titles.append($0.title) }
        try context.enumerate(
            FetchDescriptor<Bookshop.Book>(), batchSize: 2, allowEscapingMutations: true
        ) { (model: Bookshop.Book) in
            model.width = 2
        }
        #expect(titles.sorted() == ["One", "Three", "Two"])
        #expect(context.changedModelsArray.count == 3)
    }

    @Test("A context can delete one, some and all models, roll back, and run a transaction")
    func changing() throws {
        let context = try context()
        try context.delete(model: Bookshop.Book.self, where: #Predicate { $0.title == "One" }, includeSubclasses: false)
        #expect(context.deletedModelsArray.count == 1)
        context.rollback()
        try context.delete(model: Bookshop.Book.self, where: #Predicate { $0.title == "One" })
        context.processPendingChanges()
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Bookshop.Book>()) == 2)
        let book = try #require(try context.fetch(FetchDescriptor<Bookshop.Book>()).first)
        let same: Bookshop.Book? = context.registeredModel(for: book.persistentModelID)
        #expect(same === book)
        #expect(context.model(for: book.persistentModelID) === book)
        try context.transaction { context.delete(book) }
        try context.delete(model: Bookshop.Book.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Bookshop.Book>()) == 0)
    }

    @Test("Notification names and keys are available")
    func notificationNames() {
        let names: [Notification.Name] = [ModelContext.willSave, ModelContext.didSave]
        #expect(Set(names).count == 2)
        let keys: [ModelContext.NotificationKey] = [
            .queryGeneration, .invalidatedAllIdentifiers, .insertedIdentifiers, .updatedIdentifiers,
            .deletedIdentifiers,
        ]
        #expect(keys.suffix(3).map(\.rawValue) == ["inserted", "updated", "deleted"])
        #expect(Set(keys.map(\.rawValue)).count == keys.count)
        #expect(ModelContext.NotificationKey(rawValue: "inserted") == .insertedIdentifiers)
    }
}
