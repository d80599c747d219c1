import CoreData
import Testing

/// Requests executed as such, by contexts and coordinators.
@Suite struct RequestExecutionTests {
    @Test("A context executes a fetch request, and returns a fetch result")
    func fetches() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let typed = try stack.context.execute(NSFetchRequest<Animal>(entityName: "Animal"))
        #expect((typed as? NSAsynchronousFetchResult<Animal>)?.finalResult?.count == 3)
        let untyped = stack.request("Animal")
        let objects = try stack.context.execute(untyped) as? NSAsynchronousFetchResult<NSManagedObject>
        #expect(objects?.finalResult?.count == 3)
        untyped.resultType = .countResultType
        let counts = try stack.context.execute(untyped) as? NSAsynchronousFetchResult<NSNumber>
        #expect(counts?.finalResult == [3])
        #expect(throws: CocoaError.self) { try stack.context.execute(stack.request("Nothing")) }
    }

    @Test("A coordinator executes requests of its contexts: fetches return arrays, saves are refused")
    func coordinators() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 2)
        let (coordinator, context) = (stack.coordinator, stack.context)
        let animals = try coordinator.execute(NSFetchRequest<Animal>(entityName: "Animal"), with: context)
        #expect((animals as? [NSManagedObject])?.count == 2)
        let update = NSBatchUpdateRequest(entityName: "Animal")
        update.propertiesToUpdate = ["age": 7]
        update.resultType = .updatedObjectsCountResultType
        #expect((try coordinator.execute(update, with: context) as? NSBatchUpdateResult)?.result as? Int == 2)
        let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
        #expect(code { _ = try coordinator.execute(save, with: context) } == 134091)
        let other = try TestStack()
        #expect(code { _ = try other.coordinator.execute(update, with: context) } == 134070)
    }

    @Test("An asynchronous fetch searches only its affected stores")
    func affectedStores() async throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let tags = (0..<2).map { stack.insert("Tag", ["label": "\($0)"]) }
        stack.context.assign(tags[1], to: second)
        try stack.context.save()
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        request.affectedStores = [second]
        let result = try stack.context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
        await stack.context.perform(schedule: .enqueued) {}
        #expect(result?.finalResult == [tags[1]])
    }

    @Test("Store types with unpublished formats have names, and are refused with 134000")
    func otherTypes() throws {
        let stack = try TestStack(addsStore: false)
        for type in [NSPersistentStore.StoreType.binary, .xml] {
            #expect(code { try stack.coordinator.addPersistentStore(type: type, at: stack.fileURL()) } == 134000)
            #expect(
                code {
                    try NSPersistentStoreCoordinator.setMetadata(["a": "b"], type: type, at: stack.fileURL())
                } == 134000)
        }
        #expect(NSBinaryStoreType == "Binary" && NSXMLStoreType == "XML")
    }

    @Test("A batch insert without an entity is refused")
    func emptyBatchInsert() throws {
        let stack = try TestStack()
        #expect(code { _ = try stack.context.execute(NSBatchInsertRequest()) } == 134060)
    }
}
