import CoreData
import Testing

/// Detection of context use outside of the context's queue, if a program enables it.
@Suite(.serialized) struct ConcurrencyCheckTests {
    /// Reports about one context; other tests may use theirs at the same time.
    private final class Reports: @unchecked Sendable {
        // Under the lock.
        private var texts: [String] = []
        private let lock = NSLock()
        let name = "checked \(UUID().uuidString)"

        func add(_ text: String) { lock.withLock { if text.contains(name) { texts.append(text) } } }

        /// Reports since the last call.
        func take() -> [String] {
            lock.withLock {
                defer { texts = [] }
                return texts
            }
        }
    }

    @Test("Access to a context or its objects outside of its queue is reported; access on its queue is not")
    func reporting() throws {
        let reports = Reports()
        let before = NSManagedObjectContext.concurrencyCheck
        NSManagedObjectContext.concurrencyCheck = .report { reports.add($0) }
        defer { NSManagedObjectContext.concurrencyCheck = before }
        let stack = try TestStack()
        let context = stack.newContext()
        context.name = reports.name
        let tag = try context.performAndWait {
            let tag = stack.insert("Tag", ["label": "a"], in: context)
            try context.save()
            _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            #expect(tag.value(forKey: "label") as? String == "a")
            #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
            #expect(context.deletedObjects.isEmpty && context.registeredObjects == [tag])
            try context.setQueryGenerationFrom(nil)
            try context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Order")))
            return tag
        }
        #expect(reports.take().isEmpty)
        let acts: [(String, () throws -> Void)] = [
            ("An object was used", { _ = tag.value(forKey: "label") }),
            ("An object was used", { tag.setValue("b", forKey: "label") }), ("save()", { try context.save() }),
            ("fetch(_:)", { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) }),
            ("count(for:)", { _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) }),
            ("refresh(_:mergeChanges:)", { context.refresh(tag, mergeChanges: false) }),
            ("insert(_:)", { stack.insert("Tag", in: context) }), ("delete(_:)", { context.delete(tag) }),
            ("registeredObject(for:)", { _ = context.registeredObject(for: tag.objectID) }),
            ("detectConflicts(for:)", { context.detectConflicts(for: tag) }), ("undo()", { context.undo() }),
            ("redo()", { context.redo() }),
            (
                "mergeChanges(fromContextDidSave:)",
                { context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave)) }
            ),
            ("hasChanges", { _ = context.hasChanges }), ("insertedObjects", { _ = context.insertedObjects }),
            ("updatedObjects", { _ = context.updatedObjects }), ("deletedObjects", { _ = context.deletedObjects }),
            ("registeredObjects", { _ = context.registeredObjects }),
            ("setQueryGenerationFrom(_:)", { try context.setQueryGenerationFrom(nil) }),
            ("execute(_:)", { try context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Order"))) }),
            (
                "executeAndMergeChanges(using:)",
                {
                    try context.executeAndMergeChanges(
                        using: NSBatchDeleteRequest(fetchRequest: stack.request("Order")))
                }
            ),
            ("rollback()", { context.rollback() }), ("reset()", { context.reset() }),
        ]
        for (name, act) in acts {
            try act()
            let texts = reports.take()
            #expect(texts.contains { $0.hasPrefix(name) }, "\(name): \(texts)")
        }
        NSManagedObjectContext.concurrencyCheck = .off
        context.reset()
        #expect(reports.take().isEmpty)
    }

    @Test("A child reads and saves on its parent's queue, which is not reported")
    func children() throws {
        let reports = Reports()
        let before = NSManagedObjectContext.concurrencyCheck
        NSManagedObjectContext.concurrencyCheck = .report { reports.add($0) }
        defer { NSManagedObjectContext.concurrencyCheck = before }
        let stack = try TestStack()
        let (parent, child) = (stack.newContext(), NSManagedObjectContext(.privateQueue))
        (parent.name, child.name) = (reports.name, reports.name)
        child.parent = parent
        child.automaticallyMergesChangesFromParent = true
        try child.performAndWait {
            stack.insert("Tag", ["label": "a"], in: child)
            try child.save()
            _ = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first?.value(forKey: "label")
        }
        try parent.performAndWait { try parent.save() }
        #expect(reports.take() == [])
    }
}
