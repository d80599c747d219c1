import CoreData
import Testing

@Suite("Saves without changes")
struct EmptySaveTests {
    @Test("A save without changes writes changed metadata, and posts the notifications of a save")
    func metadata() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        var metadata = stack.coordinator.metadata(for: store)
        metadata["mine"] = "x"
        stack.coordinator.setMetadata(metadata, for: store)
        let before = Recorded(.NSManagedObjectContextWillSave, object: stack.context)
        let after = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        try stack.context.save()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: stack.fileURL())
        #expect(read["mine"] as? String == "x")
        #expect(before.notifications.count == 1 && after.notifications.count == 1)
        #expect(after.objects(NSInsertedObjectsKey).isEmpty && after.objects(NSUpdatedObjectsKey).isEmpty)
    }

    @Test("A save without changes adds no history transaction, and other contexts merge nothing")
    func others() throws {
        let stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        let other = stack.newContext()
        other.automaticallyMergesChangesFromParent = true
        let merges = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: other)
        try stack.context.save()
        other.performAndWait {}
        #expect(merges.notifications.isEmpty)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
    }
}
