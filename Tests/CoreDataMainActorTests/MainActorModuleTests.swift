import CoreData
import Testing

/// Core Data in a module whose code is on the main actor by default.
@Suite("A module on the main actor")
struct MainActorModuleTests {
    private let container: NSPersistentContainer

    init() throws {
        let url = try #require(Bundle.module.url(forResource: "Garden", withExtension: "xcdatamodeld"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        Plant.register()
        container = GardenContainer(name: "Garden", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    private var context: NSManagedObjectContext { container.viewContext }

    @Test("Objects of generated classes, and of a subclass with every hook, can be created, linked, saved and fetched")
    func objects() throws {
        let bed = Bed(context: context)
        bed.name = "South"
        let plant = Plant(named: "Bean", in: context)
        bed.addToPlants(plant)
        bed.insertIntoRows(plant, at: 0)
        try context.save()
        #expect(plant.bed === bed && plant.row === bed && bed.plants?.contains(plant) == true)
        #expect(plant.calls == ["awakeFromInsert", "init", "willSave", "validateForInsert", "didSave"])
        let request = Plant.fetchRequest()
        request.predicate = NSPredicate(format: "bed.name == %@", "South")
        #expect(try context.fetch(request) == [plant])
    }

    @Test("Main-actor code runs blocks on other queues by every form of perform")
    func performing() async throws {
        let background = container.newBackgroundContext()
        let saved = try await background.perform {
            _ = Plant(named: "Bean", in: background)
            try background.save()
            return try background.count(for: Plant.fetchRequest())
        }
        #expect(saved == 1)
        let counted = try await background.perform(schedule: .enqueued) {
            try background.count(for: NSFetchRequest<NSManagedObject>(entityName: "Plant"))
        }
        #expect(counted == 1)
        let names = try background.performAndWait { try background.fetch(Plant.fetchRequest()).map(\.name) }
        #expect(names == ["Bean"])
        await withCheckedContinuation { continuation in
            background.perform { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                _ = Plant(named: "Pea", in: context)
                try? context.save()
                continuation.resume()
            }
        }
        #expect(try context.count(for: Plant.fetchRequest()) == 2)
        let stores = container.persistentStoreCoordinator
        #expect(stores.performAndWait { stores.persistentStores.count } == 1)
        #expect(await stores.perform { stores.persistentStores.count } == 1)
    }

    @Test("A block on the main queue may assume the main actor")
    func assuming() async {
        let name = context.performAndWait { MainActor.assumeIsolated { container.name } }
        #expect(name == "Garden")
        #expect(await context.perform { MainActor.assumeIsolated { container.name } } == "Garden")
    }

    @Test("CD74 A block on a context's own queue that assumes the main actor ends the process")
    func assumingElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            await background.perform { MainActor.assumeIsolated {} }
        }
    }

    @Test("CD74 A converted function of the main actor runs on the context's queue, unchecked")
    func converted() async {
        let function: @MainActor () -> Bool = { Thread.isMainThread }
        // In Swift 5 mode, passing the function does this, with a warning.
        let block = unsafeBitCast(function, to: (@Sendable () -> Bool).self)
        let background = container.newBackgroundContext()
        #expect(await background.perform(block) == false)
    }

    @Test("Nonisolated code runs a background task and gets its result")
    func backgroundTask() async throws {
        #expect(try await Self.plantInBackground(container) == 1)
    }

    private nonisolated static func plantInBackground(_ container: NSPersistentContainer) async throws -> Int {
        try await container.performBackgroundTask { context in
            _ = Plant(named: "Bean", in: context)
            try context.save()
            return try context.count(for: Plant.fetchRequest())
        }
    }

    @Test("A table on the main actor follows the main-queue context")
    func table() throws {
        let request = Plant.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let table = GardenTable()
        results.delegate = table
        try results.performFetch()
        _ = Plant(named: "Bean", in: context)
        try context.save()
        #expect(table.reports == 1 && results.fetchedObjects?.count == 1)
    }

    @Test("Subclasses of the container, merge policy, transformer and undo manager can be used")
    func subclasses() throws {
        #expect(container.newBackgroundContext().name == "background")
        context.mergePolicy = StoredWins()
        context.undoManager = GardenUndoManager()
        let plant = Plant(named: "Bean", in: context)
        context.processPendingChanges()
        context.undo()
        #expect(plant.isDeleted || plant.managedObjectContext == nil)
        #expect(ReversingTransformer().transformedValue("a") as? Data == Data([97]))
    }
}
