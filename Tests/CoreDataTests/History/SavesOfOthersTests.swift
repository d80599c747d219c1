import CoreData
import Foundation
import TestSupport
import Testing

/// Changes that other coordinators and processes save to a file reach contexts with automatic merging.
@Suite(.timeLimit(.minutes(1))) struct SavesOfOthersTests {
    private static var history: [String: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// Two coordinators on one file with a category of three animals.
    private struct Pair {
        let writer: TestStack
        let reader: TestStack

        init(_ options: [String: Any]) throws {
            writer = try TestStack(.file, options: options)
            try writer.saveFamily()
            reader = try TestStack(.file, addsStore: false)
            try reader.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: writer.fileURL(), options: options)
            reader.context.automaticallyMergesChangesFromParent = true
        }

        /// Animals of the reader by age, with values.
        func animals() throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let animals = try reader.context.fetch(request)
            for animal in animals { #expect(animal.value(forKey: "name") != nil) }
            return animals
        }

        /// Saves another age and a delete, then waits for the reader.
        func change(age: Int, deleted: Int) throws {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let animals = try writer.context.fetch(request)
            animals[0].setValue(age, forKey: "age")
            writer.context.delete(animals[deleted])
            try writer.context.save()
            reader.context.performAndWait {}
        }
    }

    private func ages(_ objects: [NSManagedObject]) -> [Int?] { objects.map { $0.value(forKey: "age") as? Int } }

    @Test("Another coordinator's save, batch delete and restore are merged")
    func anotherCoordinator() throws {
        let pair = try Pair(Self.history)
        let animals = try pair.animals()
        let idle = pair.reader.newContext()
        let twin = try idle.existingObject(with: animals[0].objectID)
        #expect(twin.value(forKey: "age") as? Int == 0)
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: pair.reader.context)
        try pair.change(age: 9, deleted: 1)
        #expect(ages(animals) == [9, 1, 2])
        #expect(animals.map(\.isDeleted) == [false, true, false])
        #expect(changes.objects(NSRefreshedObjectsKey).contains(animals[0]))
        #expect(changes.objects(NSDeletedObjectsKey) == [animals[1]])
        #expect(twin.value(forKey: "age") as? Int == 0, "it does not merge by itself")
        try pair.reader.context.save()

        let delete = NSBatchDeleteRequest(
            fetchRequest: pair.writer.request("Animal", NSPredicate(format: "age == 2")))
        delete.archivesRows = true
        let result = try pair.writer.context.execute(delete) as? NSBatchDeleteResult
        pair.reader.context.performAndWait {}
        #expect(animals[2].isDeleted)
        try pair.writer.coordinator.restore(try #require(result?.deletionToken))
        pair.reader.context.performAndWait {}
        #expect(!animals[2].isDeleted)
        #expect(!pair.reader.context.hasChanges)
    }

    @Test("Without history, all unedited objects become faults, and fetched results are fetched again")
    func withoutHistory() throws {
        let pair = try Pair([:])
        let animals = try pair.animals()
        animals[2].setValue("mine", forKey: "name")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: pair.reader.context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = Follower()
        results.delegate = delegate
        try results.performFetch()
        #expect(results.fetchedObjects == animals)
        try pair.change(age: 9, deleted: 1)
        #expect(animals[0].value(forKey: "age") as? Int == 9)
        #expect(animals[2].value(forKey: "name") as? String == "mine")
        #expect(results.fetchedObjects == [animals[2], animals[0]])
        #expect(delegate.changeCount > 0)
        try pair.reader.context.save()
        #expect(try pair.writer.count("Animal", NSPredicate(format: "name == 'mine'")) == 1)
    }

    @Test("Without history, an edited object whose row was deleted elsewhere is marked deleted until the save")
    func editedAndDeleted() throws {
        let pair = try Pair([:])
        let animals = try pair.animals()
        animals[1].setValue("mine", forKey: "name")
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: pair.reader.context)
        try pair.change(age: 9, deleted: 1)
        #expect(animals.map(\.isDeleted) == [false, true, false])
        #expect(changes.objects(NSDeletedObjectsKey) == [animals[1]])
        #expect(changes.objects(NSRefreshedObjectsKey).contains(animals[0]))
        try pair.reader.context.save()
        #expect(try pair.writer.count("Animal") == 2)
    }

    @Test("A row deleted elsewhere without notice, then restored by this coordinator, can be used")
    func restoredBeforeNoticed() throws {
        let pair = try Pair(Self.history)
        let animals = try pair.animals()
        pair.reader.context.automaticallyMergesChangesFromParent = false
        let delete = NSBatchDeleteRequest(fetchRequest: pair.writer.request("Animal"))
        delete.archivesRows = true
        let result = try pair.writer.context.execute(delete) as? NSBatchDeleteResult
        pair.reader.context.automaticallyMergesChangesFromParent = true
        try pair.reader.coordinator.restore(try #require(result?.deletionToken))
        try pair.change(age: 9, deleted: 1)
        #expect(animals.map(\.isDeleted) == [false, true, false])
        #expect(animals[0].value(forKey: "age") as? Int == 9)
    }

    @Test("A store whose URL was changed merges saves to the new file, and none to the old one")
    func movedStore() throws {
        let pair = try Pair(Self.history)
        let other = try TestStack(.file, options: Self.history)
        try other.saveFamily("Birds")
        let store = try #require(pair.reader.coordinator.persistentStores.first)
        #expect(pair.reader.coordinator.setURL(other.fileURL(), for: store))
        let birds = try pair.animals()
        let changes = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: pair.reader.context)
        try pair.change(age: 9, deleted: 1)
        #expect(changes.notifications.isEmpty)
        let bird = try #require(try other.context.fetch(other.request("Animal", NSPredicate(format: "age == 1"))).first)
        (bird as? NSManagedObject)?.setValue(7, forKey: "age")
        try other.context.save()
        pair.reader.context.performAndWait {}
        #expect(ages(birds) == [0, 7, 2])
    }

    @Test(
        "Another process's saves are merged if remote changes are posted, else with this process's next save",
        .enabled(if: BuiltProgram.crashChild.exists))
    func anotherProcess() async throws {
        let neighbour = try Neighbour()
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: neighbour.storeURL)
        let options: [String: Any] = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
        let contexts = try [options, Self.history, Self.history].map { options in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: neighbour.storeURL, options: options)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.automaticallyMergesChangesFromParent = true
            return context
        }
        let (stream, merged) = AsyncStream.makeStream(of: Int.self)
        let name = Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
        let observers = contexts.map { context in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
                let ids = notification.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
                if context === contexts[0] { merged.yield(ids?.count ?? 0) }
            }
        }
        let idle = Recorded(name, object: contexts[1])
        try neighbour.insert(labels: 3, author: "neighbour")
        var count = 0
        for await inserted in stream {
            count += inserted
            if count >= 3 { break }
        }
        #expect(count == 3)
        #expect(idle.notifications.isEmpty)
        contexts[2].performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Label", into: contexts[2])
        }
        try contexts[2].performAndWait { try contexts[2].save() }
        contexts[1].performAndWait {}
        let ids = idle.notifications.last?.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
        #expect(ids?.count == 4)
        observers.forEach(NotificationCenter.default.removeObserver)
    }
}

/// Results are updated only for a delegate.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var changeCount = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changeCount += 1
    }
}
