import CoreData
import Testing

/// Objects in a context: insert, edit, delete, save, undo.
@Suite struct ContextTests {
    @Test("An inserted object has defaults, a temporary identifier, and a permanent one after the save")
    func inserting() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal") as? Animal)
        #expect(animal.hooks == ["awakeFromInsert"])
        #expect(animal.value(forKey: "age") as? Int == 1)
        #expect(animal.objectID.isTemporaryID)
        #expect(animal.objectID.uriRepresentation().lastPathComponent.hasPrefix("t"))
        #expect(animal.isInserted && animal.hasChanges && !animal.isUpdated)
        #expect(stack.context.insertedObjects == [animal])
        animal.name = "cat"
        try stack.context.save()
        #expect(!animal.isInserted && !animal.hasChanges && !stack.context.hasChanges)
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(
            animal.objectID.uriRepresentation().absoluteString == "x-coredata://\(store.identifier ?? "")/Animal/p1")
        #expect(animal.objectID.persistentStore === store)
        #expect(animal.hooks == ["awakeFromInsert", "willSave", "didSave"])
        let again = stack.coordinator.managedObjectID(forURIRepresentation: animal.objectID.uriRepresentation())
        #expect(again == animal.objectID)
    }

    @Test("Objects have the class of their entity; entities without one use NSManagedObject")
    func classes() throws {
        let stack = try TestStack()
        #expect(stack.insert("Mammal") is Mammal)
        #expect(type(of: stack.insert("Tag")) == NSManagedObject.self)
        let made = Mammal(context: stack.context)
        #expect(made.entity.name == "Mammal")
        #expect(made.managedObjectContext === stack.context)
    }

    @Test("An object without a context can be inserted later")
    func insertingLater() throws {
        let stack = try TestStack()
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Animal", in: stack.context))
        let animal = Animal(entity: entity, insertInto: nil)
        animal.name = "a"
        #expect(animal.managedObjectContext == nil)
        #expect(animal.hooks.isEmpty)
        stack.context.insert(animal)
        #expect(animal.hooks == ["awakeFromInsert"])
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'a'")) == 1)
    }

    @Test("Setting one end of a relationship sets the other")
    func inverses() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        let animals = (0..<3).map { stack.insert("Animal", ["name": "\($0)"]) }
        category.setValue(NSSet(array: animals.dropLast()), forKey: "animals")
        #expect(animals[0].value(forKey: "category") as? NSManagedObject === category)
        #expect(animals[2].value(forKey: "category") == nil)
        animals[2].setValue(category, forKey: "category")
        animals[0].setValue(nil, forKey: "category")
        #expect(category.value(forKey: "animals") as? Set<NSManagedObject> == Set(animals.dropFirst()))
        let set = category.mutableSetValue(forKey: "animals")
        set.add(animals[0])
        set.remove(animals[1])
        #expect(set.count == 2)
        #expect(animals[1].value(forKey: "category") == nil)
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "category == %@", category)) == 2)
        #expect(Set(category.objectIDs(forRelationshipNamed: "animals")) == [animals[0].objectID, animals[2].objectID])
    }

    @Test("changedValues and committedValues")
    func changes() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "old"])
        #expect(tag.changedValues()["label"] as? String == "old")
        #expect(tag.committedValues(forKeys: nil).isEmpty)
        try stack.context.save()
        #expect(tag.changedValues().isEmpty)
        tag.setValue("new", forKey: "label")
        #expect(tag.changedValues()["label"] as? String == "new")
        #expect(tag.committedValues(forKeys: ["label"])["label"] as? String == "old")
        #expect(tag.changedValuesForCurrentEvent()["label"] as? String == "old")
        stack.context.processPendingChanges()
        #expect(tag.changedValuesForCurrentEvent().isEmpty)
        #expect(tag.hasPersistentChangedValues)
        tag.setValue("old", forKey: "label")
        #expect(!tag.hasPersistentChangedValues)
        #expect(tag.isUpdated)
    }

    @Test("Setting a primitive value is no change, except between willChange and didChange")
    func primitives() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "old"])
        try stack.context.save()
        tag.setPrimitiveValue("quiet", forKey: "label")
        #expect(tag.primitiveValue(forKey: "label") as? String == "quiet")
        #expect(tag.changedValues().isEmpty)
        #expect(!tag.hasChanges)
        tag.willChangeValue(forKey: "label")
        tag.setPrimitiveValue("loud", forKey: "label")
        tag.didChangeValue(forKey: "label")
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'loud'")) == 1)
    }

    @Test("A value of another type is ignored, and the next save reports it")
    func wrongType() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a"])
        animal.setValue("old", forKey: "age")
        #expect(animal.value(forKey: "age") as? Int == 1)
        #expect(code { try stack.context.save() } == 1550)
        animal.setValue(3, forKey: "age")
        try stack.context.save()
        animal.setValue(stack.insert("Tag"), forKey: "category")
        #expect(code { try stack.context.save() } == 1550)
    }

    @Test("Deleting a fault reads it and the destinations of its delete rules, and nothing else")
    func deletingFaults() throws {
        let stack = try TestStack()
        let saved = try stack.saveFamily(animals: 2)
        let tag = stack.insert("Tag", ["label": "bystander"])
        try stack.context.save()
        let context = stack.newContext()
        let (category, bystander) = (context.object(with: saved.objectID), context.object(with: tag.objectID))
        #expect(category.isFault && category.hasFault(forRelationshipNamed: "animals"))
        context.delete(category)
        #expect(!category.isFault)
        #expect(context.deletedObjects == [category])
        context.processPendingChanges()
        #expect(context.deletedObjects.compactMap(\.entity.name).sorted() == ["Animal", "Animal", "Category"])
        #expect(bystander.isFault)
        try context.save()
        #expect(try stack.count("Animal") == 0)
    }

    @Test("Deleting an object of another context fails at the save; a never-saved object is just removed")
    func deletingElsewhere() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let other = stack.newContext()
        other.delete(tag)
        #expect(!tag.isDeleted && tag.managedObjectContext === stack.context)
        #expect(throws: CocoaError.self) { try other.save() }
        other.rollback()
        try other.save()
        #expect(try stack.count("Tag") == 1)
        let unsaved = stack.insert("Tag")
        stack.context.delete(unsaved)
        try stack.context.save()
        #expect(unsaved.managedObjectContext == nil)
        #expect(try stack.count("Tag") == 1)
    }

    @Test(
        "A delete runs the hook, sets flags, hides the object from fetches, and deletes its row at save"
    )
    func deleting() throws {
        let stack = try TestStack()
        let unsaved = stack.insert("Animal", ["name": "u"])
        stack.context.delete(unsaved)
        stack.context.processPendingChanges()
        #expect(!stack.context.hasChanges)
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        try stack.context.save()
        animal.hooks = []
        stack.context.delete(animal)
        #expect(animal.hooks == ["prepareForDeletion"])
        #expect(animal.isDeleted)
        #expect(stack.context.deletedObjects == [animal])
        #expect(try stack.context.count(for: NSFetchRequest<Animal>(entityName: "Animal")) == 0)
        #expect(try stack.count("Animal") == 1)
        try stack.context.save()
        #expect(!animal.isDeleted)
        #expect(animal.managedObjectContext == nil)
        #expect(animal.name == "a")
        #expect(animal.hooks == ["prepareForDeletion", "willSave", "didSave"])
        #expect(try stack.count("Animal") == 0)
    }

    @Test("Rollback restores deleted objects, removes inserted ones, and restores values")
    func rollback() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        let other = stack.insert("Tag", ["label": "b"])
        try stack.context.save()
        stack.context.delete(tag)
        other.setValue("c", forKey: "label")
        let unsaved = stack.insert("Tag")
        stack.context.rollback()
        #expect(!tag.isDeleted && !stack.context.hasChanges)
        #expect(other.value(forKey: "label") as? String == "b")
        #expect(unsaved.managedObjectContext == nil)
        try stack.context.save()
        #expect(try stack.count("Tag") == 2)
    }

    @Test("Hooks that delete each other's objects are called once each")
    func mutualDeletion() throws {
        let stack = try TestStack()
        let pair = try ["one", "two"].map { try #require(stack.insert("Animal", ["name": $0]) as? Animal) }
        try stack.context.save()
        for (animal, other) in zip(pair, pair.reversed()) {
            animal.hooks = []
            animal.onDeletion = { $0.managedObjectContext?.delete(other) }
        }
        stack.context.delete(pair[0])
        #expect(pair.map(\.hooks) == [["prepareForDeletion"], ["prepareForDeletion"]])
        try stack.context.save()
        #expect(try stack.count("Animal") == 0)
    }

    @Test("Processing pending changes applies the delete rules: cascade, nullify, deny")
    func deleteRules() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        stack.context.delete(category)
        #expect(!animals[0].isDeleted)
        stack.context.processPendingChanges()
        #expect(animals.allSatisfy { $0.isDeleted && $0.hooks.contains("prepareForDeletion") })
        try stack.context.save()
        #expect(try stack.count("Animal") == 0)

        let customer = stack.insert("Customer")
        let order = stack.insert("Order", ["customer": customer])
        try stack.context.save()
        stack.context.delete(customer)
        #expect(code { try stack.context.save() } == 1600)
        #expect(customer.isDeleted)
        stack.context.delete(order)
        try stack.context.save()
        #expect(try stack.count("Customer") == 0)
    }

    @Test("An empty mandatory inverse fails, unless the survivor is deleted too")
    func mandatoryInverse() throws {
        let stack = try TestStack()
        let info = stack.insert("ContentSyncedInfo")
        let content = stack.insert("Content", ["info": info])
        try stack.context.save()
        stack.context.delete(info)
        #expect(code { try stack.context.save() } == 1570)
        stack.context.delete(content)
        try stack.context.save()
        #expect(try stack.count("Content") == 0)
    }

    @Test("refresh without merging discards edits and makes a fault; with merging it keeps edits over fresh values")
    func refreshing() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a", "age": 1]) as? Animal)
        try stack.context.save()
        let other = stack.newContext()
        try other.existingObject(with: animal.objectID).setValue(5, forKey: "age")
        try other.save()
        animal.name = "mine"
        stack.context.refresh(animal, mergeChanges: true)
        #expect(animal.name == "mine")
        #expect(animal.value(forKey: "age") as? Int == 5)
        animal.hooks = []
        stack.context.refresh(animal, mergeChanges: false)
        #expect(animal.isFault && !animal.hasChanges)
        #expect(animal.name == "a")
        #expect(!animal.isFault)
        #expect(animal.hooks == ["awakeFromFetch"])
    }

    @Test("Fetched objects are faults until they are used, unless the request says otherwise")
    func faults() throws {
        let stack = try TestStack()
        stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        let context = stack.newContext()
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        let fault = try #require(try context.fetch(request).first)
        #expect(fault.isFault && fault.hooks.isEmpty)
        _ = fault.name
        #expect(!fault.isFault && fault.hooks == ["awakeFromFetch"])
        request.returnsObjectsAsFaults = false
        let other = try #require(try stack.newContext().fetch(request).first)
        #expect(!other.isFault)
    }

    @Test("existingObject(with:) throws for a missing row; object(with:) gives a deleted object without values")
    func missingRows() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        stack.context.delete(tag)
        let id = tag.objectID
        try stack.context.save()
        let context = stack.newContext()
        #expect(code { _ = try context.existingObject(with: id) } == 133000)
        let ghost = context.object(with: id)
        #expect(ghost.value(forKey: "label") == nil)
        #expect(ghost.isDeleted)
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test("reset removes all objects and posts a notification")
    func reset() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        stack.context.reset()
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(tag.managedObjectContext == nil)
        #expect(tag.value(forKey: "label") as? String == "x")
        #expect(
            changes.notifications.first?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] == [tag.objectID]
        )
        #expect(try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).count == 1)
    }

    @Test("Permanent identifiers can be obtained before the save; the object still counts as inserted")
    func permanentIDs() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        let animal = stack.insert("Animal", ["name": "a", "category": category])
        try stack.context.obtainPermanentIDs(for: [category, animal])
        let id = category.objectID
        #expect(!id.isTemporaryID)
        #expect(category.isInserted)
        #expect(stack.context.registeredObject(for: id) === category)
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 1)
        try stack.context.save()
        #expect(category.objectID == id)
        #expect(try stack.count("Animal", NSPredicate(format: "category == %@", id)) == 1)
    }

    @Test("Refreshing an object that is already a fault calls no hook")
    func refreshingFaults() throws {
        let stack = try TestStack(model: Zoo.model(tag: FaultingTag.self))
        let tag = try #require(stack.insert("Tag", ["label": "a"]) as? FaultingTag)
        try stack.context.save()
        for _ in 0..<2 { stack.context.refresh(tag, mergeChanges: false) }
        #expect(tag.calls == ["will", "did"])
    }

    @Test("awakeFromInsert is not called for an object whose insertion is refused")
    func refusedInsertion() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        try stack.context.save()
        stack.context.delete(animal)
        try stack.context.save()
        animal.hooks = []
        stack.context.insert(animal)
        #expect(animal.hooks == (animal.managedObjectContext == nil ? [] : ["awakeFromInsert"]))
    }

    @Test("A child can fetch when no store could save its parent's new objects", arguments: [false, true])
    func childrenWithoutStores(hasStore: Bool) throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        try stack.coordinator.remove(store)
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        if hasStore { try stack.add(.file, options: [NSReadOnlyPersistentStoreOption: true]) }
        stack.insert("Tag", ["label": "new"])
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let found = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        #expect(found.map { $0.value(forKey: "label") as? String } == ["new"])
        #expect(throws: CocoaError.self) { try stack.context.save() }
    }

    @Test("Unreferenced objects are released, unless the context retains registered objects", arguments: [false, true])
    func retaining(retains: Bool) throws {
        let stack = try TestStack()
        let rows = (0..<5000).map { ["label": "\($0)"] }
        _ = try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows))
        let context = stack.newContext()
        context.retainsRegisteredObjects = retains
        for _ in 0..<2 { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) }
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        #expect(context.registeredObjects.count == (retains ? 5000 : 0))
    }

    @Test("Members changed by primitive values between the calls for set mutations are saved")
    func setMutations() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        tag.willChangeValue(forKey: "animals", withSetMutation: .union, using: [animal])
        tag.setPrimitiveValue(NSSet(array: [animal]), forKey: "animals")
        tag.didChangeValue(forKey: "animals", withSetMutation: .union, using: [animal])
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "animals.@count == 1")) == 1)
    }

    @Test("Models whose objects were created without a context are released")
    func modelsLetGo() throws {
        weak var former: NSEntityDescription?
        weak var current: NSEntityDescription?
        for _ in 0..<2 {
            let model = Zoo.model()
            former = current
            current = model.entitiesByName["Tag"]
            let tag = NSManagedObject(entity: try #require(current), insertInto: nil)
            tag.setValue("t", forKey: "label")
            #expect(tag.value(forKey: "label") as? String == "t")
        }
        #expect(former == nil)
    }
}

/// Records the fault hooks that an object receives.
class FaultingTag: NSManagedObject {
    var calls: [String] = []
    override func willTurnIntoFault() { calls.append("will") }
    override func didTurnIntoFault() { calls.append("did") }
}
