import CoreData
import Testing

/// Options of batch deletes beyond Apple's documented ones.
@Suite struct BatchDeleteOptionTests {
    @Test("executeAndMergeChanges merges deleted rows, cascades and nullified links into every live context")
    func executeAndMerge() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let other = stack.newContext()
        let animals = try other.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        let names = animals.compactMap(\.name)
        let unsaved = stack.insert("Tag")
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        try stack.context.executeAndMergeChanges(using: request)
        #expect(category.isDeleted)
        #expect(animals.allSatisfy { $0.isDeleted })
        #expect(Set(animals.compactMap(\.name)) == Set(names))
        #expect(stack.context.insertedObjects == [unsaved])
        try stack.context.save()
        try other.save()
        #expect(try stack.count("Tag") == 1)
    }

    @Test("mergesIntoLiveContexts does the same for an executed request")
    func mergesIntoLiveContexts() throws {
        let stack = try TestStack()
        let person = stack.insert("Person", ["name": "p"])
        let animal = stack.insert("Animal", ["name": "a", "keeper": person])
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
        request.mergesIntoLiveContexts = true
        try stack.context.execute(request)
        #expect(person.isDeleted)
        #expect(animal.value(forKey: "keeper") == nil)
        #expect(!animal.hasChanges)
        animal.setValue("b", forKey: "name")
        try stack.context.save()
    }

    @Test("A delete of more rows than deletionLimit, cascades included, is refused and deletes nothing")
    func limit() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        request.deletionLimit = 3
        #expect(code { try stack.context.execute(request) } == 134070)
        #expect(try stack.count("Animal") == 3)
        request.deletionLimit = 4
        try stack.context.execute(request)
        #expect(try stack.count("Animal") == 0)
    }

    @Test("A plan lists the rows to delete, and executing it deletes exactly those")
    func plan() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        request.resultType = .resultTypeCount
        let plan = try stack.context.deletionPlan(for: request)
        #expect(plan.count == 4)
        #expect(plan.isPossible)
        #expect(plan.paths.map(\.entityName) == ["Category", "Animal"])
        #expect(plan.paths.map(\.relationship) == [nil, "Category.animals"])
        #expect(plan.paths.map(\.count) == [1, 3])
        #expect(Array(plan.rows).count == 4)
        #expect(plan.requestedCount == 1)
        #expect(try stack.count("Animal") == 3)
        #expect(try plan.execute() == nil)
        #expect(try stack.count("Animal") == 0)
    }

    @Test("A plan is refused if the store changed so that it would delete other rows")
    func movedPlan() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 1)
        let plan = try stack.context.deletionPlan(for: NSBatchDeleteRequest(fetchRequest: stack.request("Category")))
        stack.insert("Animal", ["name": "late", "category": category])
        try stack.context.save()
        #expect(code { try plan.execute() } == 134070)
        #expect(try stack.count("Animal") == 2)
    }

    @Test("A plan names the objects that refuse the delete")
    func obstacles() throws {
        let stack = try TestStack()
        let customer = stack.insert("Customer")
        stack.insert("Order", ["customer": customer])
        try stack.context.save()
        let plan = try stack.context.deletionPlan(for: NSBatchDeleteRequest(fetchRequest: stack.request("Customer")))
        #expect(!plan.isPossible)
        #expect(plan.obstacles.count == 1)
        #expect(plan.description.contains("Customer.orders"))
        #expect(code { try plan.execute() } == 1600)
    }

    @Test("An archived delete can be restored, links included", arguments: TestStack.Kind.allCases)
    func recoverable(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind)
        let person = stack.insert("Person", ["name": "p"])
        let animal = stack.insert("Animal", ["name": "a", "keeper": person])
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
        request.archivesRows = true
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        let token = try #require(result?.deletionToken)
        #expect(try stack.coordinator.archivedDeletions().map(\.token) == [token])
        #expect(try stack.count("Person") == 0)
        try stack.coordinator.restore(token)
        #expect(try stack.count("Person", NSPredicate(format: "ANY animals.name == 'a'")) == 1)
        let fresh = try stack.newContext().existingObject(with: animal.objectID)
        #expect((fresh.value(forKey: "keeper") as? NSManagedObject)?.objectID == person.objectID)
        #expect(code { try stack.coordinator.restore(token) } == 134070)
    }

    @Test("With several stores, none is written if one refuses")
    func refusalInOneStore() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        stack.insert("Customer")
        let busy = stack.insert("Customer")
        let order = stack.insert("Order", ["customer": busy])
        for object in [busy, order] { stack.context.assign(object, to: second) }
        try stack.context.save()
        #expect(
            code { try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Customer"))) } == 1600)
        #expect(try stack.count("Customer") == 2)
    }

    @Test("Restoring with conflicts skipped leaves out the conflicting rows, which stay archived")
    func restoringWhatIsPossible() throws {
        let stack = try TestStack(.file)
        for name in ["a", "b"] { stack.insert("Category", ["name": name]) }
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
        request.archivesRows = true
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        let token = try #require(result?.deletionToken)
        let other = stack.newContext()
        stack.insert("Category", ["name": "a"], in: other)
        try other.save()
        #expect(code { try stack.coordinator.restore(token) } == 134070)
        #expect(try stack.coordinator.restoreSkippingConflicts(token).skipped.count == 1)
        #expect(try stack.count("Category") == 2)
        #expect(try stack.coordinator.archivedDeletions().map(\.token) == [token])
    }

    @Test("Archived deletions are discarded by age and by size")
    func givingUp() throws {
        for byAge in [true, false] {
            let stack = try TestStack(.file)
            let request = NSBatchDeleteRequest(fetchRequest: stack.request("Category"))
            request.archivesRows = true
            stack.insert("Category", ["name": "a"])
            try stack.context.save()
            try stack.context.execute(request)
            try stack.coordinator.discardArchivedDeletions(before: .distantPast)
            try stack.coordinator.discardArchivedDeletions(downToByteCount: 1 << 40)
            #expect(try stack.coordinator.archivedDeletions().count == 1)
            if byAge {
                try stack.coordinator.discardArchivedDeletions(before: .distantFuture)
            } else {
                try stack.coordinator.discardArchivedDeletions(downToByteCount: 0)
            }
            #expect(try stack.coordinator.archivedDeletions().isEmpty)
        }
    }
}
