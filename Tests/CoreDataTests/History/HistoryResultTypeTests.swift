import CoreData
import Testing

@Suite("Result types of history requests")
struct HistoryResultTypeTests {
    private func stack() throws -> TestStack {
        try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
    }

    private func result(_ type: NSPersistentHistoryResultType, _ stack: TestStack) throws -> Any? {
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        fetch.entity = NSPersistentHistoryChange.entityDescription(with: stack.context)
        fetch.predicate = NSPredicate(
            format: "changeType == %d", NSPersistentHistoryChangeType.insert.rawValue)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = type
        return try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
    }

    @Test("A predicate on changes returns transactions with the matching changes, if the result type says so")
    func transactionsOfChanges() throws {
        let stack = try stack()
        let fox = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        fox.setValue(2, forKey: "age")
        try stack.context.save()
        fox.setValue(3, forKey: "age")
        let owl = stack.insert("Animal", ["name": "Owl"])
        try stack.context.save()

        let whole = try #require(try result(.transactionsAndChanges, stack) as? [NSPersistentHistoryTransaction])
        #expect(whole.map { $0.changes?.map(\.changedObjectID) } == [[fox.objectID], [owl.objectID]])
        let bare = try #require(try result(.transactionsOnly, stack) as? [NSPersistentHistoryTransaction])
        #expect(bare == whole && bare.allSatisfy { $0.changes == nil })
        #expect(try (result(.changesOnly, stack) as? [NSPersistentHistoryChange])?.count == 2)
        #expect(try result(.count, stack) as? Int == 2)
    }

    @Test("The token of a save is under both keys of its did-save notification")
    func token() throws {
        let stack = try stack()
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        let info = try #require(saves.notifications.first?.userInfo)
        let token = try #require(info["newChangeToken"] as? NSPersistentHistoryToken)
        #expect(token == info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    }

    @Test("A batch request is recorded under its child context's author, or else the root context's")
    func author() throws {
        let stack = try stack()
        stack.context.transactionAuthor = "me"
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = child
        _ = try grandchild.execute(NSBatchInsertRequest(entityName: "Animal", objects: [["name": "Fox"]]))
        let update = NSBatchUpdateRequest(entityName: "Animal")
        update.propertiesToUpdate = ["age": 2]
        _ = try child.execute(update)
        child.transactionAuthor = "child"
        _ = try grandchild.execute(update)
        _ = try child.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Animal")))
        let history = try stack.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
        let transactions = (history as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.map(\.author) == ["me", "me", "me", "child"])
    }
}
