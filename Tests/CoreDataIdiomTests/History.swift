import CoreData
import Foundation
import Testing

@MainActor @Suite("Persistent history")
struct History {
    private func tracked() throws -> Kitchen {
        try Kitchen(.file) { description in
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
            description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        }
    }

    private func transactions(
        _ request: NSPersistentHistoryChangeRequest, in context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    // Source: Apple, 'Consuming relevant store changes'
    @Test("Fetches what changed after a token")
    func afterToken() throws {
        let kitchen = try tracked()
        let recipes = try kitchen.fill()
        let token = kitchen.coordinator.currentPersistentHistoryToken(fromStores: nil)
        recipes[0].name = "Salad"
        try kitchen.context.save()
        let found = try transactions(.fetchHistory(after: token), in: kitchen.context)
        let change = try #require(found.first?.changes?.first)
        #expect(found.count == 1)
        #expect(change.changedObjectID == recipes[0].objectID && change.changeType == .update)
        #expect(change.updatedProperties?.map(\.name) == ["name"])
    }

    // Source: widely copied recipe: the last token in a file
    @Test("Archives a token between launches")
    func archive() throws {
        let kitchen = try tracked()
        try kitchen.fill()
        let token = try #require(kitchen.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(try transactions(.fetchHistory(after: read), in: kitchen.context).isEmpty)
    }

    // Source: Apple, 'Consuming relevant store changes'
    @Test("Leaves out the transactions of its own author")
    func author() throws {
        let kitchen = try tracked()
        kitchen.context.transactionAuthor = "app"
        try kitchen.fill()
        let other = kitchen.container.newBackgroundContext()
        try other.performAndWait {
            other.transactionAuthor = "widget"
            other.name = "refresh"
            _ = Cook(context: other)
            try other.save()
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let rows = NSPersistentHistoryTransaction.fetchRequest
        rows?.predicate = NSPredicate(format: "%K != %@", "author", "app")
        request.fetchRequest = rows
        let found = try transactions(request, in: kitchen.context)
        #expect(found.map(\.author) == ["widget"] && found.first?.contextName == "refresh")
    }

    // Source: Apple, 'Loading and displaying a large data feed'
    @Test("Merges transactions into the view context")
    func merge() throws {
        let kitchen = try tracked()
        let recipe = try kitchen.fill()[0]
        let token = kitchen.coordinator.currentPersistentHistoryToken(fromStores: nil)
        let request = NSBatchUpdateRequest(entityName: "Recipe")
        request.propertiesToUpdate = ["notes": "seen"]
        try kitchen.context.execute(request)
        for transaction in try transactions(.fetchHistory(after: token), in: kitchen.context) {
            kitchen.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(recipe.notes == "seen")
    }

    // Source: Apple, NSPersistentHistoryChange, 'tombstone'
    @Test("Keeps a value of a deleted row as a tombstone")
    func tombstone() throws {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Recipe"]?.attributesByName["uuid"]?.preservesValueInHistoryOnDeletion = true
        let kitchen = try Kitchen(.file, model: model) { description in
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        let recipe = try kitchen.fill()[2]
        let uuid = recipe.uuid
        let token = kitchen.coordinator.currentPersistentHistoryToken(fromStores: nil)
        kitchen.context.delete(recipe)
        try kitchen.context.save()
        let changes = try transactions(.fetchHistory(after: token), in: kitchen.context).flatMap { $0.changes ?? [] }
        let deleted = try #require(changes.first { $0.changeType == .delete })
        #expect(deleted.tombstone?["uuid"] as? UUID == uuid)
    }

    // Source: widely copied recipe: purging history
    @Test("Purges history before a date")
    func purge() throws {
        let kitchen = try tracked()
        try kitchen.fill()
        try kitchen.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
        #expect(try transactions(.fetchHistory(after: .distantPast), in: kitchen.context).isEmpty)
    }

    // Source: Apple, NSPersistentHistoryResultType
    @Test("Fetches only the identifiers of changed objects")
    func objectIdentifiers() throws {
        let kitchen = try tracked()
        let recipes = try kitchen.fill()
        let token = kitchen.coordinator.currentPersistentHistoryToken(fromStores: nil)
        recipes[1].name = "Crêpes"
        try kitchen.context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .objectIDs
        let result = try kitchen.context.execute(request) as? NSPersistentHistoryResult
        #expect(result?.result as? [NSManagedObjectID] == [recipes[1].objectID])
    }

    // Source: Apple, NSPersistentStoreRemoteChange
    @Test("Observes a store change that a background save made")
    func remoteChange() async throws {
        let kitchen = try tracked()
        let notes = NotificationCenter.default.posts(of: .NSPersistentStoreRemoteChange, by: kitchen.coordinator)
        try await kitchen.container.performBackgroundTask { @Sendable context in
            _ = Cook(context: context)
            try context.save()
        }
        for await _ in notes { break }
        #expect(try transactions(.fetchHistory(after: .distantPast), in: kitchen.context).count == 1)
    }
}
