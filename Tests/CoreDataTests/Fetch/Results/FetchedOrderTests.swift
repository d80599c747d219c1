import CoreData
import Testing

/// Results whose order the request leaves open, and changes that a controller cannot read at first.
@Suite struct FetchedOrderTests {
    private func names(_ objects: [Any]?) -> [String] {
        (objects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }

    /// Animals of one age in two stores, with the same primary keys.
    private func twoStores() throws -> TestStack {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<3 {
            stack.insert("Animal", ["name": "a\(number)", "age": 1])
            stack.context.assign(stack.insert("Animal", ["name": "b\(number)", "age": 1]), to: second)
            try stack.context.save()
        }
        return stack
    }

    @Test("Rows of several stores that the request leaves unordered have the same order in fetches and reports")
    func ties() throws {
        let stack = try twoStores()
        let context = stack.newContext()
        let controller = stack.controller(in: context, ["age"])
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        let fetched = names(controller.fetchedObjects)
        for object in try #require(controller.fetchedObjects) {
            object.setValue(2.5, forKey: "weight")
            context.processPendingChanges()
            #expect(names(controller.fetchedObjects) == fetched)
        }
        #expect(table.faults.isEmpty)
        #expect(names(try context.fetch(controller.fetchRequest)) == fetched, "with unsaved changes")
        let ids: NSFetchRequest<NSManagedObjectID> = controller.fetchRequest.converted()
        ids.resultType = .managedObjectIDResultType
        ids.sortDescriptors = nil
        #expect(try stack.newContext().fetch(ids) == controller.fetchedObjects?.map(\.objectID))
        for offset in 0..<6 {
            (controller.fetchRequest.fetchOffset, controller.fetchRequest.fetchLimit) = (offset, 1)
            #expect(names(try stack.newContext().fetch(controller.fetchRequest)) == [fetched[offset]])
        }
    }

    @Test("A deleted row before the offset moves the results, even if it was never read")
    func offset() throws {
        let stack = try TestStack()
        for number in 0..<5 { stack.insert("Animal", ["name": "n\(number)", "age": number]) }
        try stack.context.save()
        let context = stack.newContext()
        let controller = stack.controller(in: context)
        controller.fetchRequest.fetchOffset = 2
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        #expect(names(controller.fetchedObjects) == ["n2", "n3", "n4"])
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Animal", NSPredicate(format: "age == 0")))
        request.resultType = .resultTypeObjectIDs
        let ids = (try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: ids ?? []], into: [context])
        #expect(names(controller.fetchedObjects) == ["n3", "n4"])
        #expect(table.faults.isEmpty && table.reports == ["-[0, 0]"])
    }

    @Test("A change that could not be read is reported with the next one")
    func unreadChange() throws {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        let stack = try TestStack(addsStore: false)
        let added = try stack.coordinator.addPersistentStore(
            type: .init(rawValue: DictionaryStore.storeType), at: URL(fileURLWithPath: "/dev/null"),
            options: ["name": UUID().uuidString])
        let store = try #require(added as? DictionaryStore)
        store.rows = ["tom": .init(entity: "Animal", values: ["name": "Tom", "age": 3])]
        let controller = stack.controller()
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        store.rows["tim"] = .init(entity: "Animal", values: ["name": "Tim", "age": 1])
        let animal = try #require(stack.coordinator.managedObjectModel.entitiesByName["Animal"])
        let tim = store.newObjectID(for: animal, referenceObject: "tim")
        store.failure = CocoaError(.fileReadUnknown)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: [tim]], into: [stack.context])
        #expect(controller.fetchedObjects?.count == 1)
        store.failure = nil
        controller.fetchedObjects?.first?.setValue(4, forKey: "age")
        stack.context.processPendingChanges()
        #expect(names(controller.fetchedObjects) == ["Tim", "Tom"])
        #expect(table.faults.isEmpty)
    }
}
