import SwiftData
import Testing

@Suite("Surface: containers and configurations")
struct ContainerSurfaceTests {
    private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

    @Test("Containers can be made of types and of schemas, with and without configurations")
    func containers() throws {
        let byTypes = try ModelContainer(for: Surface.Author.self, Surface.Book.self, configurations: memory)
        #expect(byTypes.schema.entitiesByName.keys.sorted() == ["Author", "Book", "Motto"])
        #expect(byTypes.migrationPlan == nil)
        #expect(byTypes.configurations == [memory])
        let schema = Schema(versionedSchema: SurfaceV2.self)
        let bySchema = try ModelContainer(for: schema, migrationPlan: SurfacePlan.self, configurations: memory)
        #expect(bySchema.migrationPlan == SurfacePlan.self)
        #expect(bySchema.schema === schema)
        let byList = try ModelContainer(for: schema, migrationPlan: nil, configurations: [memory])
        #expect(byList == byList && byList != bySchema)
        _ = try ModelContainer(for: schema, configurations: [memory])
        _ = try ModelContainer(for: SurfaceV2.Item.self, migrationPlan: SurfacePlan.self, configurations: memory)
    }

    @Test("There is one main context, which autosaves and belongs to its container") @MainActor
    func mainContext() throws {
        let container = try ModelContainer(for: Surface.Book.self, configurations: memory)
        #expect(container.mainContext === container.mainContext)
        #expect(container.mainContext.autosaveEnabled)
        #expect(container.mainContext.container === container)
    }

    @Test("Configurations have every initializer and property")
    func configurations() throws {
        let plain = ModelConfiguration()
        #expect(plain.name == "default" && !plain.isStoredInMemoryOnly && plain.allowsSave && plain.schema == nil)
        let typed = ModelConfiguration(for: Surface.Book.self, Surface.Motto.self, isStoredInMemoryOnly: true)
        #expect(typed.schema?.entities.contains { $0.name == "Motto" } == true)
        let full = ModelConfiguration(
            "shelf", schema: Schema(Surface.Book.self), isStoredInMemoryOnly: false, allowsSave: false,
            groupContainer: .identifier("group.shelf"), cloudKitDatabase: .private("iCloud.shelf"))
        #expect(full.groupAppContainerIdentifier == "group.shelf")
        #expect(full.cloudKitContainerIdentifier == "iCloud.shelf")
        #expect(!full.allowsSave && full.url.lastPathComponent == "shelf.store")
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("a.store")
        var placed = ModelConfiguration(
            "placed", schema: nil, url: url, allowsSave: true, cloudKitDatabase: .none)
        #expect(placed.url == url && placed.id == url && ModelConfiguration(url: url).name == "a")
        placed.schema = Schema(Surface.Book.self)
        try placed.validate()
        #expect(Set([plain, typed, full, placed]).count == 4)
        #expect(full.debugDescription.contains("shelf"))
        let groups: [ModelConfiguration.GroupContainer] = [.automatic, .none, full.groupContainer]
        let clouds: [ModelConfiguration.CloudKitDatabase] = [.automatic, .none, full.cloudKitDatabase]
        #expect(groups.count == clouds.count)
        #expect(ModelConfiguration.ID.self == URL.self)
    }

    @Test("erase empties the store regardless of delete rules, and contexts merge that")
    @available(*, deprecated)
    func erase() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try ModelContainer(
            for: Person.self, House.self, Room.self, Everything.self,
            configurations: ModelConfiguration(url: folder.appendingPathComponent("a.store")))
        let context = ModelContext(container)
        let ann = Person(name: "Ann")
        let house = House(street: "Main", owner: ann)
        house.rooms = [Room(label: "Hall", house: house)]
        let everything = Everything()
        everything.picture = Data(repeating: 1, count: 200_000)
        context.insert(house)
        context.insert(everything)
        try context.save()
        let pictures = folder.appendingPathComponent(".a_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).count == 1)
        try container.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: pictures).isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<House>()) == 0)
        #expect(try context.fetch(FetchDescriptor<Person>()).isEmpty)
        #expect(ann.modelContext == nil)
        #expect(ann.name == "Ann")
        context.insert(Person(name: "Bob"))
        try context.save()
        container.deleteAllData()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 0)
    }

    @Test("erase of a read-only store throws and erases nothing")
    func eraseReadOnly() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).store")
        defer { try? FileManager.default.removeItem(at: url) }
        do {
            let context = ModelContext(
                try ModelContainer(for: Surface.Motto.self, configurations: ModelConfiguration(url: url)))
            context.insert(Surface.Motto())
            try context.save()
        }
        let container = try ModelContainer(
            for: Surface.Motto.self, configurations: ModelConfiguration(url: url, allowsSave: false))
        #expect(throws: CocoaError.self) { try container.erase() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Surface.Motto>()) == 1)
    }
}

@Suite("Surface: contexts, descriptors, results")
struct ContextSurfaceTests {
    private func context() throws -> ModelContext {
        let context = ModelContext(try Surface.container())
        for title in ["One", "Two", "Three"] { context.insert(Surface.Book(title: title)) }
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
        var descriptor = FetchDescriptor<Surface.Book>(
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
        let books: FetchResultsCollection<Surface.Book> = try context.fetch(descriptor, batchSize: 1)
        #expect(books.startIndex == 0 && books.endIndex == 2 && books[1].title == "Three")
        #expect(books.lazy.map(\.title).reversed().first == "Three")
        let slice: FetchResultsCollection<Surface.Book>.SubSequence = books[1...]
        #expect(slice.first?.title == "Three")
        let ids: FetchResultsCollection<PersistentIdentifier> = try context.fetchIdentifiers(descriptor, batchSize: 2)
        #expect(Array(ids) == books.map(\.persistentModelID))
        #expect(try context.fetch(FetchDescriptor<Surface.Book>()).count == 3)
        #expect(try context.fetch(FetchDescriptor<Surface.Book>(sortBy: [])).count == 3)
    }

    @Test("enumerate works with all arguments and with none")
    func enumerating() throws {
        let context = try context()
        var titles: [String] = []
        try context.enumerate(FetchDescriptor<Surface.Book>()) { titles.append($0.title) }
        try context.enumerate(
            FetchDescriptor<Surface.Book>(), batchSize: 2, allowEscapingMutations: true
        ) { (model: Surface.Book) in
            model.width = 2
        }
        #expect(titles.sorted() == ["One", "Three", "Two"])
        #expect(context.changedModelsArray.count == 3)
    }

    @Test("A context can delete one, some and all models, roll back, and run a transaction")
    func changing() throws {
        let context = try context()
        try context.delete(model: Surface.Book.self, where: #Predicate { $0.title == "One" }, includeSubclasses: false)
        #expect(context.deletedModelsArray.count == 1)
        context.rollback()
        try context.delete(model: Surface.Book.self, where: #Predicate { $0.title == "One" })
        context.processPendingChanges()
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Surface.Book>()) == 2)
        let book = try #require(try context.fetch(FetchDescriptor<Surface.Book>()).first)
        let same: Surface.Book? = context.registeredModel(for: book.persistentModelID)
        #expect(same === book)
        #expect(context.model(for: book.persistentModelID) === book)
        try context.transaction { context.delete(book) }
        try context.delete(model: Surface.Book.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Surface.Book>()) == 0)
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

// MARK: - Compiled, not run

private func sendableParts() {
    func crosses<T: Sendable>(_ type: T.Type) {}
    crosses(ModelContainer.self)
    crosses(ModelConfiguration.self)
    crosses(ModelConfiguration.CloudKitDatabase.self)
    crosses(ModelConfiguration.GroupContainer.self)
    crosses(FetchDescriptor<Surface.Book>.self)
    crosses(PersistentIdentifier.self)
    crosses(Schema.self)
    crosses(SwiftDataError.self)
}

/// The usual set-up of an app.
private func setUp() throws -> ModelContainer {
    let schema = Schema([Surface.Author.self, Surface.Book.self])
    let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: false)
    return try ModelContainer(for: schema, configurations: [configuration])
}
