import CoreData
import Testing

/// When a context processes pending changes without a call.
@Suite("The end of an event")
struct EndOfEventTests {
    /// Returns once the main queue has run the blocks enqueued so far.
    @MainActor private func endOfEvent() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    @Test("CD18 Changes in a main-queue context are posted once, at the end of the event")
    @MainActor func mainQueue() async throws {
        let stack = try TestStack()
        let context = stack.newMainContext()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: context)
        let fox = stack.insert("Animal", ["name": "Fox"], in: context)
        fox.setValue(2, forKey: "age")
        let owl = stack.insert("Animal", ["name": "Owl"], in: context)
        #expect(changes.notifications.isEmpty)
        await endOfEvent()
        #expect(changes.notifications.count == 1)
        #expect(changes.objects(NSInsertedObjectsKey) == [fox, owl])
        fox.setValue(3, forKey: "age")
        await endOfEvent()
        #expect(changes.notifications.count == 2)
        #expect(changes.objects(NSUpdatedObjectsKey) == [fox])
        await endOfEvent()
        #expect(changes.notifications.count == 2)
    }

    @Test("CD18 Delete rules are applied at the end of the event that deletes an object")
    @MainActor func deletes() async throws {
        let stack = try TestStack()
        try stack.saveFamily()
        let context = stack.newMainContext()
        let category = try #require(
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Category")).first)
        context.delete(category)
        #expect(context.deletedObjects.count == 1)
        await endOfEvent()
        #expect(context.deletedObjects.count == 4)
    }

    @Test("A fetched results controller of a main-queue context follows edits that are not saved")
    @MainActor func fetchedResults() async throws {
        let stack = try TestStack()
        let context = stack.newMainContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = CountingDelegate()
        results.delegate = delegate
        try results.performFetch()
        let fox = stack.insert("Animal", ["name": "Fox"], in: context)
        #expect(results.fetchedObjects == [])
        await endOfEvent()
        #expect(results.fetchedObjects == [fox])
        #expect(delegate.count == 1)
    }

    @Test("CD18 Each event on the main queue is one undo step")
    @MainActor func undo() async throws {
        let stack = try TestStack()
        let context = stack.newMainContext()
        context.undoManager = UndoManager()
        let fox = stack.insert("Animal", ["name": "Fox"], in: context)
        await endOfEvent()
        fox.setValue(2, forKey: "age")
        fox.setValue("Red fox", forKey: "name")
        await endOfEvent()
        fox.setValue(3, forKey: "age")
        await endOfEvent()
        context.undo()
        #expect(fox.value(forKey: "age") as? Int == 2)
        context.undo()
        #expect(fox.value(forKey: "age") as? Int == 1)
        #expect(fox.value(forKey: "name") as? String == "Fox")
    }

    @Test("A context can be released before its event ends, and a save leaves no changes to post")
    @MainActor func earlier() async throws {
        let stack = try TestStack()
        weak var gone: NSManagedObjectContext?
        do {
            let context = stack.newMainContext()
            gone = context
            stack.insert("Animal", ["name": "Fox"], in: context)
        }
        #expect(gone == nil)
        let context = stack.newMainContext()
        stack.insert("Animal", ["name": "Owl"], in: context)
        try context.save()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: context)
        await endOfEvent()
        #expect(changes.notifications.isEmpty)
    }

    @Test("CD18 The outermost block of a private-queue context ends an event, whether or not it throws")
    func privateQueue() async throws {
        let stack = try TestStack()
        let context = stack.newContext()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: context)
        context.performAndWait {
            context.performAndWait { _ = stack.insert("Animal", ["name": "Fox"], in: context) }
            #expect(changes.notifications.isEmpty)
        }
        #expect(changes.notifications.count == 1)
        #expect(throws: CancellationError.self) {
            try context.performAndWait {
                stack.insert("Animal", ["name": "Owl"], in: context)
                throw CancellationError()
            }
        }
        #expect(changes.notifications.count == 2)
        await #expect(throws: CancellationError.self) {
            try await context.perform {
                stack.insert("Animal", ["name": "Elk"], in: context)
                throw CancellationError()
            }
        }
        #expect(changes.notifications.count == 3)
    }

    @Test("A fetch in a child context does not end an event of its parent")
    func childReads() throws {
        let stack = try TestStack()
        let fox = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        stack.context.undoManager = UndoManager()
        fox.setValue(5, forKey: "age")
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        #expect(try child.performAndWait { try child.count(for: stack.request("Animal")) } == 1)
        fox.setValue(6, forKey: "age")
        stack.context.undo()
        #expect(fox.value(forKey: "age") as? Int == 1)
    }

    @Test("CD18 A fetch posts the changes made before it, and does not end an undo step")
    func fetching() throws {
        let stack = try TestStack()
        let manager = UndoManager()
        stack.context.undoManager = manager
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        let fox = stack.insert("Animal", ["name": "Fox"])
        #expect(try stack.context.count(for: stack.request("Animal")) == 1)
        #expect(changes.objects(NSInsertedObjectsKey) == [fox])
        fox.setValue(7, forKey: "age")
        stack.context.undo()
        #expect(stack.context.insertedObjects.isEmpty)
    }
}

private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { count += 1 }
}
