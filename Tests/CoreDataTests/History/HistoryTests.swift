import CoreData
import Testing

/// Persistent history requests.
@Suite struct HistoryTests {
    private func stack() throws -> TestStack {
        try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
    }

    private func transactions(
        _ stack: TestStack, _ request: NSPersistentHistoryChangeRequest
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    @Test("Each save is one transaction, oldest first, with its changes")
    func saves() throws {
        let stack = try stack()
        stack.context.name = "view"
        stack.context.transactionAuthor = "me"
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        animal.setValue(3, forKey: "age")
        try stack.context.save()
        let all = try transactions(stack, .fetchHistory(after: nil as NSPersistentHistoryToken?))
        #expect(all.count == 2)
        #expect(all.map(\.author) == ["me", "me"])
        #expect(all.first?.contextName == "view")
        #expect(all.first?.storeID == stack.coordinator.persistentStores.first?.identifier)
        #expect(all[0].changes?.map(\.changeType) == [.insert])
        #expect(all[1].changes?.first?.updatedProperties?.map(\.name) == ["age"])
        #expect(all[1].changes?.first?.changedObjectID == animal.objectID)
        #expect(all[1].changes?.first?.transaction === all[1])
        let later = try transactions(stack, .fetchHistory(after: all[0]))
        #expect(later.map(\.transactionNumber) == [all[1].transactionNumber])
        let now = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        #expect(try transactions(stack, .fetchHistory(after: now)).isEmpty)
    }

    @Test("A change fetched by itself has its transaction, and so the author")
    func changesAlone() throws {
        let stack = try stack()
        stack.context.transactionAuthor = "me"
        stack.insert("Animal", ["name": "a"])
        stack.insert("Animal", ["name": "b"])
        try stack.context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.resultType = .changesOnly
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        let changes = try #require(result?.result as? [NSPersistentHistoryChange])
        #expect(changes.map { $0.transaction?.author } == ["me", "me"])
        #expect(changes.first?.transaction == changes.last?.transaction)
        #expect(changes.first?.transaction?.changes?.map(\.changeID) == changes.map(\.changeID))
    }

    @Test("A batch delete is in the history, and can be merged from there")
    func batchDelete() throws {
        let stack = try stack()
        let category = try stack.saveFamily(animals: 2)
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        try stack.newContext().execute(NSBatchDeleteRequest(fetchRequest: stack.request("Category")))
        let found = try transactions(stack, .fetchHistory(after: token))
        #expect(found.count == 1)
        #expect(found.first?.changes?.allSatisfy { $0.changeType == .delete } == true)
        #expect(found.first?.changes?.count == 3)
        #expect(!category.isDeleted)
        for transaction in found { stack.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
        #expect(category.isDeleted)
        #expect(animals.allSatisfy { $0.isDeleted })
    }

    @Test("Tombstones contain the values that the model preserves")
    func tombstones() throws {
        let model = Zoo.model()
        model.entitiesByName["Animal"]?.attributesByName["name"]?.preservesValueInHistoryOnDeletion = true
        let stack = try TestStack(.file, model: model, options: [NSPersistentHistoryTrackingKey: true])
        stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Animal")))
        let change = try #require(try transactions(stack, .fetchHistory(after: token)).first?.changes?.first)
        #expect(change.tombstone?["name"] as? String == "a")
    }

    @Test("Result types, predicates, and deletion of history")
    func formsAndPruning() throws {
        let stack = try stack()
        for (number, author) in ["one", "two", "two"].enumerated() {
            stack.context.transactionAuthor = author
            stack.insert("Tag", ["label": "\(number)"])
            try stack.context.save()
        }
        func result(_ request: NSPersistentHistoryChangeRequest, _ type: NSPersistentHistoryResultType) throws -> Any? {
            request.resultType = type
            return try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        }
        let all = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        #expect(try result(all, .count) as? Int == 3)
        #expect(try result(all, .statusOnly) as? Bool == true)
        #expect(try (result(all, .objectIDs) as? [NSManagedObjectID])?.count == 3)
        #expect(try (result(all, .changesOnly) as? [NSPersistentHistoryChange])?.count == 3)
        let only = try result(all, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        #expect(only?.allSatisfy { $0.changes == nil } == true)
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: "author == %@", "two")
        #expect(try transactions(stack, .fetchHistory(withFetch: fetch)).count == 2)
        let second = try #require(try transactions(stack, all).dropFirst().first)
        let first = try #require(try transactions(stack, all).first)
        #expect(try result(.deleteHistory(before: second), .statusOnly) as? Bool == true)
        all.resultType = .transactionsAndChanges
        #expect(try transactions(stack, all).map(\.transactionNumber).first == second.transactionNumber)
        #expect(try transactions(stack, .fetchHistory(after: first)).count == 2)
        try stack.context.execute(
            NSPersistentHistoryChangeRequest.deleteHistory(
                before: stack.coordinator.currentPersistentHistoryToken(fromStores: nil)))
        #expect(code { _ = try transactions(stack, .fetchHistory(after: first)) } == 134301)
    }
}
