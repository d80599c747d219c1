import CoreData
import TestSupport
import Testing

/// Which queue may wait for which.
@Suite(.timeLimit(.minutes(1))) struct QueueTests {
    // MARK: The main queue

    private func mainContext(_ stack: TestStack) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        return context
    }

    @Test("On the main actor, a main-queue context runs blocks at once, on whatever thread the main queue runs")
    @MainActor func performOnMainActor() async throws {
        let context = mainContext(try TestStack())
        for _ in 0..<3 {
            await Task.yield()
            #expect(context.performAndWait { context.insertedObjects.count } == 0)
        }
    }

    @Test("On the main actor, a merge into a main-queue context and a child's fetch finish before they return")
    @MainActor func mergeAndFetchOnMainActor() async throws {
        let stack = try TestStack()
        let context = mainContext(stack)
        let tag = stack.insert("Tag", ["label": "x"], in: context)
        try context.save()
        await Task.yield()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        #expect(try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 1)
        try context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: [tag.objectID]], into: [context])
        #expect(tag.isDeleted)
    }

    @Test("A private child for which main-actor code waits may use its main-queue parent")
    @MainActor func childOfMainContext() async throws {
        let stack = try TestStack()
        let context = mainContext(stack)
        stack.insert("Tag", in: context)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        await Task.yield()
        let count = try child.performAndWait {
            try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        }
        #expect(count == 1)
    }

    // MARK: Contexts that wait for each other

    /// Runs two blocks concurrently, each on its context's queue and both started before either continues.
    /// - Returns: whether both finished.
    private func runAtOnce(
        _ one: NSManagedObjectContext, _ other: NSManagedObjectContext,
        _ body: @escaping (NSManagedObjectContext) -> Void
    ) -> Bool {
        // Every block that runs it has a context of its own, and the caller waits for both.
        nonisolated(unsafe) let body = body
        let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let done = DispatchSemaphore(value: 0)
        for (place, context) in [one, other].enumerated() {
            context.perform {
                begun[place].signal()
                begun[1 - place].wait()
                body(context)
                done.signal()
            }
        }
        let deadline = DispatchTime.now() + 30
        return done.wait(timeout: deadline) == .success && done.wait(timeout: deadline) == .success
    }

    @Test("Two contexts may merge into each other concurrently, from their own blocks")
    func mergingIntoEachOther() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let (one, other) = (stack.newContext(), stack.newContext())
        let id = tag.objectID
        let twins = try [one, other].map { context in
            try context.performAndWait { try context.existingObject(with: id) }
        }
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        let changes = [NSDeletedObjectsKey: [id]]
        #expect(
            runAtOnce(one, other) { _ in
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [one, other])
            })
        #expect(twins[0].isDeleted && twins[1].isDeleted)
    }

    @Test("A parent may merge into a child that is waiting for it")
    func mergingIntoAWaitingChild() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        try stack.context.save()
        let parent = stack.context
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let id = tag.objectID
        let twin = try child.performAndWait { try child.existingObject(with: id) }
        #expect(
            runAtOnce(parent, child) { context in
                if context === child {
                    _ = try? child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
                } else {
                    NSManagedObjectContext.mergeChanges(
                        fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [child])
                }
            })
        #expect(twin.isDeleted)
    }

    @Test(
        "Two contexts may delete by batch and merge into all concurrently: each merges its own delete at once, the other's soon"
    )
    func batchDeletesAtOnce() async throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        let person = stack.insert("Person")
        try stack.context.save()
        let (one, other) = (stack.newContext(), stack.newContext())
        let id = tag.objectID
        let twins = try [one, other].map { context in
            try context.performAndWait { try context.existingObject(with: id) }
        }
        let requests = ["Tag", "Person"].map { NSBatchDeleteRequest(fetchRequest: stack.request($0)) }
        let areDone = runAtOnce(one, other) { context in
            #expect(throws: Never.self) {
                try context.executeAndMergeChanges(using: requests[context === one ? 0 : 1])
            }
            if context === one { #expect(twins[0].isDeleted) }
        }
        #expect(areDone)
        for context in [one, other, stack.context] { await context.perform(schedule: .enqueued) {} }
        #expect(twins[1].isDeleted && tag.isDeleted && person.isDeleted)
    }

    @Test("Random blocks that wait for each other's contexts all finish, one at a time in each context")
    func waitingAtRandom() throws {
        let stack = try TestStack()
        let contexts = (0..<4).map { _ in stack.newContext() }
        for context in contexts { context.userInfo["count"] = 0 }
        let (threads, rounds) = (6, 300)
        let done = DispatchSemaphore(value: 0)
        for thread in 0..<threads {
            Thread.detachNewThread {
                var random = SeededGenerator(seed: UInt64(thread))
                for _ in 0..<rounds {
                    let path = (0..<3).map { _ in contexts[random.roll(4)] }
                    path[0].performAndWait { path[1].performAndWait { path[2].performAndWait { path[2].countUp() } } }
                }
                done.signal()
            }
        }
        for _ in 0..<threads { #expect(done.wait(timeout: .now() + 30) == .success) }
        #expect(contexts.reduce(0) { $0 + $1.counted } == threads * rounds)
    }
}

extension NSManagedObjectContext {
    fileprivate var counted: Int { userInfo["count"] as? Int ?? 0 }
    /// Two concurrent blocks would lose one count.
    fileprivate func countUp() { userInfo["count"] = counted + 1 }
}
