import CoreData
import ObjectGraph
import Testing

/// Saves of a child context as its parent and siblings see them.
@Suite struct ChildSaveTests {
    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    @Test("A permanent identifier obtained in a child survives its save, as do links to the object")
    func obtainedIdentifiers() throws {
        let stack = try TestStack()
        let child = child(of: stack.context)
        let category = stack.insert("Category", ["name": "c"], in: child)
        let animal = stack.insert("Animal", ["name": "a", "category": category], in: child)
        try child.obtainPermanentIDs(for: [category, animal])
        let other = stack.insert("Animal", ["name": "b", "category": category], in: child)
        let ids = [category.objectID, animal.objectID]
        try child.save()
        #expect([category.objectID, animal.objectID] == ids)
        #expect(!other.objectID.isTemporaryID)
        #expect(animal.value(forKey: "category") as? NSManagedObject === category)
        #expect(other.value(forKey: "category") as? NSManagedObject === category)
        #expect(try stack.context.existingObject(with: ids[1]).value(forKey: "name") as? String == "a")
        try stack.context.save()
        #expect(try stack.newContext().existingObject(with: ids[0]).value(forKey: "name") as? String == "c")
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'c'")) == 2)
        for context in [child, stack.context] { try context.graph.checkInvariants() }
    }

    @Test("A child reads the members of many objects with one statement, as its parent does")
    func readingMembers() throws {
        let stack = try TestStack()
        for number in 0..<20 { try stack.saveFamily("family \(number)", animals: 2) }
        let parent = stack.newContext()
        let child = child(of: parent)
        let seen = SeenStatements(stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        request.relationshipKeyPathsForPrefetching = ["animals"]
        let families = try child.fetch(request)
        let count = seen.count(startingWith: "SELECT")
        #expect(families.count == 20)
        #expect(count < 10)
        for family in families { #expect((family.value(forKey: "animals") as? Set<NSManagedObject>)?.count == 2) }
        #expect(seen.count(startingWith: "SELECT") == count)
    }

    @Test("A new object that a child assigned to a store is saved to that store")
    func assigning() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let child = child(of: stack.context)
        let tags = (0..<2).map { _ in stack.insert("Tag", in: child) }
        child.assign(tags[1], to: second)
        try child.save()
        try stack.context.save()
        #expect(tags[0].objectID.persistentStore !== second)
        #expect(tags[1].objectID.persistentStore === second)
    }

    @Test("New objects of a child get their keys in the order they were inserted")
    func order() throws {
        let stack = try TestStack()
        let child = child(of: stack.context)
        let tags = (0..<20).map { stack.insert("Tag", ["label": "\($0)"], in: child) }
        try child.save()
        let keys = tags.map(\.objectID.id.key)
        #expect(keys == keys.sorted())
    }

    enum Deleter: CaseIterable, Sendable {
        case parent, savedParent, other, mergedOther
    }

    @Test(
        "CD54 Rows deleted elsewhere stay deleted if a child edited them; the child's other changes are saved",
        arguments: Deleter.allCases)
    func deletedMeanwhile(_ deleter: Deleter) throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        let tag = stack.insert("Tag", ["label": "old"])
        try stack.context.save()
        let child = child(of: stack.context)
        let edited = try child.existingObject(with: category.objectID)
        edited.setValue(5, forKey: "rank")
        let animal = stack.insert("Animal", ["name": "new", "category": edited], in: child)
        try child.existingObject(with: tag.objectID).setValue("new", forKey: "label")
        switch deleter {
        case .parent, .savedParent:
            stack.context.delete(category)
            if deleter == .savedParent { try stack.context.save() }
        case .other, .mergedOther:
            let other = stack.newContext()
            let twin = try other.existingObject(with: category.objectID)
            other.delete(twin)
            try deleter == .other ? other.save() : other.save(mergingInto: [stack.context])
        }
        try child.save()
        #expect(!child.hasChanges)
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(try stack.count("Category") == 0)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'new'")) == 1)
        #expect(try stack.count("Animal", NSPredicate(format: "category == nil")) == 1)
        child.refreshAllObjects()
        #expect(animal.value(forKey: "category") == nil)
        #expect(edited.value(forKey: "rank") == nil && edited.isDeleted)
    }

    @Test("A child's save that fails leaves its parent unchanged, and can be repeated")
    func failing() throws {
        let stack = try TestStack(.file)
        let gone = stack.insert("Tag", ["label": "gone"])
        try stack.context.save()
        let child = child(of: stack.context)
        child.delete(try child.existingObject(with: gone.objectID))
        stack.insert("Tag", ["label": "new"], in: child)
        child.processPendingChanges()
        // The store assigns keys, and is removed for a while.
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        child.performAndWait {}
        #expect(throws: CocoaError.self) { try child.save() }
        #expect(!stack.context.hasChanges && !gone.isDeleted)
        try stack.add(.file)
        try child.save()
        #expect(stack.context.insertedObjects.count == 1)
        #expect(gone.isDeleted)
        try stack.context.save()
        #expect(try stack.count("Tag") == 1)
    }

    @Test(
        "A child's did-save notification has what delete rules reach in the parent only", arguments: [false, true])
    func deletedInParent(isKnown: Bool) throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 0)
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        let ids: Set<NSManagedObjectID> = [category.objectID, animal.objectID]
        let (one, other) = (child(of: stack.context), child(of: stack.context))
        let family = try one.existingObject(with: category.objectID)
        #expect(family.mutableSetValue(forKey: "animals").count == 0)
        let known = isKnown ? try one.existingObject(with: animal.objectID) : nil
        let twin = try other.existingObject(with: animal.objectID)
        #expect(twin.value(forKey: "category") == nil)
        animal.setValue(category, forKey: "category")
        let saved = Recorded(.NSManagedObjectContextDidSave, object: one)
        let identified = Recorded(.NSManagedObjectContextDidSaveObjectIDs, object: one)
        one.delete(family)
        try one.save()
        #expect(animal.isDeleted)
        #expect(identified.ids(NSDeletedObjectIDsKey) == ids)
        let objects = saved.objects(NSDeletedObjectsKey)
        #expect(Set(objects.map(\.objectID)).union(saved.ids(NSDeletedObjectIDsKey)) == ids)
        if let known { #expect(objects.contains(known)) }
        other.mergeChanges(fromContextDidSave: try #require(saved.notifications.first))
        #expect(twin.isDeleted)
    }

    @Test("A sibling with automatic merging sees changes that a child saved to the unsaved parent")
    func siblings() async throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let (one, other) = (child(of: stack.context), child(of: stack.context))
        other.automaticallyMergesChangesFromParent = true
        let twin = try other.existingObject(with: tag.objectID)
        #expect(twin.value(forKey: "label") as? String == "a")
        try one.existingObject(with: tag.objectID).setValue("b", forKey: "label")
        try one.save()
        await other.perform(schedule: .enqueued) {}
        #expect(twin.value(forKey: "label") as? String == "b")
        #expect(!twin.hasChanges)
    }

    @Test(
        "Children of a merging sibling see another child's save, whether or not the sibling has edits",
        arguments: [false, true])
    func childrenOfSiblings(isEdited: Bool) async throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a", "age": 1])
        try stack.context.save()
        let (one, other) = (child(of: stack.context), child(of: stack.context))
        let below = child(of: other)
        for context in [other, below] { context.automaticallyMergesChangesFromParent = true }
        if isEdited { try other.existingObject(with: animal.objectID).setValue(7, forKey: "age") }
        let twin = try below.existingObject(with: animal.objectID)
        #expect(twin.value(forKey: "name") as? String == "a")
        let mine = try one.existingObject(with: animal.objectID)
        for name in ["b", "c"] {
            mine.setValue(name, forKey: "name")
            try one.save()
            await other.perform(schedule: .enqueued) {}
            await below.perform(schedule: .enqueued) {}
            #expect(twin.value(forKey: "name") as? String == name)
            #expect(twin.value(forKey: "age") as? Int == (isEdited ? 7 : 1))
            #expect(!twin.hasChanges)
        }
    }

    @Test("Refreshing in a child shows the parent's unsaved edits, with the child's own edits on top")
    func refreshing() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a", "age": 1])
        try stack.context.save()
        let child = child(of: stack.context)
        let twin = try child.existingObject(with: animal.objectID)
        #expect(twin.value(forKey: "name") as? String == "a")
        for name in ["b", "c", "d"] {
            animal.setValue(name, forKey: "name")
            child.refresh(twin, mergeChanges: true)
            #expect(twin.value(forKey: "name") as? String == name)
        }
        twin.setValue(7, forKey: "age")
        animal.setValue("e", forKey: "name")
        child.refresh(twin, mergeChanges: true)
        #expect(twin.value(forKey: "name") as? String == "e" && twin.value(forKey: "age") as? Int == 7)
        stack.context.rollback()
        child.refresh(twin, mergeChanges: true)
        #expect(twin.value(forKey: "name") as? String == "a")
        try child.save()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'a' AND age == 7")) == 1)
    }
}
