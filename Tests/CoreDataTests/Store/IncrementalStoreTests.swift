import CoreData
import Testing

/// Objects from any source, through `NSIncrementalStore`.
@Suite struct IncrementalStoreTests {
    private final class Stack {
        let stack: TestStack
        let store: DictionaryStore

        init() throws {
            NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, type: .init(rawValue: "Dictionary"))
            stack = try TestStack(addsStore: false)
            let added = try stack.coordinator.addPersistentStore(
                type: .init(rawValue: "Dictionary"), at: URL(fileURLWithPath: "/dev/null"),
                options: ["name": UUID().uuidString])
            store = try #require(added as? DictionaryStore)
            store.rows = [
                "cats": .init(entity: "Category", values: ["name": "Cats"], links: ["animals": ["tom", "tim"]]),
                "tom": .init(
                    entity: "Animal", values: ["name": "Tom", "age": 3],
                    links: ["category": ["cats"], "tags": ["loud"]]),
                "tim": .init(
                    entity: "Mammal", values: ["name": "Tim", "age": 5, "legs": 4], links: ["category": ["cats"]]),
                "loud": .init(entity: "Tag", values: ["label": "loud"], links: ["animals": ["tom"]]),
            ]
        }

        func animals(_ predicate: NSPredicate? = nil) -> NSFetchRequest<Animal> {
            let request = NSFetchRequest<Animal>(entityName: "Animal")
            request.predicate = predicate
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return request
        }
    }

    @Test("A fetch passes the request to the store, and its objects have the store's values")
    func fetching() throws {
        let own = try Stack()
        let found = try own.stack.context.fetch(own.animals(NSPredicate(format: "age > 2")))
        #expect(found.compactMap(\.name) == ["Tim", "Tom"])
        #expect(own.store.asked.first == "fetch Animal age > 2")
        #expect(found.first?.entity.name == "Mammal")
        #expect(found.first?.value(forKey: "legs") as? Int == 4)
        let one = own.animals()
        (one.fetchOffset, one.fetchLimit) = (1, 1)
        #expect(try own.stack.newContext().fetch(one).compactMap(\.name) == ["Tom"])
        #expect(try own.stack.count("Animal") == 2)
        let id = try #require(found.last?.objectID)
        #expect(own.store.referenceObject(for: id) as? String == "tom")
        #expect(id.uriRepresentation().absoluteString.hasSuffix("/Animal/ptom"))
        #expect(own.stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
        #expect(id.persistentStore === own.store)
    }

    @Test("Values are read only for objects that are used; for counts and identifiers, none")
    func laziness() throws {
        let own = try Stack()
        let context = own.stack.context
        let found = try context.fetch(own.animals())
        #expect(own.store.asked == ["fetch Animal all"])
        #expect(found.map(\.isFault) == [true, true])
        #expect(found.last?.name == "Tom")
        #expect(own.store.asked == ["fetch Animal all", "values tom"])
        own.store.asked = []
        #expect(try context.count(for: own.animals(NSPredicate(format: "age > 3"))) == 1)
        let ids: NSFetchRequest<NSManagedObjectID> = own.animals().converted()
        ids.resultType = .managedObjectIDResultType
        #expect(try context.fetch(ids) == found.map(\.objectID))
        #expect(!own.store.asked.contains { $0.hasPrefix("values") })
        let whole = own.animals()
        whole.returnsObjectsAsFaults = false
        #expect(try own.stack.newContext().fetch(whole).map(\.isFault) == [false, false])
        #expect(own.store.asked.filter { $0.hasPrefix("values") }.count == 2)
    }

    @Test("Faults and relationships are read from the store when they are used")
    func faults() throws {
        let own = try Stack()
        let uri = try #require(URL(string: "x-coredata://\(own.store.identifier ?? "")/Category/pcats"))
        let id = try #require(own.stack.coordinator.managedObjectID(forURIRepresentation: uri))
        let cats = own.stack.context.object(with: id)
        #expect(cats.isFault)
        #expect(own.store.asked.isEmpty)
        #expect(cats.value(forKey: "name") as? String == "Cats")
        #expect(own.store.asked == ["values cats"])
        let animals = try #require(cats.value(forKey: "animals") as? Set<NSManagedObject>)
        #expect(Set(animals.compactMap { $0.value(forKey: "name") as? String }) == ["Tom", "Tim"])
        #expect(animals.allSatisfy { $0.value(forKey: "category") as? NSManagedObject === cats })
        let tom = try #require(animals.first { $0.value(forKey: "age") as? Int == 3 })
        #expect(
            (tom.value(forKey: "tags") as? Set<NSManagedObject>)?.first?.value(forKey: "label") as? String == "loud")
        let gone = try #require(
            own.stack.coordinator.managedObjectID(
                forURIRepresentation: uri.deletingLastPathComponent().appendingPathComponent("pgone")))
        #expect(code { _ = try own.stack.context.existingObject(with: gone) } == 133000)
    }

    @Test("A save passes inserted, changed and deleted objects, with permanent identifiers")
    func saving() throws {
        let own = try Stack()
        let context = own.stack.context
        let cats = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Category")).first)
        let kitten = own.stack.insert("Animal", ["name": "Kit", "age": 0, "category": cats])
        let tom = try #require(try context.fetch(own.animals(NSPredicate(format: "name == 'Tom'"))).first)
        tom.name = "Thomas"
        try context.save()
        #expect(own.store.asked.last == "save +1 ~2 -0")
        #expect(!kitten.objectID.isTemporaryID)
        let reference = try #require(own.store.referenceObject(for: kitten.objectID) as? String)
        #expect(own.store.rows[reference]?.values["name"] as? String == "Kit")
        #expect(own.store.rows["tom"]?.values["name"] as? String == "Thomas")
        #expect(own.store.rows["cats"]?.links["animals"]?.count == 3)
        context.delete(cats)
        try context.save()
        #expect(own.store.rows.keys.sorted() == ["loud"])
        #expect(own.store.asked.last == "save +0 ~1 -4")
        #expect(try own.stack.count("Animal") == 0)
    }

    @Test("Unsaved changes are applied to the store's results")
    func unsavedChanges() throws {
        let own = try Stack()
        let context = own.stack.context
        let tom = try #require(try context.fetch(own.animals(NSPredicate(format: "name == 'Tom'"))).first)
        tom.name = "Aaron"
        own.stack.insert("Animal", ["name": "Zed", "age": 9])
        #expect(try context.fetch(own.animals()).compactMap(\.name) == ["Aaron", "Tim", "Zed"])
        #expect(try context.fetch(own.animals(NSPredicate(format: "name == 'Tom'"))).isEmpty)
        #expect(try context.fetch(own.animals(NSPredicate(format: "age > 4"))).compactMap(\.name) == ["Tim", "Zed"])
        context.rollback()
        #expect(try context.fetch(own.animals()).compactMap(\.name) == ["Tim", "Tom"])
    }

    @Test("Changes at the source are visible after objects are refreshed")
    func refreshing() throws {
        let own = try Stack()
        let tom = try #require(try own.stack.context.fetch(own.animals()).last)
        #expect(tom.name == "Tom")
        own.store.rows["tom"]?.values["name"] = "Tomcat"
        own.store.rows["tom"]?.version = 2
        #expect(tom.name == "Tom")
        own.stack.context.refresh(tom, mergeChanges: true)
        #expect(tom.name == "Tomcat")
        own.store.rows["tom"]?.values["name"] = "T"
        own.store.rows["tom"]?.version = 3
        own.stack.context.refreshAllObjects()
        #expect(tom.name == "T")
    }

    @Test("A child context works through its parent")
    func children() throws {
        let own = try Stack()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = own.stack.context
        try child.performAndWait {
            let request = NSFetchRequest<Animal>(entityName: "Animal")
            request.predicate = NSPredicate(format: "name == 'Tom'")
            let tom = try #require(try child.fetch(request).first)
            tom.name = "Thomas"
            NSEntityDescription.insertNewObject(forEntityName: "Animal", into: child).setValue("Kit", forKey: "name")
            try child.save()
        }
        #expect(own.store.rows["tom"]?.values["name"] as? String == "Tom")
        try own.stack.context.save()
        #expect(own.store.rows["tom"]?.values["name"] as? String == "Thomas")
        #expect(own.store.rows.count == 5)
    }

    @Test("The store is notified of the objects that contexts register and unregister")
    func registrations() throws {
        let own = try Stack()
        let found = try own.stack.context.fetch(own.animals())
        #expect(own.store.held.isSuperset(of: found.map(\.objectID)))
        let new = own.stack.insert("Tag")
        try own.stack.context.save()
        #expect(own.store.held.contains(new.objectID))
        own.stack.context.delete(new)
        let id = new.objectID
        try own.stack.context.save()
        #expect(!own.store.held.contains(id))
        own.stack.context.reset()
        #expect(own.store.held.isEmpty)
    }

    @Test("Errors of the store reach the caller; unsaved changes are kept")
    func errors() throws {
        struct Offline: Error {}
        let own = try Stack()
        own.store.failure = Offline()
        #expect(code { _ = try own.stack.context.fetch(own.animals()) } == 134070)
        let new = own.stack.insert("Animal", ["name": "New"])
        #expect(code { try own.stack.context.save() } == 134030)
        #expect(new.isInserted)
        own.store.failure = nil
        try own.stack.context.save()
        #expect(own.store.rows.count == 5)
        #expect(
            code { try own.stack.context.execute(NSBatchDeleteRequest(fetchRequest: own.stack.request("Tag"))) }
                == 134091)
    }

    @Test("A relationship value that is no identifier is an error, not an empty relationship")
    func strangeDestinations() throws {
        let own = try Stack()
        let animal = try #require(own.stack.coordinator.managedObjectModel.entitiesByName["Animal"])
        let tom = own.store.newObjectID(for: animal, referenceObject: "tom")
        own.store.rows["tom"]?.values["category"] = URL(string: "x-coredata://gone")
        #expect(code { _ = try own.stack.newContext().existingObject(with: tom) } == 134060)
        own.store.rows["tom"]?.values["category"] = NSNull()
        #expect(try own.stack.newContext().existingObject(with: tom).value(forKey: "category") == nil)
    }

    @Test("Values that a merge cannot read are read when they are next used")
    func unreadMerge() throws {
        let own = try Stack()
        let context = own.stack.context
        let tom = try #require(try context.fetch(own.animals()).last)
        #expect(tom.value(forKey: "age") as? Int == 3)
        own.store.rows["tom"]?.values["age"] = 9
        own.store.rows["tom"]?.version = 2
        own.store.failure = CocoaError(.fileReadUnknown)
        let recorded = Recorded(.NSManagedObjectContextObjectsDidChange, object: context)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [tom.objectID]], into: [context])
        #expect(recorded.objects(NSRefreshedObjectsKey) == [tom])
        own.store.failure = nil
        #expect(tom.value(forKey: "age") as? Int == 9)
    }
}
