import CoreData
import Foundation
import Testing

@Suite("Contexts that change their coordinator, and stores that leave")
struct DetachingTests {
    @Test("A context without a coordinator has nothing to fetch from, and learns of no save")
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

    @Test("A context that moves to another coordinator works on its stores, and leaves the first one's")
    func moved() throws {
        let (first, second) = (try TestStack(), try TestStack())
        try first.saveFamily(animals: 3)
        try second.saveFamily(animals: 1)
        let context = first.newContext()
        context.persistentStoreCoordinator = second.coordinator
        #expect(try context.count(for: second.request("Animal")) == 1)
    }

    @Test("Objects of a store that is removed become faults, and their context says so; edits stay")
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

    @Test("A merge takes identifiers that were invalidated as changed, and tells which objects it refreshed")
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
