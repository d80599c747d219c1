import SwiftData
import Testing

@Suite("Containers and configurations")
struct ContainerTests {
    private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

    @Test("Containers can be made of types and of schemas, with and without configurations")
    func containers() throws {
        let byTypes = try ModelContainer(for: Bookshop.Author.self, Bookshop.Book.self, configurations: memory)
        #expect(byTypes.schema.entitiesByName.keys.sorted() == ["Author", "Book", "Motto"])
        #expect(byTypes.migrationPlan == nil)
        #expect(byTypes.configurations == [memory])
        let schema = Schema(versionedSchema: BookshopV2.self)
        let bySchema = try ModelContainer(for: schema, migrationPlan: BookshopPlan.self, configurations: memory)
        #expect(bySchema.migrationPlan == BookshopPlan.self)
        #expect(bySchema.schema === schema)
        let byList = try ModelContainer(for: schema, migrationPlan: nil, configurations: [memory])
        #expect(byList == byList && byList != bySchema)
        _ = try ModelContainer(for: schema, configurations: [memory])
        _ = try ModelContainer(for: BookshopV2.Item.self, migrationPlan: BookshopPlan.self, configurations: memory)
    }

    @Test("There is one main context, which autosaves and belongs to its container") @MainActor
    func mainContext() throws {
        let container = try ModelContainer(for: Bookshop.Book.self, configurations: memory)
        #expect(container.mainContext === container.mainContext)
        #expect(container.mainContext.autosaveEnabled)
        #expect(container.mainContext.container === container)
    }

    @Test("Configurations have every initializer and property")
    func configurations() throws {
        let plain = ModelConfiguration()
        #expect(plain.name == "default" && !plain.isStoredInMemoryOnly && plain.allowsSave && plain.schema == nil)
        let typed = ModelConfiguration(for: Bookshop.Book.self, Bookshop.Motto.self, isStoredInMemoryOnly: true)
        #expect(typed.schema?.entities.contains { $0.name == "Motto" } == true)
        let full = ModelConfiguration(
            "shelf", schema: Schema(Bookshop.Book.self), isStoredInMemoryOnly: false, allowsSave: false,
            groupContainer: .identifier("group.shelf"), cloudKitDatabase: .private("iCloud.shelf"))
        #expect(full.groupAppContainerIdentifier == "group.shelf")
        #expect(full.cloudKitContainerIdentifier == "iCloud.shelf")
        #expect(!full.allowsSave && full.url.lastPathComponent == "shelf.store")
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("a.store")
        var placed = ModelConfiguration(
            "placed", schema: nil, url: url, allowsSave: true, cloudKitDatabase: .none)
        #expect(placed.url == url && placed.id == url && ModelConfiguration(url: url).name == "a")
        placed.schema = Schema(Bookshop.Book.self)
        try placed.validate()
        #expect(Set([plain, typed, full, placed]).count == 4)
        #expect(full.debugDescription.contains("shelf"))
        let groups: [ModelConfiguration.GroupContainer] = [.automatic, .none, full.groupContainer]
        let clouds: [ModelConfiguration.CloudKitDatabase] = [.automatic, .none, full.cloudKitDatabase]
        #expect(groups.count == clouds.count)
        #expect(ModelConfiguration.ID.self == URL.self)
    }

    @Test("erase empties the store regardless of delete rules, and contexts merge that")
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
                try ModelContainer(for: Bookshop.Motto.self, configurations: ModelConfiguration(url: url)))
            context.insert(Bookshop.Motto())
            try context.save()
        }
        let container = try ModelContainer(
            for: Bookshop.Motto.self, configurations: ModelConfiguration(url: url, allowsSave: false))
        #expect(throws: CocoaError.self) { try container.erase() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Bookshop.Motto>()) == 1)
    }
}

// MARK: - Compiled, not run

private func sendableParts() {
    func crosses<T: Sendable>(_ type: T.Type) {}
    crosses(ModelContainer.self)
    crosses(ModelConfiguration.self)
    crosses(ModelConfiguration.CloudKitDatabase.self)
    crosses(ModelConfiguration.GroupContainer.self)
    crosses(FetchDescriptor<Bookshop.Book>.self)
    crosses(PersistentIdentifier.self)
    crosses(Schema.self)
    crosses(SwiftDataError.self)
}

/// The usual set-up of an app.
private func setUp() throws -> ModelContainer {
    let schema = Schema([Bookshop.Author.self, Bookshop.Book.self])
    let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: false)
    return try ModelContainer(for: schema, configurations: [configuration])
}
