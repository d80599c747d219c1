import CoreData
import Foundation
import Testing

@MainActor @Suite("Contexts")
struct Contexts {
    // Source: Apple, NSManagedObjectContext, 'rollback()'
    @Test("Discards all unsaved changes")
    func rollback() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        recipes[0].name = "Salad"
        kitchen.context.delete(recipes[1])
        _ = Recipe(context: kitchen.context)
        kitchen.context.rollback()
        #expect(!kitchen.context.hasChanges)
        #expect(recipes[0].name == "Tomato salad" && !recipes[1].isDeleted)
        #expect(try kitchen.context.count(for: Recipe.fetchRequest()) == 4)
    }

    // Source: Apple, NSManagedObjectContext, 'reset()'
    @Test("Discards every registered object")
    func reset() throws {
        let kitchen = try Kitchen()
        let id = try kitchen.fill()[0].objectID
        kitchen.context.reset()
        #expect(kitchen.context.registeredObjects.isEmpty)
        #expect(kitchen.context.registeredObject(for: id) == nil)
        #expect((kitchen.context.object(with: id) as? Recipe)?.name == "Tomato salad")
    }

    // Source: Apple, NSManagedObjectContext, 'refreshAllObjects()'
    @Test("Turns all objects without changes into faults")
    func refreshAll() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        recipes[0].name = "Salad"
        kitchen.context.refreshAllObjects()
        #expect(recipes[1].isFault)
        #expect(recipes[0].name == "Salad")
    }

    // Source: Apple, NSManagedObjectContext, 'insertedObjects', 'updatedObjects', 'deletedObjects'
    @Test("Lists pending insertions, updates and deletions")
    func pending() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let added = Recipe(context: kitchen.context)
        recipes[0].minutes = 11
        kitchen.context.delete(recipes[3])
        #expect(kitchen.context.insertedObjects == [added])
        #expect(kitchen.context.updatedObjects.contains(recipes[0]))
        #expect(kitchen.context.deletedObjects == [recipes[3]])
    }

    // Source: widely copied recipe: observing saves
    @Test("Reads the objects of a did-save notification")
    func didSave() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        nonisolated(unsafe) var counts: [String: Int] = [:]  // Posted on the thread that saves.
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: kitchen.context, queue: nil
        ) { note in
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                counts[key] = (note.userInfo?[key] as? Set<NSManagedObject>)?.count
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        _ = Cook(context: kitchen.context)
        recipes[0].minutes = 11
        recipes[2].minutes = 61
        kitchen.context.delete(recipes[3])
        try kitchen.context.save()
        #expect(counts[NSInsertedObjectsKey] == 1 && counts[NSDeletedObjectsKey] == 1)
        #expect(try #require(counts[NSUpdatedObjectsKey]) >= 2)
    }

    // Source: Apple, NSManagedObjectContext, 'didSaveObjectIDsNotification'
    @Test("Reads the identifiers of a save")
    func didSaveIdentifiers() throws {
        let kitchen = try Kitchen()
        nonisolated(unsafe) var inserted: Set<NSManagedObjectID> = []  // Posted on the thread that saves.
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: kitchen.context, queue: nil
        ) { note in
            let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
            inserted = note.userInfo?[key] as? Set<NSManagedObjectID> ?? []
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let cook = Cook(context: kitchen.context)
        try kitchen.context.save()
        #expect(inserted == [cook.objectID])
    }

    // Source: Apple, NSManagedObjectContext, 'NSManagedObjectContextObjectsDidChange'
    @Test("Observes changes before they are saved")
    func objectsDidChange() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        nonisolated(unsafe) var updated = false  // Posted on the thread that processes the changes.
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: kitchen.context, queue: nil
        ) { note in
            let objects = note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
            updated = objects.contains { $0.objectID == id }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        recipe.minutes = 11
        kitchen.context.processPendingChanges()
        #expect(updated)
    }

    // Source: widely copied recipe: the name and the author of a context
    @Test("Names a context and its author")
    func names() throws {
        let context = try Kitchen().container.newBackgroundContext()
        context.name = "import"
        context.transactionAuthor = "app"
        context.userInfo["batch"] = 5
        #expect(context.name == "import" && context.userInfo["batch"] as? Int == 5)
        #expect(context.undoManager == nil && context.parent == nil)
    }

    // Source: Apple, NSManagedObjectContext, 'setQueryGenerationFrom(_:)'
    @Test("Pins a context to the current generation of the store")
    func pinned() throws {
        let kitchen = try Kitchen(.file)
        let recipe = try kitchen.fill()[0]
        let reader = kitchen.container.newBackgroundContext()
        try reader.performAndWait {
            try reader.setQueryGenerationFrom(.current)
            _ = try reader.count(for: Recipe.fetchRequest())
        }
        recipe.name = "Salad"
        try kitchen.context.save()
        let id = recipe.objectID
        try reader.performAndWait {
            #expect((reader.object(with: id) as? Recipe)?.name == "Tomato salad")
            try reader.setQueryGenerationFrom(nil)
            reader.refreshAllObjects()
            #expect((reader.object(with: id) as? Recipe)?.name == "Salad")
        }
    }

    // Source: widely copied recipe: one context extension for every save
    @Test("Saves, or rolls back and rethrows")
    func saveOrRollback() throws {
        let kitchen = try Kitchen()
        func save(_ context: NSManagedObjectContext) throws {
            do {
                try context.save()
            } catch {
                context.rollback()
                throw error
            }
        }
        Recipe(context: kitchen.context).setValue(nil, forKey: "name")
        #expect(throws: (any Error).self) { try save(kitchen.context) }
        #expect(!kitchen.context.hasChanges)
    }

    // Source: Apple, NSManagedObjectContext, 'stalenessInterval'
    @Test("CD16 Sees another context's save at the next fetch")
    func refetched() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        let other = kitchen.container.newBackgroundContext()
        try other.performAndWait {
            (try other.existingObject(with: id) as? Recipe)?.name = "Salad"
            try other.save()
        }
        #expect(try kitchen.names().first == "Salad")
        #expect(recipe.name == "Salad")
    }

    // Source: Apple, NSManagedObjectContext, 'NSManagedObjectContextObjectsDidChange'
    @Test("Posts changes at the end of the event")
    func endOfEvent() async throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let notes = NotificationCenter.default.posts(of: .NSManagedObjectContextObjectsDidChange, by: kitchen.context)
        recipe.minutes = 11
        for await _ in notes { break }
        #expect(kitchen.context.hasChanges)
    }
}
