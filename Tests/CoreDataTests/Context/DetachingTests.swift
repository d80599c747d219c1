import CoreData
import Foundation
import Testing

@Suite("Contexts that change their coordinator, and removed stores")
struct DetachingTests {
    @Test("A context without a coordinator cannot fetch, and merges no saves")
    func detached() throws {
        let stack = try TestStack()
        try stack.saveFamily()
        let context = stack.newContext()
        context.automaticallyMergesChangesFromParent = true
        #expect(try context.count(for: stack.request("Animal")) == 3)
        context.persistentStoreCoordinator = nil
        #expect(throws: (any Error).self) { try context.count(for: stack.request("Animal")) }
        let merges = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: context)
        try stack.saveFamily("Birds")
        context.performAndWait {}
        #expect(merges.notifications.isEmpty)
    }

    @Test("A context that changes its coordinator uses the new one's stores, and no longer the first one's")
    func moved() throws {
        let (first, second) = (try TestStack(), try TestStack())
        try first.saveFamily(animals: 3)
        try second.saveFamily(animals: 1)
        let context = first.newContext()
        context.persistentStoreCoordinator = second.coordinator
        #expect(try context.count(for: second.request("Animal")) == 1)
    }

    @Test("Objects of a removed store become faults, which the context posts; edits stay")
    func removedStore() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 1)
        let animal = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        animal.setValue("edited", forKey: "name")
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        stack.context.performAndWait {}
        #expect(category.isFault)
        #expect(!animal.isFault)
        #expect(animal.value(forKey: "name") as? String == "edited")
        #expect(changes.objects(NSInvalidatedObjectsKey) == [category, animal])
    }

    @Test("A merge treats invalidated identifiers as changed, and reports the refreshed objects")
    func invalidatedIdentifiers() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily("Mammals")
        let other = stack.newContext()
        try other.existingObject(with: category.objectID).setValue("Birds", forKey: "name")
        try other.save()
        let merged = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: stack.context)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInvalidatedAllObjectsKey: [category.objectID]], into: [stack.context])
        #expect(category.value(forKey: "name") as? String == "Birds")
        let refreshed = merged.notifications.first?.userInfo?[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID>
        #expect(refreshed == [category.objectID])
    }
}
