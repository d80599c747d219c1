import CoreData
import Testing

/// `HistoryConsumer` over a coordinator.
@Suite struct HistoryConsumerTests {
    private struct Stop: Error {}

    private func stack() throws -> TestStack {
        try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
    }

    /// Another coordinator on the same file, like another process.
    private func neighbour(of stack: TestStack) throws -> TestStack {
        let other = try TestStack(.file, addsStore: false)
        try other.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSPersistentHistoryTrackingKey: true])
        other.context.transactionAuthor = "neighbour"
        return other
    }

    private func history(_ stack: TestStack) throws -> [Int64] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        return (result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
    }

    @Test("Changes saved elsewhere are merged into contexts, passed to the handler once, and then deleted from history")
    func consuming() throws {
        let stack = try stack()
        stack.context.transactionAuthor = "app"
        let category = try stack.saveFamily(animals: 2)
        let animals = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let consumer = try HistoryConsumer("app", of: stack.coordinator, ignoring: ["app"])

        let other = try neighbour(of: stack)
        let theirs = try other.context.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let renamed = try #require(theirs.first { $0.objectID.uriRepresentation() == animals[0].uri })
        renamed.name = "renamed"
        try other.context.save()
        other.context.delete(try #require(theirs.first { $0 !== renamed }))
        other.insert("Tag", ["label": "new"])
        try other.context.save()
        category.setValue(5, forKey: "rank")
        try stack.context.save()

        #expect(animals[0].name != "renamed")
        var handedOn: [NSPersistentHistoryTransaction] = []
        #expect(try consumer.consume(mergingInto: [stack.context]) { handedOn += $0 } == 2)
        #expect(handedOn.map(\.author) == ["neighbour", "neighbour"])
        #expect(handedOn.map { $0.changes?.isEmpty } == [false, false])
        #expect(animals[0].name == "renamed")
        #expect(animals[1].isDeleted)
        #expect(stack.context.registeredObjects.contains { $0.entity.name == "Tag" })
        #expect(try consumer.consume(mergingInto: [stack.context]) == 0)
        #expect(try history(stack) == [4])
    }

    @Test("Rows fetched between two readings are merged, too: changed again, or deleted")
    func fetchedMeanwhile() throws {
        let stack = try stack()
        let consumer = try HistoryConsumer("app", of: stack.coordinator)
        let other = try neighbour(of: stack)
        let (kept, doomed) = (other.insert("Tag", ["label": "kept"]), other.insert("Tag", ["label": "doomed"]))
        try other.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: false)]
        let mine = try stack.context.fetch(request)
        #expect(mine.compactMap { $0.value(forKey: "label") as? String } == ["kept", "doomed"])
        kept.setValue("changed", forKey: "label")
        other.context.delete(doomed)
        try other.context.save()
        let recorded = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        #expect(try consumer.consume(mergingInto: [stack.context]) == 2)
        #expect(mine[0].value(forKey: "label") as? String == "changed")
        #expect(mine[1].isDeleted)
        #expect(recorded.objects(NSRefreshedObjectsKey) == [mine[0]])
        #expect(recorded.objects(NSInsertedObjectsKey).isEmpty)
        #expect(recorded.objects(NSDeletedObjectsKey) == [mine[1]])
    }

    @Test(
        "Changes of rows that a context read before their insertion was consumed are merged", arguments: [true, false])
    func readBefore(isDeleted: Bool) throws {
        let stack = try stack()
        let consumer = try HistoryConsumer("app", of: stack.coordinator)
        let other = try neighbour(of: stack)
        let theirs = other.insert("Tag", ["label": "new"])
        try other.context.save()
        let tag = try stack.context.existingObject(with: try #require(stack.id(of: theirs)))
        #expect(tag.value(forKey: "label") as? String == "new")
        if isDeleted { other.context.delete(theirs) } else { theirs.setValue("renamed", forKey: "label") }
        try other.context.save()
        #expect(try consumer.consume(mergingInto: [stack.context]) == 2)
        #expect(tag.isDeleted == isDeleted)
        #expect(tag.value(forKey: "label") as? String == (isDeleted ? "new" : "renamed"))
        tag.setValue("mine", forKey: "label")
        #expect(code { try stack.context.save() } == nil)
    }

    @Test("History is kept for the slowest consumer, and for transactions that must be consumed again")
    func slowest() throws {
        let stack = try stack()
        let fast = try HistoryConsumer("fast", of: stack.coordinator)
        let slow = try HistoryConsumer("slow", of: stack.coordinator)
        for _ in 0..<3 {
            stack.insert("Tag")
            try stack.context.save()
        }
        #expect(try fast.consume() == 3)
        #expect(throws: Stop.self) { try slow.consume { _ in throw Stop() } }
        #expect(try history(stack) == [1, 2, 3])
        var seen: [Int64] = []
        try slow.consume { seen += $0.map(\.transactionNumber) }
        #expect(seen == [1, 2, 3])
        #expect(try history(stack) == [3])
        let registrations = try HistoryConsumer.registrations(in: stack.coordinator)
        #expect(registrations.map(\.name) == ["fast", "slow"])
        #expect(registrations.first?.token == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        try fast.unregister()
        try slow.unregister()
        #expect(try HistoryConsumer.registrations(in: stack.coordinator).isEmpty)
    }

    @Test(
        "A consumer continues in the next run; if history was deleted meanwhile, it throws 134301 until it skips to now"
    )
    func nextRun() throws {
        let stack = try stack()
        _ = try HistoryConsumer("app", of: stack.coordinator)
        let other = try neighbour(of: stack)
        let tag = other.insert("Tag", ["label": "one"])
        try other.context.save()
        let consumer = try HistoryConsumer("app", of: stack.coordinator)
        #expect(try consumer.consume() == 1)

        let mine = try stack.context.existingObject(with: try #require(stack.id(of: tag)))
        #expect(mine.value(forKey: "label") as? String == "one")
        for label in ["two", "three"] {
            tag.setValue(label, forKey: "label")
            try other.context.save()
        }
        try other.context.execute(
            NSPersistentHistoryChangeRequest.deleteHistory(
                before: other.coordinator.currentPersistentHistoryToken(fromStores: nil)))
        #expect(code { try consumer.consume(mergingInto: [stack.context]) } == 134301)
        try consumer.skipToNow(refreshing: [stack.context])
        #expect(mine.value(forKey: "label") as? String == "three")
        #expect(try consumer.consume() == 0)
    }

    @Test("Stores without history are skipped; a read-only store is refused")
    func refused() throws {
        let without = try TestStack(.file)
        let consumer = try HistoryConsumer("app", of: without.coordinator)
        #expect(try consumer.consume() == 0)
        let stack = try stack()
        let reader = try TestStack(.file, addsStore: false)
        try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(),
            options: [NSPersistentHistoryTrackingKey: true, NSReadOnlyPersistentStoreOption: true])
        #expect(
            code { _ = try HistoryConsumer("app", of: reader.coordinator) } == 134030)
    }
}

extension NSManagedObject {
    fileprivate var uri: URL { objectID.uriRepresentation() }
}

extension TestStack {
    /// The identifier, in this coordinator, of another coordinator's object on the same file.
    fileprivate func id(of object: NSManagedObject) -> NSManagedObjectID? {
        coordinator.managedObjectID(forURIRepresentation: object.uri)
    }
}
