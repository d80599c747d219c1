import CoreData
import Foundation
import Testing

/// Source: Xcode's Core Data template.
private struct PersistenceController {
    let container: NSPersistentContainer

    init(inMemory: Bool = false) {
        container = NSPersistentContainer(name: "Template", managedObjectModel: .kitchen())
        if inMemory {
            container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
        }
        container.loadPersistentStores(completionHandler: { _, error in
            if let error = error as NSError? {
                Issue.record("Unresolved error \(error), \(error.userInfo)")
            }
        })
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    @MainActor static let preview: PersistenceController = {
        let result = PersistenceController(inMemory: true)
        for _ in 0..<10 {
            let recipe = Recipe(context: result.container.viewContext)
            recipe.created = Date()
        }
        do {
            try result.container.viewContext.save()
        } catch {
            let nsError = error as NSError
            Issue.record("Unresolved error \(nsError), \(nsError.userInfo)")
        }
        return result
    }()
}

@MainActor @Suite("Stacks")
struct Stacks {
    // Source: Xcode's Core Data template
    @Test("Keeps sample rows in memory for previews")
    func preview() throws {
        let context = PersistenceController.preview.container.viewContext
        #expect(try context.count(for: Recipe.fetchRequest()) == 10)
    }

    // Source: Xcode's Core Data template
    @Test("Deletes the rows at an index set")
    func deleteOffsets() throws {
        let context = PersistenceController(inMemory: true).container.viewContext
        for number in 0..<5 { Recipe(context: context).minutes = Int32(number) }
        try context.save()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.minutes, ascending: true)]
        let items = try context.fetch(request)
        IndexSet([0, 3]).map { items[$0] }.forEach(context.delete)
        try context.save()
        #expect(try context.fetch(request).map(\.minutes) == [1, 2, 4])
    }

    // Source: Apple, 'Setting up a Core Data stack'
    @Test("Saves only if there are changes")
    func saveIfNeeded() throws {
        let kitchen = try Kitchen()
        func save() throws {
            guard kitchen.context.hasChanges else { return }
            try kitchen.context.save()
        }
        try save()
        Recipe(context: kitchen.context).name = "Toast"
        try save()
        #expect(!kitchen.context.hasChanges)
    }

    // Source: widely copied recipe: the stack before containers
    @Test("Builds coordinator and context by hand")
    func byHand() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .kitchen())
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        ]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: options)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let recipe = NSEntityDescription.insertNewObject(forEntityName: "Recipe", into: context)
        recipe.setValue("Toast", forKey: "name")
        try context.save()
        let found = try context.fetch(NSFetchRequest<NSFetchRequestResult>(entityName: "Recipe")) as! [NSManagedObject]
        #expect(found.first?.value(forKey: "name") as? String == "Toast")
    }

    // Source: widely copied recipe: in-memory stores for unit tests
    @Test("Adds an in-memory store without a file")
    func inMemoryStore() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .kitchen())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        #expect(store.type == NSInMemoryStoreType)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        Cook(context: context).name = "Ann"
        try context.save()
        #expect(try context.count(for: Cook.fetchRequest()) == 1)
    }

    // Source: widely copied recipe: in-memory stores for unit tests
    @Test("Gives two containers at /dev/null stores of their own")
    func separateMemory() throws {
        let first = try Kitchen()
        let second = try Kitchen()
        try first.fill()
        #expect(try second.context.count(for: Recipe.fetchRequest()) == 0)
    }

    // Source: Apple, NSPersistentStoreCoordinator, 'addPersistentStore(type:configuration:at:options:)'
    @Test("Names a store's type by the Swift value")
    func storeType() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .kitchen())
        let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        #expect(store.type == NSPersistentStore.StoreType.inMemory.rawValue)
        try coordinator.remove(store)
        #expect(coordinator.persistentStores.isEmpty)
    }

    // Source: Apple, NSPersistentContainer
    @Test("Reads the defaults of a container's description")
    func defaults() throws {
        let container = NSPersistentContainer(name: "Defaults", managedObjectModel: .kitchen())
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.url?.lastPathComponent == "Defaults.sqlite")
        #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
        #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously)
    }

    // Source: widely copied recipe: a store in an app group's folder
    @Test("Moves the default folder by subclassing the container")
    func sharedFolder() {
        final class SharedContainer: NSPersistentContainer, @unchecked Sendable {  // Adds no state.
            override class func defaultDirectoryURL() -> URL {
                FileManager.default.temporaryDirectory.appendingPathComponent("group", isDirectory: true)
            }
        }
        let container = SharedContainer(name: "Shared", managedObjectModel: .kitchen())
        let url = container.persistentStoreDescriptions.first?.url
        #expect(url?.deletingLastPathComponent().lastPathComponent == "group")
    }

    // Source: Apple, NSPersistentStoreDescription, 'shouldAddStoreAsynchronously'
    @Test("Adds a store asynchronously")
    func asynchronously() async throws {
        let container = NSPersistentContainer(name: "Later", managedObjectModel: .kitchen())
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            container.loadPersistentStores { _, error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    // Source: Apple, 'Linking Data Between Two Core Data Stores'
    @Test("Keeps two configurations in two stores")
    func configurations() throws {
        let model = NSManagedObjectModel([
            NSEntityDescription("Person", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)]),
            NSEntityDescription("Log", NSManagedObject.self, [NSAttributeDescription("text", .stringAttributeType)]),
        ])
        model.setEntities([model.entitiesByName["Person"]!], forConfigurationName: "Cloud")
        model.setEntities([model.entitiesByName["Log"]!], forConfigurationName: "Local")
        let container = NSPersistentContainer(name: "Two", managedObjectModel: model)
        container.persistentStoreDescriptions = ["Cloud", "Local"].map { configuration in
            let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
            description.configuration = configuration
            return description
        }
        try container.load()
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: container.viewContext)
        let log = NSEntityDescription.insertNewObject(forEntityName: "Log", into: container.viewContext)
        try container.viewContext.save()
        #expect(person.objectID.persistentStore?.configurationName == "Cloud")
        #expect(log.objectID.persistentStore?.configurationName == "Local")
    }

    // Source: Apple, NSPersistentStoreCoordinator, notifications
    @Test("Observes stores that are added and removed")
    func storeNotifications() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .kitchen())
        nonisolated(unsafe) var keys: [String] = []  // The notification is posted on the thread that adds.
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
        ) { note in
            keys += (note.userInfo ?? [:]).keys.compactMap { $0 as? String }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let store = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        try coordinator.remove(store)
        #expect(keys == [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey])
    }

    // Source: Apple, NSPersistentStoreDescription, 'init()'
    @Test("Makes a description without a URL for a store in memory")
    func plainDescription() throws {
        let container = NSPersistentContainer(name: "Plain", managedObjectModel: .kitchen())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        try container.load()
        #expect(container.persistentStoreDescriptions.first?.url == URL(fileURLWithPath: "/dev/null"))
    }

    // Source: Xcode's Core Data template with CloudKit
    @Test("Makes Xcode's CloudKit container, which keeps its store local")
    func cloud() throws {
        let container = NSPersistentCloudKitContainer(name: "Cloud", managedObjectModel: .kitchen())
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil
        try container.load()
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }
}
