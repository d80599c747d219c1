import CoreData
import Testing

/// Queues, parents and children, automatic merging.
@Suite struct ConcurrencyTests {
    @Test("Blocks of one context never interleave; a nested block runs at once")
    func perform() async throws {
        let stack = try TestStack()
        let context = stack.context
        enqueue(20, in: context)
        let count = await context.perform {
            context.performAndWait { context.insertedObjects.count }
        }
        #expect(count == 20)
        try await context.perform { try context.save() }
        #expect(try stack.count("Tag") == 20)
    }

    /// Not in an async function, which would call the other `perform`.
    private func enqueue(_ count: Int, in context: NSManagedObjectContext) {
        for number in 0..<count {
            context.perform {
                let before = context.insertedObjects.count
                #expect(before == number)
                context.insertTag("\(number)")
                for _ in 0..<3 { sched_yield() }
                #expect(context.insertedObjects.count == before + 1)
            }
        }
    }

    @Test("perform returns values and rethrows errors")
    func outcomes() async throws {
        let stack = try TestStack()
        let context = stack.context
        await #expect(throws: CocoaError.self) {
            try await context.perform {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
                try context.save()
            }
        }
        let value = context.performAndWait { 5 }
        #expect(value == 5)
    }

    /// The form in which changes are passed to a merge.
    enum Form: CaseIterable {
        case objects, setOfObjects, ids, setOfIDs, urls, setOfURLs, nsArray, nsSet

        func members(_ objects: [NSManagedObject]) -> Any {
            let ids = objects.map(\.objectID)
            return switch self {
            case .objects: objects
            case .setOfObjects: Set(objects)
            case .ids: ids
            case .setOfIDs: Set(ids)
            case .urls: ids.map { $0.uriRepresentation() }
            case .setOfURLs: Set(ids.map { $0.uriRepresentation() })
            case .nsArray: NSArray(array: ids)
            case .nsSet: NSSet(array: ids)
            }
        }
    }

    @Test(
        "Merged keys for refreshed and invalidated objects refresh them, in each form of reference",
        arguments: Form.allCases)
    func refreshedAndInvalidated(form: Form) throws {
        let stack = try TestStack()
        let tags = (0..<2).map { stack.insert("Tag", ["label": "old \($0)"]) }
        try stack.context.save()
        let keys = [
            NSRefreshedObjectsKey, NSRefreshedObjectIDsKey, NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey,
            NSInvalidatedAllObjectsKey,
        ]
        for key in keys {
            let update = NSBatchUpdateRequest(entityName: "Tag")
            update.propertiesToUpdate = ["label": key]
            try stack.newContext().execute(update)
            let edited = try #require(tags.last)
            edited.setValue("mine", forKey: "label")
            let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: form.members(tags)], into: [stack.context, stack.newContext()])
            #expect(tags.first?.value(forKey: "label") as? String == key, "\(key)")
            #expect(edited.value(forKey: "label") as? String == "mine", "\(key)")
            #expect(changes.objects(NSRefreshedObjectsKey).contains(tags[0]), "\(key)")
            stack.context.rollback()
        }
    }

    @Test("A context with automatic merging takes in another context's save, and posts it")
    func automaticMerge() async throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "old"])
        try stack.context.save()
        let other = stack.newContext()
        other.automaticallyMergesChangesFromParent = true
        let twin = try other.existingObject(with: tag.objectID)
        _ = twin.value(forKey: "label")
        let merges = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: other)
        tag.setValue("new", forKey: "label")
        let inserted = stack.insert("Tag")
        try stack.context.save()
        await other.perform(schedule: .enqueued) {}
        #expect(twin.value(forKey: "label") as? String == "new")
        #expect(merges.ids(NSUpdatedObjectIDsKey) == [tag.objectID])
        #expect(merges.ids(NSInsertedObjectIDsKey) == [inserted.objectID])
        stack.context.delete(tag)
        try stack.context.save()
        await other.perform(schedule: .enqueued) {}
        #expect(twin.isDeleted)
        try other.save()
    }

    @Test("mergeChanges(fromContextDidSave:) takes in a save; local edits win")
    func manualMerge() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a", "age": 1])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try other.existingObject(with: animal.objectID)
        twin.setValue("local", forKey: "name")
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        animal.setValue("b", forKey: "name")
        animal.setValue(7, forKey: "age")
        try stack.context.save()
        other.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(twin.value(forKey: "name") as? String == "local")
        #expect(twin.value(forKey: "age") as? Int == 7)
        try other.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'local' AND age == 7")) == 1)
    }

    @Test("A merge of very many rows reports only those that the context has registered")
    func manyRows() throws {
        let stack = try TestStack()
        let tags = (0...10_000).map { stack.insert("Tag", ["label": "\($0)"]) }
        try stack.context.save()
        let ids = tags.map(\.objectID)
        let few = stack.newContext()
        let twin = try few.existingObject(with: ids[7])
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        let ofFew = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: few)
        let ofAll = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: stack.context)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [few, stack.context])
        #expect(twin.isDeleted)
        #expect(ofFew.ids(NSDeletedObjectIDsKey) == [ids[7]])
        #expect(ofAll.ids(NSDeletedObjectIDsKey) == Set(ids))
        try few.save()
    }

    // MARK: Parents and children

    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    @Test("A child's save goes one level up; the store changes when the parent saves")
    func childSave() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let child = child(of: stack.context)
        let twin = try child.existingObject(with: category.objectID)
        twin.setValue("renamed", forKey: "name")
        let animals = try #require(twin.value(forKey: "animals") as? Set<Animal>)
        #expect(animals.count == 2)
        if let first = animals.first { child.delete(first) }
        let new = stack.insert("Animal", ["name": "new", "category": twin], in: child)
        new.setValue(NSSet(array: [stack.insert("Tag", ["label": "t"], in: child)]), forKey: "tags")
        #expect(category.value(forKey: "name") as? String == "Mammals")
        try child.save()
        #expect(!child.hasChanges)
        #expect(category.value(forKey: "name") as? String == "renamed")
        #expect((category.value(forKey: "animals") as? NSSet)?.count == 2)
        #expect(stack.context.hasChanges)
        #expect(try stack.count("Category", NSPredicate(format: "name == 'renamed'")) == 0)
        try stack.context.save()
        #expect(try stack.count("Category", NSPredicate(format: "name == 'renamed'")) == 1)
        #expect(
            try stack.count("Animal", NSPredicate(format: "ANY tags.label == 't' AND category.name == 'renamed'")) == 1)
        #expect(try stack.count("Animal") == 2)
        #expect(new.value(forKey: "name") as? String == "new")
    }

    @Test("A child sees its parent's unsaved changes")
    func childFetch() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        stack.insert("Animal", ["name": "a", "category": category])
        let child = child(of: stack.context)
        let animals = try child.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        #expect(animals.count == 1)
        #expect((animals.first?.value(forKey: "category") as? NSManagedObject)?.value(forKey: "name") as? String == "c")
        #expect(category.isInserted)
        animals.first?.name = "b"
        try child.save()
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'b' AND category.name == 'c'")) == 1)
    }

    @Test("A merge into a child goes to its parent first")
    func nestedMerge() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let child = child(of: stack.context)
        let twin = try child.existingObject(with: tag.objectID)
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [tag.objectID]], into: [child])
        #expect(tag.isDeleted && twin.isDeleted)
        try child.save()
        try stack.context.save()
    }

    @Test("perform and performAndWait process pending changes after their blocks")
    func pendingChanges() async throws {
        let stack = try TestStack()
        let context = stack.context
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: context)
        context.performAndWait { context.insertTag("a") }
        #expect(changes.notifications.count == 1)
        await context.perform { context.insertTag("b") }
        #expect(changes.notifications.count == 2)
        #expect(changes.objects(NSInsertedObjectsKey).count == 2)
    }

    @Test("A merge refreshes updated rows that are registered, and registers no others")
    func mergingUpdates() throws {
        let stack = try TestStack()
        let tags = (0..<3).map { stack.insert("Tag", ["label": "\($0)"]) }
        try stack.context.save()
        let other = stack.newContext()
        let (read, fault) = (other.object(with: tags[0].objectID), other.object(with: tags[1].objectID))
        _ = read.value(forKey: "label")
        for tag in tags { tag.setValue("new", forKey: "label") }
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        try stack.context.save()
        let merges = Recorded(.NSManagedObjectContextObjectsDidChange, object: other)
        other.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(merges.objects(NSRefreshedObjectsKey) == [read])
        #expect(fault.isFault && !read.isFault && read.value(forKey: "label") as? String == "new")
        #expect(other.registeredObject(for: tags[2].objectID) == nil)
    }
}

extension NSManagedObjectContext {
    fileprivate func insertTag(_ label: String) {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: self).setValue(label, forKey: "label")
    }
}
