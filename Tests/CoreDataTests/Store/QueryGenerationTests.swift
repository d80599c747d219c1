import CoreData
import Testing

/// Contexts that read one generation of the stores, regardless of later writes.
@Suite struct QueryGenerationTests {
    private func labels(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "label") as? String }
    }

    private func stack(_ labels: String...) throws -> (stack: TestStack, pinned: NSManagedObjectContext) {
        let stack = try TestStack(.file)
        for label in labels { stack.insert("Tag", ["label": label]) }
        try stack.context.save()
        let pinned = stack.newContext()
        try pinned.setQueryGenerationFrom(.current)
        return (stack, pinned)
    }

    @Test("Inserts, changes and deletes of others are not visible; deleted rows stay readable")
    func pinned() throws {
        let (stack, pinned) = try stack("a", "b")
        #expect(pinned.queryGenerationToken == .current)
        #expect(try labels(pinned) == ["a", "b"])
        #expect(pinned.queryGenerationToken != .current)
        let tags = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        let gone = try #require(tags.first { $0.value(forKey: "label") as? String == "a" })
        let changed = try #require(tags.first { $0.value(forKey: "label") as? String == "b" })
        changed.setValue("c", forKey: "label")
        stack.insert("Tag", ["label": "d"])
        stack.context.delete(gone)
        try stack.context.save()
        pinned.refreshAllObjects()
        #expect(try labels(pinned) == ["a", "b"])
        #expect(try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 2)
        #expect(try pinned.existingObject(with: gone.objectID).value(forKey: "label") as? String == "a")
        try pinned.setQueryGenerationFrom(nil)
        #expect(pinned.queryGenerationToken == nil)
        #expect(try labels(pinned) == ["c", "d"])
    }

    @Test("The generation is fixed at the first read, not before")
    func firstRead() throws {
        let (stack, pinned) = try stack("a")
        stack.insert("Tag", ["label": "b"])
        try stack.context.save()
        #expect(try labels(pinned) == ["a", "b"])
        stack.insert("Tag", ["label": "c"])
        try stack.context.save()
        #expect(try labels(pinned) == ["a", "b"])
    }

    enum Move: CaseIterable, Sendable {
        case save, merge, reset, pin
    }

    @Test("Saving, merging, resetting and pinning again move to the newest generation", arguments: Move.allCases)
    func movesOn(by move: Move) throws {
        let (stack, pinned) = try stack("a")
        #expect(try labels(pinned) == ["a"])
        stack.insert("Tag", ["label": "b"])
        let saved = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        try stack.context.save()
        switch move {
        case .save:
            stack.insert("Tag", ["label": "own"], in: pinned)
            try pinned.save()
        case .merge: pinned.mergeChanges(fromContextDidSave: try #require(saved.notifications.first))
        case .reset: pinned.reset()
        case .pin: try pinned.setQueryGenerationFrom(.current)
        }
        #expect(pinned.queryGenerationToken == .current || move == .merge)
        let newest = move == .save ? ["a", "b", "own"] : ["a", "b"]
        #expect(try labels(pinned) == newest)
        stack.insert("Tag", ["label": "c"])
        try stack.context.save()
        #expect(try labels(pinned) == newest)
    }

    @Test("A batch delete does not move a pinned context; the deleted rows stay readable there")
    func batchDelete() throws {
        let (stack, pinned) = try stack("a", "b")
        let kept = try pinned.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        try pinned.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        pinned.refreshAllObjects()
        #expect(try labels(pinned) == ["a", "b"])
        #expect(kept.allSatisfy { $0.value(forKey: "label") != nil })
        #expect(try labels(stack.newContext()).isEmpty)
    }

    @Test("Two contexts with one token read the same generation; it outlives the context that took it")
    func shared() throws {
        let (stack, pinned) = try stack("a")
        #expect(try labels(pinned) == ["a"])
        let token = try #require(pinned.queryGenerationToken)
        stack.insert("Tag", ["label": "b"])
        try stack.context.save()
        try pinned.setQueryGenerationFrom(nil)
        let other = stack.newContext()
        try other.setQueryGenerationFrom(token)
        #expect(other.queryGenerationToken == token)
        #expect(try labels(other) == ["a"])
        #expect(try labels(pinned) == ["a", "b"])
    }

    @Test("Contexts of several threads share one generation during writes")
    func threads() async throws {
        let (stack, pinned) = try stack("a", "b")
        #expect(try labels(pinned) == ["a", "b"])
        let token = try #require(pinned.queryGenerationToken)
        let coordinator = stack.coordinator
        try await withThrowingTaskGroup(of: Set<Int>.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    return try await context.perform {
                        try context.setQueryGenerationFrom(token)
                        return try Set(
                            (0..<20).map { _ in
                                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
                            })
                    }
                }
            }
            for number in 0..<20 {
                stack.insert("Tag", ["label": "\(number)"])
                try stack.context.save()
            }
            for try await counts in group { #expect(counts == [2]) }
        }
        #expect(try stack.count("Tag") == 22)
    }

    @Test("The did-save notification of a pinned context contains its new generation")
    func notification() throws {
        let (stack, pinned) = try stack("a")
        #expect(try labels(pinned) == ["a"])
        let saved = Recorded(.NSManagedObjectContextDidSave, object: pinned)
        stack.insert("Tag", in: pinned)
        try pinned.save()
        let own = saved.notifications.first
        #expect(own?.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken == .current)
        try pinned.setQueryGenerationFrom(nil)
        #expect(pinned.queryGenerationToken == nil)
    }

    @Test("A save from a pinned context detects the conflict with changes it could not see")
    func conflict() throws {
        let (stack, pinned) = try stack("a")
        let twin = try #require(try pinned.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        let own = try #require(try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        own.setValue("theirs", forKey: "label")
        try stack.context.save()
        twin.setValue("mine", forKey: "label")
        #expect(code { try pinned.save() } == 133020)
        pinned.mergePolicy = .mergeByPropertyStoreTrump
        try pinned.save()
        #expect(twin.value(forKey: "label") as? String == "theirs")
    }

    @Test("Relationships are read from the generation")
    func relationships() throws {
        let stack = try TestStack(.file)
        let category = try stack.saveFamily(animals: 3)
        let pinned = stack.newContext()
        try pinned.setQueryGenerationFrom(.current)
        let twin = try pinned.existingObject(with: category.objectID)
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        stack.context.delete(try #require(animals.first))
        try stack.context.save()
        #expect((twin.value(forKey: "animals") as? NSSet)?.count == 3)
        try pinned.setQueryGenerationFrom(nil)
        pinned.refreshAllObjects()
        #expect((twin.value(forKey: "animals") as? NSSet)?.count == 2)
    }

    @Test("Stores without generations leave contexts unpinned; children and foreign tokens are refused")
    func refusals() throws {
        let memory = try TestStack()
        try memory.context.setQueryGenerationFrom(.current)
        #expect(memory.context.queryGenerationToken == nil)

        let (stack, pinned) = try stack("a")
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pinned
        #expect(code { try child.setQueryGenerationFrom(.current) } == 134070)
        #expect(child.queryGenerationToken == nil)
        _ = try labels(pinned)
        let token = try #require(pinned.queryGenerationToken)
        let other = try TestStack(.file)
        #expect(code { try other.context.setQueryGenerationFrom(token) } == 134070)
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        // Contexts are notified on their queues.
        pinned.performAndWait {}
        #expect(code { try stack.newContext().setQueryGenerationFrom(token) } == 134070)
        #expect(try labels(pinned).isEmpty)
    }

    @Test("When no context is pinned, the log is checkpointed as the store is closed")
    func log() throws {
        let (stack, pinned) = try stack("a")
        _ = try labels(pinned)
        stack.insert("Tag", ["label": "b"])
        try stack.context.save()
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        let files = try FileManager.default.contentsOfDirectory(atPath: stack.folder.path)
        #expect(files == ["zoo.sqlite"])
    }
}
