import CoreData
import Testing

@Suite("Undo and redo")
struct UndoTests {
    private func stack() throws -> (TestStack, UndoManager) {
        let stack = try TestStack()
        let manager = UndoManager()
        stack.context.undoManager = manager
        return (stack, manager)
    }

    @Test("Contexts have no undo manager unless given one, and then undo does nothing")
    func withoutManager() throws {
        let stack = try TestStack()
        #expect(stack.context.undoManager == nil)
        let animal = stack.insert("Animal", ["name": "Fox"])
        stack.context.undo()
        stack.context.redo()
        #expect(stack.context.insertedObjects == [animal])
    }

    @Test("Changes up to processPendingChanges are one step; steps are undone and redone in turn")
    func steps() throws {
        let (stack, manager) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        animal.setValue("Red fox", forKey: "name")
        animal.setValue(2, forKey: "age")
        stack.context.processPendingChanges()
        animal.setValue(3, forKey: "age")
        stack.context.undo()
        #expect(animal.value(forKey: "age") as? Int == 2)
        #expect(animal.value(forKey: "name") as? String == "Red fox")
        stack.context.undo()
        #expect(animal.value(forKey: "age") as? Int == 1)
        #expect(animal.value(forKey: "name") as? String == "Fox")
        #expect(!animal.hasPersistentChangedValues)
        stack.context.redo()
        stack.context.redo()
        #expect(animal.value(forKey: "age") as? Int == 3)
        #expect(!manager.canRedo)
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "age == 3 AND name == %@", "Red fox")) == 1)
    }

    @Test("A new change after an undo clears the redo stack")
    func redoIsForgotten() throws {
        let (stack, manager) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        stack.context.processPendingChanges()
        animal.setValue(2, forKey: "age")
        stack.context.undo()
        #expect(manager.canRedo)
        animal.setValue(9, forKey: "age")
        #expect(!manager.canRedo)
        stack.context.redo()
        #expect(animal.value(forKey: "age") as? Int == 9)
    }

    @Test("Groups of the program hold several steps, and keep their names")
    func groups() throws {
        let (stack, manager) = try stack()
        manager.beginUndoGrouping()
        manager.setActionName("Feed")
        let animal = stack.insert("Animal", ["name": "Fox"])
        stack.context.processPendingChanges()
        animal.setValue(2, forKey: "age")
        stack.context.processPendingChanges()
        manager.endUndoGrouping()
        #expect(manager.undoActionName == "Feed")
        stack.context.undo()
        #expect(manager.redoActionName == "Feed")
        #expect(stack.context.insertedObjects.isEmpty)
        stack.context.redo()
        #expect(stack.context.insertedObjects == [animal])
        #expect(animal.value(forKey: "age") as? Int == 2)
    }

    @Test("Changes made with undo registration disabled are not undone")
    func registrationOff() throws {
        let (stack, manager) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        stack.context.processPendingChanges()
        manager.disableUndoRegistration()
        animal.setValue(7, forKey: "age")
        stack.context.processPendingChanges()
        manager.enableUndoRegistration()
        animal.setValue("Red fox", forKey: "name")
        stack.context.undo()
        #expect(animal.value(forKey: "name") as? String == "Fox")
        #expect(animal.value(forKey: "age") as? Int == 7)
    }

    @Test("Undoing an insertion removes the object; redoing it restores values and links")
    func insertion() throws {
        let (stack, _) = try stack()
        let category = try stack.saveFamily(animals: 1)
        let animal = stack.insert("Animal", ["name": "Fox", "category": category])
        stack.context.undo()
        #expect(animal.managedObjectContext == nil)
        #expect(category.objectIDs(forRelationshipNamed: "animals").count == 1)
        #expect(!stack.context.insertedObjects.contains(animal))
        stack.context.redo()
        #expect(animal.managedObjectContext === stack.context)
        #expect(animal.value(forKey: "name") as? String == "Fox")
        #expect(animal.value(forKey: "category") as? NSManagedObject === category)
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == %@", "Mammals")) == 2)
    }

    @Test("Undo restores both ends of a changed relationship")
    func relationships() throws {
        let (stack, _) = try stack()
        let (old, new) = (stack.insert("Category", ["name": "A"]), stack.insert("Category", ["name": "B"]))
        let animal = stack.insert("Animal", ["name": "Fox", "category": old])
        let tag = stack.insert("Tag", ["label": "red"])
        try stack.context.save()
        animal.setValue(new, forKey: "category")
        animal.mutableSetValue(forKey: "tags").add(tag)
        stack.context.undo()
        #expect(animal.value(forKey: "category") as? NSManagedObject === old)
        #expect(old.value(forKey: "animals") as? NSSet == NSSet(object: animal))
        #expect((new.value(forKey: "animals") as? NSSet)?.count == 0)
        #expect((tag.value(forKey: "animals") as? NSSet)?.count == 0)
        stack.context.redo()
        #expect(new.value(forKey: "animals") as? NSSet == NSSet(object: animal))
        #expect(tag.value(forKey: "animals") as? NSSet == NSSet(object: animal))
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'B' AND ANY tags.label == 'red'")) == 1)
    }

    @Test("Undoing a delete restores cascaded objects and nullified links", arguments: [true, false])
    func delete(spreadsAtEndOfEvent: Bool) throws {
        let (stack, _) = try stack()
        stack.context.propagatesDeletesAtEndOfEvent = spreadsAtEndOfEvent
        let category = try stack.saveFamily(animals: 2)
        let unsaved = stack.insert("Animal", ["name": "New", "category": category])
        let person = stack.insert("Person", ["name": "Eve"])
        unsaved.setValue(person, forKey: "keeper")
        stack.context.processPendingChanges()
        stack.context.delete(category)
        stack.context.processPendingChanges()
        #expect(category.isDeleted)
        #expect((unsaved.managedObjectContext == nil) == spreadsAtEndOfEvent)
        stack.context.undo()
        #expect(!category.isDeleted)
        #expect(stack.context.deletedObjects.isEmpty)
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 3)
        #expect(unsaved.value(forKey: "keeper") as? NSManagedObject === person)
        #expect(unsaved.isInserted)
        stack.context.redo()
        #expect(category.isDeleted)
        try stack.context.save()
        #expect(try stack.count("Animal") == 0)
        #expect(try stack.count("Person") == 1)
    }

    @Test("A delete that is only marked, in the same event as the undo, is undone")
    func markedDelete() throws {
        let (stack, _) = try stack()
        let category = try stack.saveFamily(animals: 2)
        let fresh = stack.insert("Animal", ["name": "New", "category": category])
        stack.context.processPendingChanges()
        stack.context.delete(fresh)
        stack.context.delete(category)
        stack.context.undo()
        #expect(!category.isDeleted)
        #expect(fresh.managedObjectContext === stack.context)
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 3)
        try stack.context.save()
        #expect(try stack.count("Animal") == 3)
    }

    @Test("Saved changes are undone as unsaved changes; a deleted row is inserted as a new one")
    func afterSave() throws {
        let (stack, _) = try stack()
        let category = try stack.saveFamily(animals: 1)
        let animal = try #require((category.value(forKey: "animals") as? NSSet)?.anyObject() as? NSManagedObject)
        animal.setValue(8, forKey: "age")
        try stack.context.save()
        stack.context.delete(animal)
        try stack.context.save()
        #expect(try stack.count("Animal") == 0)
        stack.context.undo()
        #expect(animal.managedObjectContext === stack.context)
        #expect(animal.isInserted)
        #expect(animal.value(forKey: "category") as? NSManagedObject === category)
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "age == 8")) == 1)
        stack.context.undo()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "age == 0")) == 1)
    }

    @Test("Rollback and reset clear the undo stack")
    func forgotten() throws {
        let (stack, manager) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        animal.setValue(2, forKey: "age")
        stack.context.rollback()
        #expect(!manager.canUndo)
        animal.setValue(3, forKey: "age")
        #expect(manager.canUndo)
        stack.context.reset()
        #expect(!manager.canUndo)
        stack.insert("Animal", ["name": "Wolf"])
        stack.context.undo()
        #expect(!stack.context.hasChanges)
    }

    @Test("Undo and redo post changes like edits, and awaken objects with the reason")
    func notifications() throws {
        final class Listener: NSManagedObject {
            var events: [NSSnapshotEventType] = []
            override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
        }
        let model = NSManagedObjectModel()
        let entity = Zoo.entity("Listener", Listener.self)
        entity.properties = [Zoo.attribute("name", .stringAttributeType)]
        model.entities = [entity]
        Listener.register()
        let stack = try TestStack(model: model)
        stack.context.undoManager = UndoManager()
        let object = try #require(stack.insert("Listener", ["name": "a"]) as? Listener)
        try stack.context.save()
        object.setValue("b", forKey: "name")
        stack.context.processPendingChanges()
        let recorded = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        stack.context.undo()
        #expect(recorded.objects(NSUpdatedObjectsKey) == [object])
        #expect(object.events == [.undoUpdate])
        stack.context.delete(object)
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(object.events == [.undoUpdate, .undoDeletion])
        #expect(recorded.objects(NSInsertedObjectsKey) == [object])
        stack.context.redo()
        #expect(object.events == [.undoUpdate, .undoDeletion, .undoInsertion])
        #expect(object.isDeleted)
    }

    @Test("Changes saved elsewhere are not undone; the context's earlier changes still are")
    func merges() throws {
        let (stack, manager) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        animal.setValue(5, forKey: "age")
        stack.context.processPendingChanges()
        let count = manager.undoCount
        let other = stack.newContext()
        let recorded = Recorded(.NSManagedObjectContextDidSave, object: other)
        try other.existingObject(with: animal.objectID).setValue("Vixen", forKey: "name")
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(recorded.notifications.first))
        #expect(animal.value(forKey: "name") as? String == "Vixen")
        #expect(manager.undoCount == count)
        stack.context.undo()
        #expect(animal.value(forKey: "age") as? Int == 1)
        #expect(animal.value(forKey: "name") as? String == "Vixen")
    }

    @Test("A child's save is one step of its parent")
    func children() throws {
        let (stack, _) = try stack()
        let category = try stack.saveFamily(animals: 1)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let twin = try child.existingObject(with: category.objectID)
        twin.setValue("Beasts", forKey: "name")
        stack.insert("Animal", ["name": "New", "category": twin], in: child)
        try child.save()
        #expect(category.value(forKey: "name") as? String == "Beasts")
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 2)
        stack.context.undo()
        #expect(category.value(forKey: "name") as? String == "Mammals")
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 1)
        try stack.context.save()
        #expect(try stack.count("Animal") == 1)
    }

    @Test("A save that validation refuses can be undone")
    func validation() throws {
        let (stack, _) = try stack()
        let animal = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        animal.setValue(nil, forKey: "name")
        #expect(code { try stack.context.save() } == 1570)
        stack.context.undo()
        #expect(animal.value(forKey: "name") as? String == "Fox")
        try stack.context.save()
    }

    @Test("Undo restores the order of an ordered relationship, after a reordering and after a delete")
    func order() throws {
        let model = NSManagedObjectModel()
        let (list, item) = (Zoo.entity("List", NSManagedObject.self), Zoo.entity("Item", NSManagedObject.self))
        list.properties = [Zoo.attribute("name", .stringAttributeType)]
        item.properties = [Zoo.attribute("name", .stringAttributeType)]
        Zoo.link(list, "items", .toMany, .cascadeDeleteRule, item, "list", .toOne, .nullifyDeleteRule)
        list.relationshipsByName["items"]?.isOrdered = true
        model.entities = [list, item]
        let stack = try TestStack(model: model)
        stack.context.undoManager = UndoManager()
        let items = ["a", "b", "c"].map { stack.insert("Item", ["name": $0]) }
        let owner = stack.insert("List", ["items": NSOrderedSet(array: items)])
        try stack.context.save()
        func order() -> [String] {
            ((owner.value(forKey: "items") as? NSOrderedSet)?.array ?? []).compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
        owner.setValue(NSOrderedSet(array: [items[2], items[0]]), forKey: "items")
        stack.context.processPendingChanges()
        #expect(order() == ["c", "a"])
        stack.context.undo()
        #expect(order() == ["a", "b", "c"])
        stack.context.redo()
        #expect(order() == ["c", "a"])
        stack.context.undo()
        stack.context.delete(items[0])
        stack.context.processPendingChanges()
        #expect(order() == ["b", "c"])
        stack.context.undo()
        #expect(order() == ["a", "b", "c"])
        try stack.context.save()
        #expect(try stack.count("Item", NSPredicate(format: "list != nil")) == 3)
    }

    @Test("Undoing a nested group leaves the event's own group to be closed with the event")
    func nestedGroupWithinAnEvent() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "0"])
        try stack.context.save()
        let manager = UndoManager()
        stack.context.undoManager = manager
        tag.setValue("1", forKey: "label")
        stack.context.processPendingChanges()
        var log: [String] = []
        manager.registerUndo(withTarget: tag) { _ in log.append("own") }
        #expect(manager.groupingLevel == 1)
        manager.undoNestedGroup()
        #expect(tag.value(forKey: "label") as? String == "0")
        #expect(manager.groupingLevel == 1)
        stack.context.processPendingChanges()
        #expect(manager.groupingLevel == 0)
        manager.undo()
        #expect(log == ["own"])
    }
}
