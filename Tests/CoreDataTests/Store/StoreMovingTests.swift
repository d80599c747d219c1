import CoreData
import ObjectGraph
import Testing

/// Stores migrated to another place, or to another type.
@Suite struct StoreMovingTests {
    @Test("setURL moves a store to another existing file, and refuses a missing one")
    func setURL() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "first"])
        try stack.context.save()
        let other = try TestStack(.file)
        other.insert("Tag", ["label": "second"])
        try other.context.save()
        try other.coordinator.remove(try #require(other.coordinator.persistentStores.first))
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(!stack.coordinator.setURL(stack.fileURL("none"), for: store))
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'first'")) == 1)
        let identifier = store.identifier
        let changes = Recorded(.NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator)
        #expect(stack.coordinator.setURL(other.fileURL(), for: store))
        #expect(changes.notifications.first?.userInfo?[NSUUIDChangedPersistentStoresKey] != nil)
        #expect(store.identifier != identifier)
        #expect(stack.coordinator.persistentStore(for: other.fileURL()) === store)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'second'")) == 1)
        stack.insert("Tag", ["label": "third"])
        try stack.newContext().save()
        try stack.context.save()
        #expect(try stack.count("Tag") == 2)
    }

    @Test("An in-memory store is migrated to a file, with links and subentities, which another program can read")
    func memoryToFile() throws {
        let stack = try TestStack(addsStore: false)
        let memory = try stack.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let category = try stack.saveFamily(animals: 2)
        let mammal = stack.insert(
            "Mammal", ["name": "m", "legs": 4, "category": category, "born": Date(timeIntervalSince1970: 5)])
        let tag = stack.insert("Tag", ["label": "t"])
        tag.setValue(NSSet(array: [mammal]), forKey: "animals")
        try stack.context.save()
        let file = try stack.coordinator.migratePersistentStore(memory, to: stack.fileURL(), type: .sqlite)
        #expect(stack.coordinator.persistentStores == [file])
        let again = try TestStack(addsStore: false)
        try again.coordinator.addPersistentStore(type: .sqlite, at: stack.fileURL())
        #expect(try again.count("Animal") == 3)
        #expect(try again.count("Animal", NSPredicate(format: "category.name == 'Mammals'")) == 3)
        let request = NSFetchRequest<Animal>(entityName: "Mammal")
        let twin = try #require(try again.context.fetch(request).first)
        #expect(twin.value(forKey: "legs") as? Int == 4)
        #expect(twin.value(forKey: "born") as? Date == Date(timeIntervalSince1970: 5))
        #expect((twin.value(forKey: "tags") as? NSSet)?.count == 1)
    }

    @Test("A file is migrated to a custom store class, and back")
    func ownClass() throws {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        let stack = try TestStack(.file)
        try stack.saveFamily(animals: 2)
        let sqlite = try #require(stack.coordinator.persistentStores.first)
        let url = stack.folder.appendingPathComponent("zoo.json")
        let json = try stack.coordinator.migratePersistentStore(sqlite, to: url, withType: JSONStore.storeType)
        #expect(json is JSONStore)
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        #expect(try JSONStore.read(url).objects.count == 3)
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'Mammals'")) == 2)
        try stack.coordinator.migratePersistentStore(json, to: stack.fileURL("back"), type: .sqlite)
        stack.context.performAndWait {}
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'Mammals'")) == 2)
    }

    @Test("Nothing is overwritten, and a copy that fails leaves the store unchanged")
    func failures() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag")
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(
            code { try stack.coordinator.migratePersistentStore(store, to: stack.fileURL(), type: .sqlite) } == 134080)
        let nowhere = stack.folder.appendingPathComponent("no/folder/x.sqlite")
        #expect(throws: (any Error).self) {
            try stack.coordinator.migratePersistentStore(store, to: nowhere, type: .sqlite)
        }
        #expect(code { try stack.coordinator.migratePersistentStore(store, to: nowhere, withType: "Binary") } == 134000)
        #expect(stack.coordinator.persistentStores == [store])
        #expect(try stack.count("Tag") == 1)
    }

    @Test("If a copy cannot be opened, the store stays where it is, and the copy is removed")
    func unopened() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "t"])
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let recorded = Recorded(.NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator)
        let options = [NSSQLitePragmasOption: ["page_size": "none"]]
        #expect(
            code {
                try stack.coordinator.migratePersistentStore(
                    store, to: stack.fileURL("copy"), options: options, type: .sqlite)
            } == 134080)
        #expect(stack.coordinator.persistentStores.map(ObjectIdentifier.init) == [ObjectIdentifier(store)])
        #expect(recorded.notifications.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: stack.fileURL("copy").path))
        #expect(try stack.count("Tag", NSPredicate(format: "label == 't'")) == 1)
    }

    @Test("If objects cannot be saved at the destination, the store stays where it is, and the destination is removed")
    func unsavable() throws {
        let model = Zoo.model()
        let label = try #require(model.entitiesByName["Tag"]?.attributesByName["label"])
        label.setValidationPredicates([NSPredicate(format: "length < 3")], withValidationWarnings: [])
        let stack = try TestStack(model: model)
        let rows = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "long"], ["label": "b"]])
        try stack.context.execute(rows)
        let memory = try #require(stack.coordinator.persistentStores.first)
        #expect(
            code {
                try stack.coordinator.migratePersistentStore(memory, to: stack.fileURL(), type: .sqlite)
            } == 1550)
        #expect(stack.coordinator.persistentStores == [memory])
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).isEmpty)
        #expect(try stack.count("Tag") == 2)
    }

    @Test("A store of another coordinator is neither migrated nor copied")
    func notOwn() throws {
        let (stack, other) = (try TestStack(.file), try TestStack(.file))
        let theirs = try #require(other.coordinator.persistentStores.first)
        let url = stack.fileURL("copy")
        #expect(code { try stack.coordinator.migratePersistentStore(theirs, to: url, type: .sqlite) } == 134070)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(stack.coordinator.persistentStores.count == 1)
    }

    @Test("CD31 Values that this program cannot decode are copied unchanged to a store of another type")
    func valuesOfOthers() throws {
        let name = NSValueTransformerName("Moving \(UUID().uuidString)")
        let extra = Zoo.attribute("extra", .transformableAttributeType)
        extra.valueTransformerName = name.rawValue
        let model = Zoo.model()
        try #require(model.entitiesByName["Tag"]).properties += [extra]
        ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
        let stack = try TestStack(.file, model: model)
        stack.insert("Tag", ["label": "t", "extra": ["a", "b"]])
        try stack.context.save()
        ValueTransformer.setValueTransformer(nil, forName: name)
        let coordinator = stack.coordinator
        let file = try #require(coordinator.persistentStores.first)
        let nowhere = URL(fileURLWithPath: "/dev/null")
        let memory = try coordinator.migratePersistentStore(file, to: nowhere, type: .inMemory)
        try coordinator.migratePersistentStore(memory, to: stack.fileURL("back"), type: .sqlite)
        ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: name)
        let tag = try #require(try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        #expect(tag.value(forKey: "extra") as? [String] == ["a", "b"])
    }

    @Test("If many threads add one file to a coordinator, only one succeeds")
    func addingAtOnce() throws {
        let stack = try TestStack(.file)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Zoo.model())
        let url = stack.fileURL()
        let codes = Locked<[Int?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let code = code {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            }
            codes.withLock { $0.append(code) }
        }
        #expect(codes.withLock { $0.count { $0 == nil } } == 1)
        #expect(codes.withLock { $0.count { $0 == 134080 } } == 7)
        #expect(coordinator.persistentStores.count == 1)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @Test("A migrated store keeps its position, sees remote changes at the new place, and cannot be added twice")
    func placeAmongOthers() throws {
        let options: [String: Any] = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
        let stack = try TestStack(.file, options: options)
        let second = try stack.add(.file, "second")
        let first = try #require(stack.coordinator.persistentStores.first)
        #expect(!stack.coordinator.setURL(stack.fileURL("second"), for: first))
        let other = try TestStack(.file, options: options)
        #expect(stack.coordinator.setURL(other.fileURL(), for: first))
        let tag = stack.insert("Tag")
        try stack.context.save()
        #expect(tag.objectID.persistentStore === first && second.identifier != first.identifier)
        let recorded = Recorded(.NSPersistentStoreRemoteChange, object: stack.coordinator)
        other.insert("Tag")
        try other.context.save()
        #expect(!recorded.notifications.isEmpty)
    }
}
