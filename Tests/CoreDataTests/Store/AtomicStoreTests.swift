import CoreData
import Testing

/// A custom file format, through `NSAtomicStore`.
@Suite struct AtomicStoreTests {
    private final class Stack {
        let stack: TestStack
        let url: URL
        let store: JSONStore

        init(_ folder: TestStack? = nil, options: [String: Any] = [:]) throws {
            NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
            stack = try TestStack(addsStore: false)
            url = (folder ?? stack).folder.appendingPathComponent("zoo.json")
            let added = try stack.coordinator.addPersistentStore(
                ofType: JSONStore.storeType, configurationName: nil, at: url, options: options)
            store = try #require(added as? JSONStore)
        }
    }

    @Test("Saved objects are in the file, and the next program finds them with links and identifiers")
    func roundTrip() throws {
        let first = try Stack()
        let category = try first.stack.saveFamily(animals: 2)
        let tag = first.stack.insert("Tag", ["label": "x"])
        tag.setValue(category.value(forKey: "animals"), forKey: "animals")
        try first.stack.context.save()
        #expect(!category.objectID.isTemporaryID)
        #expect(category.objectID.persistentStore === first.store)
        #expect(try JSONStore.read(first.url).objects.count == 4)

        let second = try Stack(first.stack)
        #expect(second.store.identifier == first.store.identifier)
        #expect(second.store.type == JSONStore.storeType)
        let uri = category.objectID.uriRepresentation()
        let id = try #require(second.stack.coordinator.managedObjectID(forURIRepresentation: uri))
        let twin = try second.stack.context.existingObject(with: id)
        #expect(twin.value(forKey: "name") as? String == "Mammals")
        let animals = try #require(twin.value(forKey: "animals") as? Set<NSManagedObject>)
        #expect(Set(animals.map { $0.value(forKey: "age") as? Int }) == [0, 1])
        #expect(animals.allSatisfy { ($0.value(forKey: "tags") as? NSSet)?.count == 1 })
    }

    @Test("Predicates, order, windows, counts and dictionaries are evaluated on the objects in memory")
    func fetching() throws {
        let stack = try Stack().stack
        for number in 0..<6 {
            stack.insert(number % 2 == 0 ? "Animal" : "Mammal", ["name": "n\(number)", "age": number])
        }
        try stack.context.save()
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.predicate = NSPredicate(format: "age > 0 AND name BEGINSWITH 'n'")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
        (request.fetchOffset, request.fetchLimit) = (1, 3)
        #expect(try stack.newContext().fetch(request).compactMap(\.name) == ["n4", "n3", "n2"])
        request.includesSubentities = false
        #expect(try stack.newContext().fetch(request).compactMap(\.name) == ["n2"])
        #expect(try stack.count("Mammal") == 3)
        let sums: NSFetchRequest<NSDictionary> = NSFetchRequest(entityName: "Animal")
        sums.resultType = .dictionaryResultType
        sums.propertiesToFetch = ["name"]
        sums.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(try stack.context.fetch(sums).first?["name"] as? String == "n0")
    }

    @Test("An object inserted by a child keeps its identifier, and is written when the child edits it later")
    func children() throws {
        let own = try Stack()
        let parent = own.stack.context
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        for context in [child, grandchild] {
            let category = own.stack.insert("Category", ["name": "new"], in: context)
            let animal = own.stack.insert("Animal", ["name": "a", "category": category], in: context)
            for saved in [grandchild, child, parent] { try saved.save() }
            #expect(!animal.objectID.isTemporaryID && animal.objectID.persistentStore === own.store)
            animal.setValue("edited", forKey: "name")
            category.setValue("renamed", forKey: "name")
            for saved in [grandchild, child, parent] { try saved.save() }
            let objects = try JSONStore.read(own.url).objects
            #expect(objects.filter { $0.texts["name"] == "edited" }.count == 1)
            #expect(objects.filter { $0.texts["name"] == "renamed" }.count == 1)
            #expect(objects.count == 2)
            parent.delete(try parent.existingObject(with: category.objectID))
            try parent.save()
            for context in [child, grandchild] { context.reset() }
        }
    }

    @Test("Changes and deletes by rule reach the nodes and the file")
    func editing() throws {
        let own = try Stack()
        let stack = own.stack
        let category = try stack.saveFamily(animals: 3)
        let keeper = stack.insert("Person", ["name": "k"])
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        for animal in animals { animal.setValue(keeper, forKey: "keeper") }
        try stack.context.save()
        animals.first?.name = "renamed"
        try stack.context.save()
        #expect(try JSONStore.read(own.url).objects.contains { $0.texts["name"] == "renamed" })
        stack.context.delete(category)
        try stack.context.save()
        #expect(own.store.removedCount == 4)
        #expect(try JSONStore.read(own.url).objects.map(\.entity) == ["Person"])
        let twin = try stack.newContext().existingObject(with: keeper.objectID)
        #expect((twin.value(forKey: "animals") as? NSSet)?.count == 0)
    }

    @Test("A save that the class refuses changes nothing, and can be repeated")
    func failure() throws {
        struct Full: Error {}
        let own = try Stack()
        let tag = own.stack.insert("Tag", ["label": "a"])
        try own.stack.context.save()
        tag.setValue("b", forKey: "label")
        own.stack.insert("Tag", ["label": "c"])
        own.store.failure = Full()
        #expect(code { try own.stack.context.save() } == 134030)
        #expect(own.stack.context.hasChanges)
        #expect(try own.stack.count("Tag", NSPredicate(format: "label == 'a'")) == 1)
        #expect(try own.stack.count("Tag") == 1)
        own.store.failure = nil
        try own.stack.context.save()
        #expect(try own.stack.count("Tag") == 2)
        #expect(try own.stack.count("Tag", NSPredicate(format: "label == 'b'")) == 1)
    }

    @Test("Two contexts that change one object conflict, and merge by policy")
    func conflicts() throws {
        let stack = try Stack().stack
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try other.existingObject(with: tag.objectID)
        twin.setValue("theirs", forKey: "label")
        try other.save()
        tag.setValue("mine", forKey: "label")
        #expect(code { try stack.context.save() } == 133020)
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'mine'")) == 1)
    }

    @Test("Metadata are read from the file and written to it; another type or model is refused with its code")
    func metadata() throws {
        let own = try Stack()
        own.stack.insert("Tag")
        try own.stack.context.save()
        try NSPersistentStoreCoordinator.setMetadata(
            ["owner": "me"], forPersistentStoreOfType: JSONStore.storeType, at: own.url)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: JSONStore.storeType, at: own.url)
        #expect(read["owner"] as? String == "me")
        let again = try Stack(own.stack)
        #expect(again.store.metadata["owner"] as? String == "me")
        #expect(again.store.metadata[NSStoreModelVersionHashesKey] != nil)
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: "Other")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Other"] == JSONStore.self)
        #expect(
            code {
                try TestStack(addsStore: false).coordinator.addPersistentStore(
                    ofType: "Other", configurationName: nil, at: own.url, options: nil)
            } == 134010)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Other")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Other"] == nil)
    }

    @Test("Batch requests are refused; a read-only store refuses saves")
    func refusals() throws {
        let own = try Stack()
        own.stack.insert("Tag")
        try own.stack.context.save()
        #expect(
            code { try own.stack.context.execute(NSBatchDeleteRequest(fetchRequest: own.stack.request("Tag"))) }
                == 134091)
        let reader = try Stack(own.stack, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(reader.store.isReadOnly)
        #expect(try reader.stack.count("Tag") == 1)
        reader.stack.insert("Tag")
        #expect(code { try reader.stack.context.save() } == 134030)
    }

    @Test("A container loads a custom store class once")
    func container() throws {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        let stack = try TestStack(addsStore: false)
        let container = NSPersistentContainer(name: "Zoo", managedObjectModel: Zoo.model())
        let description = NSPersistentStoreDescription(url: stack.folder.appendingPathComponent("zoo.json"))
        description.type = JSONStore.storeType
        container.persistentStoreDescriptions = [description]
        for _ in 0..<2 { container.loadPersistentStores { _, error in #expect(error == nil) } }
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.type) == [JSONStore.storeType])
        let context = container.newBackgroundContext()
        try context.performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            try context.save()
        }
        #expect(try JSONStore.read(try #require(description.url)).objects.count == 1)
    }

    @Test("Beside a SQLite store, each has its own objects, and if one fails neither is written")
    func besideSQLite() throws {
        struct Full: Error {}
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        let stack = try TestStack(addsStore: false)
        try stack.add(.file, "sales", configuration: "Sales")
        let url = stack.folder.appendingPathComponent("animals.json")
        let added = try stack.coordinator.addPersistentStore(
            ofType: JSONStore.storeType, configurationName: "Animals", at: url, options: nil)
        let store = try #require(added as? JSONStore)
        let customer = stack.insert("Customer", ["name": "c"])
        let tag = stack.insert("Tag", ["label": "t"])
        store.failure = Full()
        #expect(code { try stack.context.save() } == 134030)
        #expect(try stack.count("Customer") == 0)
        store.failure = nil
        try stack.context.save()
        #expect(try stack.count("Customer") == 1)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 't'")) == 1)
        #expect(tag.objectID.persistentStore === store)
        #expect(customer.objectID.persistentStore !== store)
    }

    @Test("References that look like numbers or UUIDs are still texts after a round trip through a URI")
    func textReferences() throws {
        let stack = try Stack()
        let entity = try #require(stack.stack.coordinator.managedObjectModel.entitiesByName["Tag"])
        let uuid = UUID()
        for reference: Any in [NSNumber(value: 12345), "12345", "-7", "+8", uuid.uuidString, uuid, "a b/c%"] {
            let id = stack.store.objectID(for: entity, withReferenceObject: reference)
            let uri = id.uriRepresentation()
            #expect(stack.stack.coordinator.managedObjectID(forURIRepresentation: uri) == id, "\(uri)")
        }
        let ids = [NSNumber(value: 12345), "12345", uuid.uuidString, uuid].map { (reference: Any) in
            stack.store.objectID(for: entity, withReferenceObject: reference)
        }
        #expect(Set(ids).count == 4)
    }

    @Test("Changes identified by URIs are merged")
    func mergingByURI() throws {
        let stack = try Stack().stack
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try other.existingObject(with: tag.objectID)
        #expect(twin.value(forKey: "label") as? String == "a")
        tag.setValue("b", forKey: "label")
        try stack.context.save()
        let uri = tag.objectID.uriRepresentation()
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [uri]], into: [other])
        #expect(twin.value(forKey: "label") as? String == "b")
    }

    /// Nodes by the numbers that the class assigns by default.
    private final class NumberedStore: NSAtomicStore, @unchecked Sendable {
        static let storeType = "Numbered"
        override func loadMetadata() throws { metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: "numbered"] }
        override func load() throws {
            guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Tag"] else { return }
            addCacheNodes([NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: 41))])
        }
    }

    @Test("New objects get the numbers after the highest existing one, for each entity")
    func numbering() throws {
        NSPersistentStoreCoordinator.registerStoreClass(NumberedStore.self, forStoreType: NumberedStore.storeType)
        let stack = try TestStack(addsStore: false)
        let store = try #require(
            try stack.coordinator.addPersistentStore(
                ofType: NumberedStore.storeType, configurationName: nil, at: stack.fileURL("numbered"))
                as? NumberedStore)
        let objects = [stack.insert("Tag"), stack.insert("Tag"), stack.insert("Person")]
        try stack.context.save()
        let numbers = objects.map { store.referenceObject(for: $0.objectID) as? Int }
        #expect(Set(numbers.prefix(2)) == [42, 43] && numbers[2] == 1)
    }
}
