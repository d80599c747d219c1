import CoreData
import Testing

/// Contexts that merged a delete of another context which was then restored.
@Suite struct RevertedDeleteTests {
    /// A category with animals, registered and read, whose batch delete was merged.
    private struct World {
        let stack: TestStack
        let category: NSManagedObject
        let animals: [Animal]
        let request: NSBatchDeleteRequest
        let token: DeletionToken
        let ids: [NSManagedObjectID]

        init(_ entity: String = "Category") throws {
            stack = try TestStack(.file)
            category = try stack.saveFamily(animals: 3)
            animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
            _ = category.mutableSetValue(forKey: "animals").count
            request = NSBatchDeleteRequest(fetchRequest: stack.request(entity))
            request.archivesRows = true
            let result = try stack.newContext().execute(request) as? NSBatchDeleteResult
            token = try #require(result?.deletionToken)
            ids = (entity == "Category" ? [category] : []).map(\.objectID) + animals.map(\.objectID)
        }

        func merge(_ key: String, _ ids: [NSManagedObjectID]) {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [stack.context])
        }

        func restore() throws {
            try stack.coordinator.restore(token)
            merge(NSInsertedObjectIDsKey, ids)
        }
    }

    @Test("Objects whose rows are restored are valid again in fetches, relationships and saves")
    func back() throws {
        let world = try World()
        let context = world.stack.context
        world.merge(NSDeletedObjectIDsKey, world.ids)
        #expect(world.category.isDeleted && world.animals.allSatisfy { $0.isDeleted })
        #expect(try context.count(for: NSFetchRequest<Animal>(entityName: "Animal")) == 0)
        try world.restore()
        #expect(!world.category.isDeleted && !world.animals.contains { $0.isDeleted })
        #expect(!context.hasChanges)
        #expect(world.category.value(forKey: "name") as? String == "Mammals")
        #expect(try context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).count == 3)
        #expect(world.category.mutableSetValue(forKey: "animals").count == 3)
        world.animals[0].name = "edited"
        try context.save()
        #expect(try world.stack.count("Animal", NSPredicate(format: "name == 'edited'")) == 1)
        #expect(try world.stack.count("Category") == 1)
    }

    @Test("Objects deleted by a merged cascade are restored with the rows that caused it")
    func followers() throws {
        let world = try World()
        world.merge(NSDeletedObjectIDsKey, [world.category.objectID])
        #expect(world.animals.allSatisfy { $0.isDeleted })
        try world.restore()
        #expect(!world.animals.contains { $0.isDeleted })
        #expect(!world.stack.context.hasChanges)
        try world.stack.context.save()
        #expect(try world.stack.count("Animal") == 3)
    }

    @Test("Survivors have their links again")
    func survivors() throws {
        let world = try World("Animal")
        world.merge(NSDeletedObjectIDsKey, world.ids)
        #expect(world.category.mutableSetValue(forKey: "animals").count == 0)
        try world.restore()
        #expect(world.category.mutableSetValue(forKey: "animals").count == 3)
        #expect(world.animals.allSatisfy { $0.value(forKey: "category") as? NSManagedObject === world.category })
    }

    @Test(
        "An object inserted again after its row was deleted elsewhere is a new one: its row is written, with its links")
    func insertedAgain() throws {
        let world = try World("Animal")
        world.merge(NSDeletedObjectIDsKey, world.ids)
        let animal = world.animals[0]
        let former = animal.objectID
        world.stack.context.insert(animal)
        animal.setValue(world.category, forKey: "category")
        #expect(!animal.isDeleted && animal.isInserted)
        try world.stack.context.save()
        #expect(animal.objectID != former)
        #expect(try world.stack.count("Animal", NSPredicate(format: "category.name == 'Mammals'")) == 1)
        #expect(world.animals.dropFirst().allSatisfy { $0.managedObjectContext == nil })
    }

    @Test("Objects that the program deleted itself stay deleted, and are deleted at the next save")
    func ownDeletes() throws {
        let world = try World("Animal")
        let context = world.stack.context
        context.delete(world.animals[0])
        world.merge(NSDeletedObjectIDsKey, world.ids)
        try world.restore()
        #expect(world.animals.map(\.isDeleted) == [true, false, false])
        try context.save()
        #expect(try world.stack.count("Animal") == 2)
    }

    @Test("Edits made before the delete apply to the restored row")
    func edits() throws {
        let world = try World("Animal")
        world.animals[1].name = "mine"
        world.merge(NSDeletedObjectIDsKey, world.ids)
        #expect(world.animals[1].isDeleted)
        try world.restore()
        #expect(!world.animals[1].isDeleted && world.animals[1].name == "mine")
        try world.stack.context.save()
        #expect(try world.stack.count("Animal", NSPredicate(format: "name == 'mine'")) == 1)
    }
}
