import CoreData
import ObjectGraph
import Testing

/// Reverting edits of one object, and objects removed from a context.
@Suite struct RevertingTests {
    @Test("Refreshing without merging reverts a changed link at both ends")
    func links() throws {
        let stack = try TestStack()
        let first = try stack.saveFamily("first", animals: 1)
        let second = try stack.saveFamily("second", animals: 0)
        let animal = try #require((first.value(forKey: "animals") as? Set<Animal>)?.first)
        animal.setValue(second, forKey: "category")
        stack.context.refresh(animal, mergeChanges: false)
        #expect(animal.value(forKey: "category") as? NSManagedObject === first)
        #expect((second.value(forKey: "animals") as? NSSet)?.count == 0)
        #expect(first.value(forKey: "animals") as? Set<Animal> == [animal])
        try stack.context.graph.checkInvariants()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'first'")) == 1)
    }

    @Test("Refreshing an owner without merging reverts its attributes, and keeps changed links of its members")
    func members() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 1)
        let old = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        let new = stack.insert("Animal", ["name": "new", "category": category])
        old.setValue(nil, forKey: "category")
        category.setValue("renamed", forKey: "name")
        stack.context.refresh(category, mergeChanges: false)
        #expect(category.value(forKey: "name") as? String == "Mammals")
        #expect(category.value(forKey: "animals") as? Set<NSManagedObject> == [new])
        try stack.context.graph.checkInvariants()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'Mammals' AND name == 'new'")) == 1)
        #expect(try stack.count("Animal", NSPredicate(format: "category == nil")) == 1)
    }

    @Test("An object that is edited, reverted and edited again is saved once")
    func editedAgain() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        for label in ["b", "c", "d"] {
            stack.context.refresh(tag, mergeChanges: false)
            tag.setValue(label, forKey: "label")
        }
        try stack.context.graph.checkInvariants()
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'd'")) == 1)
    }

    @Test("Refreshing without merging reverts many-to-many links at both ends")
    func manyToMany() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a"])
        let tags = (0..<2).map { stack.insert("Tag", ["label": "\($0)"]) }
        animal.setValue(NSSet(object: tags[0]), forKey: "tags")
        try stack.context.save()
        animal.setValue(NSSet(object: tags[1]), forKey: "tags")
        stack.context.refresh(animal, mergeChanges: false)
        #expect(animal.value(forKey: "tags") as? Set<NSManagedObject> == [tags[0]])
        #expect((tags[0].value(forKey: "animals") as? NSSet)?.count == 1)
        #expect((tags[1].value(forKey: "animals") as? NSSet)?.count == 0)
        try stack.context.graph.checkInvariants()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "ANY tags.label == '0'")) == 1)
    }

    @Test(
        "Links that a merge policy reverts are reverted at both ends",
        arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func policies(_ type: NSMergePolicyType) throws {
        let stack = try TestStack()
        let families = try ["base", "mine", "theirs"].map { try stack.saveFamily($0, animals: 0) }
        let animal = stack.insert("Animal", ["name": "a", "category": families[0]])
        try stack.context.save()
        for family in families { _ = family.value(forKey: "animals") }
        let other = stack.newContext()
        let twin = try other.existingObject(with: animal.objectID)
        twin.setValue(try other.existingObject(with: families[2].objectID), forKey: "category")
        try other.save()
        animal.setValue(families[1], forKey: "category")
        stack.context.mergePolicy = NSMergePolicy(merge: type)
        try stack.context.save()
        #expect(animal.value(forKey: "category") as? NSManagedObject === families[2])
        #expect(families.map { ($0.value(forKey: "animals") as? NSSet)?.count } == [0, 0, 1])
        try stack.context.graph.checkInvariants()
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'theirs'")) == 1)
    }

    @Test("A delete that a rollback policy reverts keeps the links")
    func deletes() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 1)
        let animal = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        let person = stack.insert("Person", ["animals": NSSet(object: animal)])
        try stack.context.save()
        let other = stack.newContext()
        try other.existingObject(with: person.objectID).setValue("theirs", forKey: "name")
        try other.save()
        stack.context.delete(person)
        stack.context.mergePolicy = .rollback
        try stack.context.save()
        #expect(!person.isDeleted && person.value(forKey: "name") as? String == "theirs")
        #expect(animal.value(forKey: "keeper") as? NSManagedObject === person)
        try stack.context.graph.checkInvariants()
    }

    // MARK: Objects removed from a context

    @Test("An object that outlived reset() can be inserted again, and is saved")
    func insertingAfterReset() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "kept"])
        stack.context.reset()
        #expect(tag.managedObjectContext == nil && !tag.isInserted && !tag.hasChanges)
        stack.context.insert(tag)
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        try stack.context.save()
        #expect(changes.objects(NSInsertedObjectsKey) == [tag])
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'kept'")) == 1)
    }

    @Test("An object that outlived its context can be inserted into another one")
    func insertingElsewhere() throws {
        let stack = try TestStack()
        var context: NSManagedObjectContext? = NSManagedObjectContext(.privateQueue)
        context?.persistentStoreCoordinator = stack.coordinator
        let tag = stack.insert("Tag", ["label": "kept"], in: context)
        context = nil
        stack.context.insert(tag)
        try stack.context.save()
        #expect(try stack.count("Tag") == 1)
    }

    @Test("An object removed with a permanent identifier can be inserted again")
    func insertingWithIdentifier() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "kept"])
        try stack.context.obtainPermanentIDs(for: [tag])
        stack.context.delete(tag)
        stack.context.processPendingChanges()
        #expect(tag.managedObjectContext == nil)
        stack.context.insert(tag)
        #expect(tag.isInserted)
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'kept'")) == 1)
    }

    @Test("object(with:) gives an object outside of any context for an identifier of another model")
    func otherModel() throws {
        let stack = try TestStack()
        let model = NSManagedObjectModel()
        let stranger = Zoo.entity("Stranger", NSManagedObject.self)
        stranger.properties = [Zoo.attribute("name", .stringAttributeType)]
        model.entities = [stranger]
        let others = try TestStack(model: model)
        let saved = others.insert("Stranger")
        try others.context.save()
        for id in [saved.objectID, NSManagedObject(entity: stranger, insertInto: nil).objectID] {
            let object = stack.context.object(with: id)
            #expect(object.managedObjectContext == nil)
            #expect(object.entity.name == "Stranger")
            #expect(object.value(forKey: "name") == nil)
        }
        #expect(throws: CocoaError.self) { try stack.context.existingObject(with: saved.objectID) }
    }

    // MARK: Deletes

    @Test("prepareForDeletion of cascaded unsaved objects runs while their relationships are readable")
    func preparingCascaded() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        let animal = try #require(stack.insert("Animal", ["name": "a", "category": category]) as? Animal)
        animal.onDeletion = { animal in
            #expect(animal.value(forKey: "category") as? NSManagedObject === category)
            #expect(animal.managedObjectContext != nil)
        }
        stack.context.delete(category)
        stack.context.processPendingChanges()
        #expect(animal.hooks.filter { $0 == "prepareForDeletion" }.count == 1)
        #expect(animal.managedObjectContext == nil)
    }

    @Test("An object that a hook removes from a cascade is not deleted")
    func keeping() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        animals[0].onDeletion = { _ in animals[1].setValue(nil, forKey: "category") }
        stack.context.delete(category)
        try stack.context.save()
        #expect(try stack.count("Animal") == 1)
        #expect(!animals[1].isDeleted)
    }

    @Test("Pending deletes of rows that were deleted elsewhere are not validated")
    func deletedElsewhere() throws {
        let stack = try TestStack()
        let animal = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        try stack.context.save()
        animal.mayBeDeleted = false
        try stack.context.executeAndMergeChanges(
            using: NSBatchDeleteRequest(fetchRequest: stack.request("Animal")))
        #expect(animal.isDeleted)
        try stack.context.save()
        #expect(!stack.context.hasChanges)
    }

    @Test("A context that is set up twice merges each change once")
    func setUpTwice() async throws {
        let stack = try TestStack()
        let context = stack.newContext()
        context.persistentStoreCoordinator = stack.coordinator
        context.automaticallyMergesChangesFromParent = true
        let merges = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: context)
        stack.insert("Tag")
        try stack.context.save()
        await context.perform(schedule: .enqueued) {}
        #expect(merges.notifications.count == 1)
    }
}
