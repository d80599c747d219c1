import TestSupport
import Testing

@testable import CoreData

/// Coordinators, stores, descriptions and containers.
@Suite struct StoreTests {
    @Test("A file opened again contains the saved objects")
    func reopening() throws {
        let stack = try TestStack(.file)
        try stack.saveFamily(animals: 2)
        let again = try TestStack(addsStore: false)
        let store = try again.coordinator.addPersistentStore(
            type: .sqlite, at: stack.fileURL(), options: [NSPersistentStoreTimeoutOption: 1])
        #expect(store.identifier == stack.coordinator.persistentStores.first?.identifier)
        #expect(store.type == NSSQLiteStoreType)
        #expect(try again.count("Animal") == 2)
        #expect(again.coordinator.persistentStore(for: stack.fileURL()) === store)
        #expect(again.coordinator.metadata(for: store)[NSStoreUUIDKey] as? String == store.identifier)
    }

    @Test("A file of another model, a folder, and an unknown type fail with their codes")
    func refusedFiles() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag")
        try stack.context.save()
        let other = NSManagedObjectModel()
        other.entities = [Zoo.entity("Other", NSManagedObject.self)]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
        func code(_ type: String, _ url: URL?) -> Int? {
            CoreDataTests.code {
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
            }
        }
        #expect(code(NSSQLiteStoreType, stack.fileURL()) == 134100)
        #expect(code(NSSQLiteStoreType, stack.folder) == 134080)
        #expect(code("Binary", stack.fileURL("x")) == 134000)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("A read-only store can be read, and refuses saves")
    func readOnly() throws {
        let stack = try TestStack(.file)
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let reader = try TestStack(addsStore: false)
        let store = try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.isReadOnly)
        let twin = try reader.context.existingObject(with: tag.objectID)
        #expect(twin.value(forKey: "label") as? String == "x")
        twin.setValue("y", forKey: "label")
        #expect(code { try reader.context.save() } == 134030)
        #expect(twin.hasChanges)
    }

    @Test("With configurations, each store has its own entities, and a save writes to both")
    func configurations() throws {
        let stack = try TestStack(addsStore: false)
        let animals = try stack.add(.file, "animals", configuration: "Animals")
        let sales = try stack.add(.file, "sales", configuration: "Sales")
        let tag = stack.insert("Tag", ["label": "t"])
        let customer = stack.insert("Customer", ["name": "c"])
        let order = stack.insert("Order", ["number": 1, "customer": customer])
        try stack.context.save()
        #expect(tag.objectID.persistentStore === animals)
        #expect(customer.objectID.persistentStore === sales)
        order.setValue(2, forKey: "number")
        tag.setValue("u", forKey: "label")
        try stack.context.save()
        #expect(try stack.count("Order", NSPredicate(format: "customer.name == 'c' AND number == 2")) == 1)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'u'")) == 1)
        #expect(
            code {
                _ = stack.insert("Team"); try stack.context.save()
            } != nil)
        #expect(
            code {
                try stack.coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: "Nothing", at: stack.fileURL("n"), options: nil)
            } == 134020)
    }

    @Test("With two stores of the same entities, fetches span both in one order")
    func twoStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<6 {
            let tag = stack.insert("Tag", ["label": "\(number)"])
            if number % 2 == 1 { stack.context.assign(tag, to: second) }
        }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: false)]
        request.fetchLimit = 3
        request.fetchOffset = 1
        #expect(
            try stack.newContext().fetch(request).compactMap { $0.value(forKey: "label") as? String } == [
                "4", "3", "2",
            ])
        request.affectedStores = [second]
        (request.fetchLimit, request.fetchOffset) = (0, 0)
        #expect(
            try stack.newContext().fetch(request).compactMap { $0.value(forKey: "label") as? String } == [
                "5", "3", "1",
            ])
        #expect(try stack.newContext().count(for: request) == 3)
        try stack.coordinator.remove(second)
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        #expect(try stack.count("Tag") == 3)
    }

    @Test("A named in-memory store is shared by coordinators")
    func sharedMemory() throws {
        let model = Zoo.model()
        let url = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
        let stacks = try [TestStack(model: model, addsStore: false), TestStack(model: model, addsStore: false)]
        for stack in stacks {
            try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        }
        stacks[0].insert("Tag")
        try stacks[0].context.save()
        #expect(try stacks[1].count("Tag") == 1)
        let alone = try TestStack(model: model)
        #expect(try alone.count("Tag") == 0)
    }

    @Test("The coordinator posts changes of its stores")
    func notifications() throws {
        let stack = try TestStack(addsStore: false)
        let changes = Recorded(.NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator)
        let store = try stack.add(.memorySQLite)
        #expect(changes.notifications.first?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore] == [store])
        try stack.coordinator.remove(store)
        #expect(changes.notifications.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [store])
        #expect(code { try stack.coordinator.remove(store) } == 134070)
    }

    @Test("A container loads its stores once, and makes contexts")
    func container() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: Zoo.model())
        #expect(container.persistentStoreDescriptions.first?.url?.lastPathComponent == "Zoo.sqlite")
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("zoo.sqlite"))
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        var loaded = 0
        for _ in 0..<2 {
            container.loadPersistentStores { _, error in
                #expect(error == nil)
                loaded += 1
            }
        }
        #expect(loaded == 1)
        try await container.performBackgroundTask { context in
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue("x", forKey: "label")
            try context.save()
        }
        let count = try await container.viewContext.perform {
            try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        }
        #expect(count == 1)
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description)
        #expect(copy.shouldMigrateStoreAutomatically)
    }

    @Test("A container creates the folder for stores only when a store is put there")
    func folderForStores() throws {
        let files = FileManager.default
        let usual = NSPersistentContainer.defaultDirectoryURL()
        let existed = files.fileExists(atPath: usual.path)
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: Zoo.model())
        #expect(container.persistentStoreDescriptions.first?.url == usual.appendingPathComponent("Zoo.sqlite"))
        #expect(files.fileExists(atPath: usual.path) == existed)

        let stack = try TestStack(addsStore: false)
        let folder = stack.folder.appendingPathComponent("stores", isDirectory: true)
        for elsewhere in ["zoo.sqlite", "stores.sqlite", "stores/deeper/zoo.sqlite"] {
            DefaultFolder.prepare(for: stack.folder.appendingPathComponent(elsewhere), folder)
        }
        DefaultFolder.prepare(for: nil, folder)
        #expect(!files.fileExists(atPath: folder.path))
        DefaultFolder.prepare(for: stack.folder.appendingPathComponent("x/../stores/zoo.sqlite"), folder)
        #expect(files.fileExists(atPath: folder.path))
    }

    @Test("An invalid model is refused with 134020 when a store is added")
    func faultyModel() {
        let model = NSManagedObjectModel()
        model.entities = [Zoo.entity("", NSManagedObject.self)]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        #expect(
            code {
                try coordinator.addPersistentStore(
                    ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            } == 134020)
    }

    @Test("In-memory stores are loaded once, too, and again after they were removed", arguments: [nil, "/dev/null"])
    func memoryOnce(path: String?) throws {
        let container = NSPersistentContainer(name: "Memory", managedObjectModel: Zoo.model())
        let description = NSPersistentStoreDescription()
        description.type = path == nil ? NSInMemoryStoreType : NSSQLiteStoreType
        description.url = path.map { URL(fileURLWithPath: $0) }
        container.persistentStoreDescriptions = [description]
        for _ in 0..<2 { container.loadPersistentStores { #expect($1 == nil) } }
        let stores = container.persistentStoreCoordinator.persistentStores
        #expect(stores.count == 1)
        for store in stores { try container.persistentStoreCoordinator.remove(store) }
        container.loadPersistentStores { #expect($1 == nil) }
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("A description without a URL describes an in-memory store")
    func description() throws {
        #expect(NSPersistentStoreDescription().url == URL(fileURLWithPath: "/dev/null"))
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: Zoo.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        var problem: (any Error)?
        container.loadPersistentStores { problem = $1 }
        #expect(problem == nil)
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.type) == [NSSQLiteStoreType])
    }

    @Test("The object of the will-remove notification is the store")
    func willRemove() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first)
        let notes = Recorded(.NSPersistentStoreCoordinatorWillRemoveStore, object: store)
        try stack.coordinator.remove(store)
        #expect(notes.notifications.count == 1)
        #expect(notes.notifications.first?.object as? NSPersistentStore === store)
    }

    @Test("A coordinator finds an identifier by the UTF-8 text of its URI")
    func textIdentifiers() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let text = tag.objectID.uriRepresentation().absoluteString
        let stores = stack.coordinator
        let found = text.withCString { stores.managedObjectID(fromUTF8String: $0, length: text.utf8.count) }
        #expect(found == tag.objectID)
        #expect("no text".withCString { stores.managedObjectID(fromUTF8String: $0, length: 7) } == nil)
    }
}
