import CoreData
import Testing

/// Messages in the place of notifications.
@Suite("Messages of contexts and coordinators")
struct ContextMessageTests {
    private func token(_ token: NSPersistentHistoryToken?, isNewestOf stack: TestStack) -> Bool {
        token != nil && token == stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
    }

    @Test("A context of the main queue posts a message after each notification of a save, with the same objects")
    @MainActor func saves() throws {
        let stack = try TestStack(options: [NSPersistentHistoryTrackingKey: true])
        let context = stack.newMainContext()
        let kept = stack.insert("Tag", ["label": "kept"], in: context)
        let gone = stack.insert("Tag", ["label": "gone"], in: context)
        try context.save()
        var order: [String] = []
        var saved: NSManagedObjectContext.DidSaveMessage?
        var identified: NSManagedObjectContext.DidSaveObjectIDsMessage?
        var changed: NSManagedObjectContext.ObjectsDidChangeMessage?
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(of: context, for: .objectsDidChange) {
                changed = $0; order.append("changed")
            },
            center.addObserver(of: context, for: .willSave) {
                #expect($0.context === context); order.append("will")
            },
            center.addObserver(of: context, for: .didSave) {
                saved = $0; order.append("did")
            },
            center.addObserver(of: context, for: .didSaveObjectIDs) {
                identified = $0; order.append("ids")
            },
            center.addObserver(of: stack.newMainContext(), for: .willSave) { _ in order.append("of another context") },
        ]
        let notified = Recorded(.NSManagedObjectContextDidSave, object: context)
        kept.setValue("edited", forKey: "label")
        context.delete(gone)
        let goneID = gone.objectID
        let new = stack.insert("Tag", ["label": "new"], in: context)
        try context.save()
        #expect(order == ["changed", "will", "did", "ids"])
        #expect(changed?.inserted == [new] && changed?.updated == [kept] && changed?.deleted == [gone])
        #expect(changed?.invalidatedAll == nil && changed?.refreshed == [])
        #expect(saved?.context === context)
        #expect(saved?.inserted == [new] && saved?.updated == [kept] && saved?.deleted == [gone])
        #expect(token(saved?.historyToken, isNewestOf: stack) && saved?.queryGeneration == nil)
        #expect(identified?.insertedIDs == [new.objectID] && identified?.updatedIDs == [kept.objectID])
        #expect(identified?.deletedIDs == [goneID] && identified?.invalidatedIDs == [])
        #expect(token(identified?.historyToken, isNewestOf: stack))
        // As a notification again.
        let again = try #require(saved.map(NSManagedObjectContext.DidSaveMessage.makeNotification))
        let first = try #require(notified.notifications.first)
        #expect(again.name == first.name && again.object as? NSManagedObjectContext === context)
        #expect(Set(again.userInfo?.keys.map { $0 } ?? []) == Set(first.userInfo?.keys.map { $0 } ?? []))
        tokens.forEach(center.removeObserver)
    }

    @Test("Resets and merges of a context of the main queue post messages")
    @MainActor func merges() throws {
        let stack = try TestStack()
        let context = stack.newMainContext()
        let tag = stack.insert("Tag", ["label": "one"], in: context)
        try context.save()
        var merged: NSManagedObjectContext.DidMergeChangesMessage?
        var changes: [NSManagedObjectContext.ObjectsDidChangeMessage] = []
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(of: context, for: .didMergeChanges) { merged = $0 },
            center.addObserver(of: context, for: .objectsDidChange) { changes.append($0) },
        ]
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [tag.objectID]], into: [context])
        #expect(merged?.context === context && merged?.updatedIDs == [tag.objectID] && merged?.deletedIDs == [])
        changes = []
        context.reset()
        #expect(changes.map(\.invalidatedAll) == [true])
        tokens.forEach(center.removeObserver)
    }

    @Test("A context of a private queue posts asynchronous messages with identifiers")
    func privateQueue() async throws {
        let stack = try TestStack()
        let context = stack.newContext()
        let (saves, save) = AsyncStream<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage>.makeStream()
        let (merges, merge) = AsyncStream<NSManagedObjectContext.DidMergeChangesAsyncMessage>.makeStream()
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(of: context, for: .didSaveObjectIDsAsync) { save.yield($0) },
            center.addObserver(of: context, for: .didMergeChangesAsync) { merge.yield($0) },
        ]
        let id = try await context.perform {
            let tag = stack.insert("Tag", ["label": "one"], in: context)
            try context.save()
            return tag.objectID
        }
        let saved = await saves.first { _ in true }
        #expect(saved?.context === context && saved?.insertedIDs == [id] && saved?.updatedIDs == [])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [context])
        let merged = await merges.first { _ in true }
        #expect(merged?.deletedIDs == [id] && merged?.insertedIDs == [])
        let notification = try #require(merged.map(NSManagedObjectContext.DidMergeChangesAsyncMessage.makeNotification))
        #expect(NSManagedObjectContext.DidMergeChangesAsyncMessage.makeMessage(notification)?.deletedIDs == [id])
        tokens.forEach(center.removeObserver)
    }

    @Test("A coordinator posts a message when its stores change")
    @MainActor func stores() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Zoo.model())
        var messages: [NSPersistentStoreCoordinator.StoresDidChangeMessage] = []
        let token = NotificationCenter.default.addObserver(of: coordinator, for: .storesDidChange) {
            messages.append($0)
        }
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try coordinator.remove(store)
        #expect(messages.map(\.addedStores) == [[store], []] && messages.map(\.removedStores) == [[], [store]])
        #expect(messages.allSatisfy { $0.persistentStoreCoordinator === coordinator && $0.uuidChangedStores == nil })
        NotificationCenter.default.removeObserver(token)
    }

    @Test("A write to a store is announced by a message with its place in the history")
    func remoteChange() async throws {
        let stack = try TestStack(
            options: [
                NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ])
        let (changes, change) = AsyncStream<NSPersistentStoreCoordinator.RemoteChangeMessage>.makeStream()
        let observer = NotificationCenter.default.addObserver(of: stack.coordinator, for: .remoteChange) {
            change.yield($0)
        }
        stack.insert("Tag", ["label": "one"])
        try stack.context.save()
        let message = try #require(await changes.first { _ in true })
        #expect(message.persistentStoreCoordinator === stack.coordinator)
        #expect(message.storeURL == stack.coordinator.persistentStores.first?.url)
        #expect(message.storeUUID == stack.coordinator.persistentStores.first?.identifier)
        #expect(token(message.historyToken, isNewestOf: stack))
        NotificationCenter.default.removeObserver(observer)
    }
}
