import CoreData
import Foundation
import ObjectGraph
import Testing

/// Batch deletes in chunks, and the delegates of batch deletes.
@Suite("Long deletions of batch deletes, and their delegates")
struct LongDeletionTests {
    /// Categories with a number of animals each, and persons that keep one of each.
    private func stack(
        _ kind: TestStack.Kind = .file, categories: Int = 4, animals: Int = 5, options: [String: Any] = [:]
    ) throws -> TestStack {
        let stack = try TestStack(kind, options: options)
        for number in 0..<categories {
            let category = stack.insert("Category", ["name": "c\(number)"])
            let keeper = stack.insert("Person", ["name": "p\(number)"])
            for age in 0..<animals {
                let animal = stack.insert("Animal", ["name": "\(number) \(age)", "age": age, "category": category])
                if age == 0 { animal.setValue(keeper, forKey: "keeper") }
            }
        }
        try stack.context.save()
        return stack
    }

    private func request(
        _ stack: TestStack, _ entity: String = "Category", _ predicate: NSPredicate? = nil
    ) -> NSBatchDeleteRequest {
        NSBatchDeleteRequest(fetchRequest: stack.request(entity, predicate))
    }

    private func options(_ rows: Int) -> DeletionOptions {
        var options = DeletionOptions()
        options.rowsPerChunk = rows
        return options
    }

    private final class Delegate: DeletionDelegate {
        struct Refusal: Error, Equatable {}

        let calls = Locked<[[RowIdentifier]]>([])
        let refusesFrom: Int

        init(refusesFrom: Int = .max) { self.refusesFrom = refusesFrom }

        func willDelete(_ rows: [RowIdentifier]) throws {
            let count = calls.withLock { calls in
                calls.append(rows)
                return calls.count
            }
            if count > refusesFrom { throw Refusal() }
        }

        var rows: [RowIdentifier] { calls.withLock { $0.flatMap { $0 } } }
    }

    // MARK: Running

    @Test(
        "A long delete has the same result as the delete at once, and reports each chunk",
        arguments: TestStack.Kind.allCases)
    func runs(_ kind: TestStack.Kind) async throws {
        let stack = try stack(kind)
        let predicate = NSPredicate(format: "name != 'c3'")
        let deletion = try stack.context.deletionPlan(for: request(stack, "Category", predicate)).start(
            options: options(4))
        #expect(deletion.state.phase == .planned && deletion.state.total == 18 && deletion.state.done == 0)
        #expect(try stack.count("Animal") == 20)
        #expect(try stack.coordinator.unfinishedDeletions().map(\.id) == [deletion.id])
        var states: [DeletionState] = []
        for try await state in deletion.updates { states.append(state) }
        #expect(states.count > 3)
        #expect(states.map(\.done) == states.map(\.done).sorted())
        #expect(
            states.last?.phase == .finished && states.last?.done == 18 && states.last?.chunkCount == states.count - 1)
        #expect(deletion.progress.isFinished && deletion.progress.totalUnitCount == 18)
        #expect(deletion.token == nil)
        #expect(try stack.coordinator.unfinishedDeletions().isEmpty)
        #expect(try stack.count("Category") == 1)
        #expect(try stack.count("Animal") == 5)
        #expect(try stack.count("Person", NSPredicate(format: "animals.@count == 0")) == 3)
    }

    @Test("Live contexts merge each chunk if the deletion merges, else none", arguments: [true, false])
    func merging(_ merges: Bool) async throws {
        let stack = try stack()
        let other = stack.newContext()
        let animals = try other.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let people = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        for person in people { _ = person.value(forKey: "animals") }
        let request = request(stack)
        request.mergesIntoLiveContexts = merges
        let deletion = try stack.context.deletionPlan(for: request).start(options: options(4))
        #expect(deletion.mergesIntoLiveContexts == merges)
        try await deletion.run()
        #expect(animals.allSatisfy { $0.isDeleted == merges })
        #expect(people.allSatisfy { ($0.value(forKey: "animals") as? NSSet)?.count == (merges ? 0 : 1) })
    }

    @Test("A stopped deletion is listed, and is resumed or abandoned by its identifier, also in another coordinator")
    func resuming() async throws {
        let stack = try stack(options: [NSPersistentHistoryTrackingKey: true])
        stack.context.transactionAuthor = "cleaner"
        let deletion = try stack.context.deletionPlan(for: request(stack)).start(options: options(3))
        var updates = deletion.updates.makeAsyncIterator()
        while let state = try await updates.next(), state.chunkCount < 2 {}
        deletion.progress.cancel()
        await #expect(throws: CancellationError.self) { while try await updates.next() != nil {} }
        let left = try stack.count("Category") + stack.count("Animal")
        #expect(left > 0 && left < 24)

        let again = try TestStack(addsStore: false)
        try again.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSPersistentHistoryTrackingKey: true])
        let unfinished = try #require(try again.coordinator.unfinishedDeletions().first)
        #expect(unfinished.id == deletion.id && unfinished.author == "cleaner" && unfinished.total == 24)
        #expect(unfinished.done == 24 - left)
        let twin = try again.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let resumed = try again.coordinator.resumeDeletion(unfinished.id)
        #expect(resumed.state.done == unfinished.done && !resumed.mergesIntoLiveContexts)
        resumed.mergesIntoLiveContexts = true
        try await resumed.run()
        #expect(twin.allSatisfy { $0.isDeleted })
        #expect(try again.count("Category") + again.count("Animal") == 0)
        #expect(code { _ = try again.coordinator.resumeDeletion(deletion.id) } == 134070)
        #expect(code { try again.coordinator.abandonDeletion(deletion.id) } == 134070)
    }

    @Test("An abandoned deletion is removed from the list, and its chunks stay deleted")
    func dropping() async throws {
        let stack = try stack()
        let deletion = try stack.context.deletionPlan(for: request(stack)).start(options: options(3))
        try stack.coordinator.abandonDeletion(deletion.id)
        #expect(try stack.coordinator.unfinishedDeletions().isEmpty)
        await #expect(throws: DeletionError.unknownDeletion(deletion.id)) { try await deletion.run() }
        #expect(try stack.count("Animal") == 20)
    }

    @Test("An archived deletion is restored or discarded as a whole, chunk by chunk", arguments: [true, false])
    func recovering(_ givesUp: Bool) async throws {
        let stack = try stack()
        let before = try stack.newContext().fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let names = Dictionary(uniqueKeysWithValues: before.map { ($0.objectID, $0.name) })
        let request = request(stack)
        request.archivesRows = true
        let deletion = try stack.context.deletionPlan(for: request).start(options: options(4))
        #expect(deletion.token == nil)
        try await deletion.run()
        let token = try #require(deletion.token)
        #expect(try stack.coordinator.archivedDeletions().count == deletion.state.chunkCount)
        let coded = try JSONDecoder().decode(DeletionToken.self, from: JSONEncoder().encode(token))
        #expect(coded == token)
        if givesUp {
            try stack.coordinator.discard(coded)
        } else {
            try stack.coordinator.restore(coded)
            let after = try stack.newContext().fetch(NSFetchRequest<Animal>(entityName: "Animal"))
            #expect(Dictionary(uniqueKeysWithValues: after.map { ($0.objectID, $0.name) }) == names)
            #expect(try stack.count("Person", NSPredicate(format: "animals.@count == 1")) == 4)
        }
        #expect(try stack.coordinator.archivedDeletions().isEmpty)
        #expect(code { try stack.coordinator.restore(token) } == 134070)
    }

    @Test("No chunk is restored if another one has a conflict")
    func conflictsOfChunks() async throws {
        let stack = try stack()
        let request = request(stack)
        request.archivesRows = true
        let deletion = try stack.context.deletionPlan(for: request).start(options: options(4))
        try await deletion.run()
        let other = stack.newContext()
        stack.insert("Category", ["name": "c0"], in: other)
        try other.save()
        let token = try #require(deletion.token)
        #expect(code { try stack.coordinator.restore(token) } == 134070)
        #expect(try stack.count("Animal") == 0)
        #expect(try !stack.coordinator.restoreSkippingConflicts(token).skipped.isEmpty)
        #expect(try stack.count("Category") == 4)
    }

    // MARK: Refusals

    @Test("A deletion that the rules or the limit refuse is refused at its start; no job is recorded")
    func refusals() throws {
        let stack = try stack()
        let customer = stack.insert("Customer")
        stack.insert("Order", ["customer": customer])
        try stack.context.save()
        #expect(code { _ = try stack.context.deletionPlan(for: request(stack, "Customer")).start() } == 1600)
        let limited = request(stack)
        limited.deletionLimit = 23
        #expect(code { _ = try stack.context.deletionPlan(for: limited).start() } == 134070)
        let noStore = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(code { _ = try noStore.deletionPlan(for: request(stack)).start() } == 134070)
        let memory = try TestStack(addsStore: false)
        try memory.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        #expect(code { _ = try memory.context.deletionPlan(for: request(memory)).start() } == 134091)
        #expect(
            code { _ = try memory.context.deletionPlan(for: NSBatchDeleteRequest(objectIDs: [])).start() } == 134091)
        #expect(try stack.coordinator.unfinishedDeletions().isEmpty)
    }

    @Test("A plan on a read-only store can be made, and is refused with 513 when it is executed")
    func readOnly() throws {
        let stack = try stack()
        let request = request(stack)
        request.archivesRows = true
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Person")))
        let reader = try TestStack(addsStore: false)
        try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSReadOnlyPersistentStoreOption: true])
        let plan = try reader.context.deletionPlan(for: request)
        #expect(plan.count == 24)
        #expect(throws: DeletionError.readOnly) { try plan.execute() }
        #expect(code { _ = try plan.start() } == 513)
        #expect(code { try reader.coordinator.discardArchivedDeletions() } == 513)
        #expect(try stack.count("Animal") == 20)
    }

    @Test(
        "Several stores are written in turn, archived under one token, and discarded by size together"
    )
    func archivesOfSeveralStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<3 { stack.context.assign(stack.insert("Tag", ["label": "\(number)"]), to: second) }
        stack.insert("Tag", ["label": "first"])
        try stack.context.save()
        let one = try stack.context.deletionPlan(
            for: request(stack, "Tag", NSPredicate(format: "label IN {'0', 'first'}")))
        let token = try #require(try one.executeAndArchive())
        let two = try stack.context.deletionPlan(for: request(stack, "Tag"))
        let later = try #require(try two.executeAndArchive())
        let archived = try stack.coordinator.archivedDeletions()
        #expect(archived.map(\.token) == [token, later] && archived.map(\.count) == [2, 2])
        try stack.coordinator.discardArchivedDeletions(downToByteCount: archived[1].byteCount)
        #expect(try stack.coordinator.archivedDeletions().map(\.token) == [later])
        #expect(try stack.coordinator.restore(later).count == 2)
        #expect(throws: DeletionError.unknownToken) { try stack.coordinator.restore(token) }
        #expect(try stack.count("Tag") == 2)
    }

    @Test("A plan starts only if it would still delete the rows it showed")
    func plans() async throws {
        let stack = try stack()
        let request = request(stack)
        let plan = try stack.context.deletionPlan(for: request)
        stack.insert("Category", ["name": "late"])
        try stack.context.save()
        #expect(code { _ = try plan.start() } == 134070)
        let again = try stack.context.deletionPlan(for: request)
        let deletion = try again.start(options: options(5))
        #expect(deletion.state.total == again.count)
        try await deletion.run()
        #expect(try stack.count("Category") + stack.count("Animal") == 0)
        request.deletionLimit = 0
        stack.insert("Category", ["name": "one"])
        try stack.context.save()
        let limited = try stack.context.deletionPlan(for: request)
        #expect(code { _ = try limited.start() } == 134070)
        #expect(try stack.count("Category") == 1)
    }

    @Test("A long deletion refuses rows of two stores; rows of one store are found, whichever it is")
    func severalStores() async throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<3 { stack.context.assign(stack.insert("Tag", ["label": "\(number)"]), to: second) }
        try stack.context.save()
        try await stack.context.deletionPlan(for: request(stack, "Tag", NSPredicate(format: "label == '0'"))).start()
            .run()
        #expect(try stack.count("Tag") == 2)
        stack.insert("Tag", ["label": "first"])
        try stack.context.save()
        #expect(code { _ = try stack.context.deletionPlan(for: request(stack, "Tag")).start() } == 134070)
        let narrow = request(stack, "Tag")
        narrow.affectedStores = [second]
        try await stack.context.deletionPlan(for: narrow).start().run()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'first'")) == 1)
        #expect(try stack.count("Tag") == 1)
    }

    @Test("A deletion of no rows is finished at its start", arguments: TestStack.Kind.allCases)
    func nothing(_ kind: TestStack.Kind) async throws {
        let stack = try stack(kind, categories: 0)
        for request in [request(stack), NSBatchDeleteRequest(objectIDs: [])] {
            let deletion = try stack.context.deletionPlan(for: request).start()
            #expect(deletion.state.phase == .finished && deletion.state.total == 0)
            try await deletion.run()
        }
    }

    // MARK: Delegates

    @Test("A delegate is notified of all rows before they are deleted", arguments: [1, 2, 3])
    func delegates(_ way: Int) async throws {
        let stack = try stack()
        let expected = try Set(
            ["Category", "Animal"].flatMap { try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)) }
                .map(\.objectID))
        let delegate = Delegate()
        stack.coordinator.deletionDelegate = delegate
        switch way {
        case 1: try stack.context.execute(request(stack))
        case 2: try stack.context.deletionPlan(for: request(stack)).execute()
        default: try await stack.context.deletionPlan(for: request(stack)).start(options: options(5)).run()
        }
        #expect(delegate.rows.count == 24)
        #expect(Set(delegate.rows.map(stack.coordinator.managedObjectID(for:))) == expected)
        #expect(try stack.count("Category") == 0)
        #expect(stack.coordinator.deletionDelegate === delegate)
    }

    @Test("With a delegate, rows without rules are reported page by page; without one, a single statement deletes them")
    func pages() throws {
        let model = NSManagedObjectModel()
        let entity = Zoo.entity("Line", NSManagedObject.self)
        entity.properties = [Zoo.attribute("number", .integer64AttributeType)]
        model.entities = [entity]
        let lines = try TestStack(.file, model: model)
        try lines.context.execute(
            NSBatchInsertRequest(entityName: "Line", objects: (0..<12_000).map { ["number": $0] }))
        let delegate = Delegate()
        lines.coordinator.deletionDelegate = delegate
        try lines.context.execute(NSBatchDeleteRequest(fetchRequest: lines.request("Line")))
        #expect(delegate.calls.withLock { $0.map(\.count) } == [10_000, 2_000])
        #expect(Set(delegate.rows).count == 12_000)
    }

    @Test("A delegate that throws rolls back the delete; in a long deletion, the chunk")
    func refusingDelegate() async throws {
        let stack = try stack()
        let strict = Delegate(refusesFrom: 0)
        stack.coordinator.deletionDelegate = strict
        #expect(throws: Delegate.Refusal()) { try stack.context.execute(request(stack)) }
        #expect(try stack.count("Animal") == 20)
        let later = Delegate(refusesFrom: 2)
        stack.coordinator.deletionDelegate = later
        let deletion = try stack.context.deletionPlan(for: request(stack)).start(options: options(4))
        await #expect(throws: Delegate.Refusal()) { try await deletion.run() }
        #expect(deletion.state.chunkCount > 0)
        #expect(try stack.count("Category") + stack.count("Animal") == 24 - deletion.state.done)
        // The coordinator holds its delegate weakly.
        stack.coordinator.deletionDelegate = Delegate()
        #expect(stack.coordinator.deletionDelegate == nil)
        try await stack.coordinator.resumeDeletion(deletion.id).run()
        #expect(try stack.count("Animal") == 0)
    }
}
