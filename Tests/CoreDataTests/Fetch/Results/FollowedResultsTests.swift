@testable import CoreData
@testable import ObjectGraph
import Testing

/// How controllers follow their context: what a change costs, and how long.
@Suite("Followed results") struct FollowedResultsTests {
    /// Controllers of all kinds that the engine can follow, in one context.
    private final class World {
        let stack: TestStack
        let reader: NSManagedObjectContext
        var tables: [(controller: NSFetchedResultsController<NSManagedObject>, table: ResultTable)] = []
        let seen: SeenStatements

        init(_ kind: TestStack.Kind = .memorySQLite) throws {
            let stack = try TestStack(kind)
            (self.stack, reader) = (stack, stack.newContext())
            let categories = ["A", "B"].map { stack.insert("Category", ["name": $0, "rank": 1]) }
            for number in 0..<40 {
                stack.insert(
                    "Animal", ["name": "n\(100 + number)", "age": number / 8, "category": categories[number % 2]])
            }
            try stack.context.save()
            seen = SeenStatements(stack)
            try add(stack.controller(in: reader))
            try add(stack.controller(sections: "age", NSPredicate(format: "age < 4"), in: reader))
            try add(stack.controller(sections: "category.name", in: reader, ["category.name", "name"]))
            // The order is not that of the names themselves.
            try add(
                stack.controller(sections: "category.name", in: reader, ["category.rank", "category.name", "name"]))
            let limited = stack.controller(in: reader)
            (limited.fetchRequest.fetchOffset, limited.fetchRequest.fetchLimit) = (2, 5)
            try add(limited)
        }

        private func add(_ controller: NSFetchedResultsController<NSManagedObject>) throws {
            let table = ResultTable()
            controller.delegate = table
            try controller.performFetch()
            table.load(controller)
            tables.append((controller, table))
        }

        func animal(_ name: String, _ context: NSManagedObjectContext? = nil) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.predicate = NSPredicate(format: "name == %@", name)
            return try #require(try (context ?? reader).fetch(request).first)
        }

        /// The queries that a change runs; afterwards all tables equal a new fetch.
        func queries(_ change: () throws -> Void) throws -> Int {
            let before = seen.count(startingWith: "SELECT")
            try change()
            let count = seen.count(startingWith: "SELECT") - before
            for (controller, table) in tables {
                #expect(table.faults.isEmpty, "\(table.faults)")
                let fresh = stack.controller(sections: controller.sectionNameKeyPath, in: reader)
                fresh.fetchRequest.predicate = controller.fetchRequest.predicate
                fresh.fetchRequest.sortDescriptors = controller.fetchRequest.sortDescriptors
                fresh.fetchRequest.fetchLimit = controller.fetchRequest.fetchLimit
                fresh.fetchRequest.fetchOffset = controller.fetchRequest.fetchOffset
                try fresh.performFetch()
                #expect(table.sections == ResultTable.sections(of: fresh.sections))
            }
            return count
        }

        var refetchCount: Int {
            tables.reduce(0) { $0 + ($1.controller.results.followed?.results.counts.refetchCount ?? 1000) }
        }
    }

    @Test("The undone deletion of a row without an object in the context is reported")
    func undoneWithoutObject() throws {
        let stack = try TestStack(.memorySQLite)
        let category = stack.insert("Category", ["name": "A"])
        try stack.context.save()
        let id = category.objectID
        let reader = stack.newContext()
        reader.undoManager = UndoManager()
        let (controller, table) = (stack.controller(in: reader), ResultTable())
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        try reader.performAndWait { reader.delete(try reader.existingObject(with: id)) }

        category.setValue("B", forKey: "name")
        stack.insert("Animal", ["name": "n", "category": category])
        try stack.context.save()
        // The delete rule reaches the animal, whose insertion is not merged.
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id]], into: [reader])
        #expect(reader.performAndWait { reader.graph.deletedRecords.count } == 2)
        reader.performAndWait { reader.undo() }
        #expect(reader.performAndWait { reader.graph.deletedRecords.count } == 1)
        #expect(table.sections.map(\.rows.count) == [1])
        #expect(try table.difference(from: controller) == nil)
    }

    @Test("Edits, insertions and deletions in the context run no statement for any controller")
    func ownChanges() throws {
        let world = try World()
        let (reader, stack) = (world.reader, world.stack)
        let (first, other) = (try world.animal("n101"), try world.animal("n130"))
        let category = try #require(first.value(forKey: "category") as? NSManagedObject)
        #expect(try world.queries { _ = try world.animal("n102") } == 1, "queries are seen")
        let names = category.value(forKey: "animals") as? Set<NSManagedObject>
        #expect(names?.count == 20)
        #expect(
            try world.queries {
                first.setValue(2.5, forKey: "weight")
                other.setValue(0, forKey: "age")
                reader.processPendingChanges()
            } == 0)
        #expect(
            try world.queries {
                stack.insert("Animal", ["name": "n000", "age": 9, "category": category], in: reader)
                reader.processPendingChanges()
            } == 0)
        // The delete rules read as much in a context without controllers.
        let idle = stack.newContext()
        let twin = try world.animal("n101", idle)
        _ = (twin.value(forKey: "category") as? NSManagedObject)?.value(forKey: "animals")
        let delete = { (animal: NSManagedObject, context: NSManagedObjectContext) in
            context.delete(animal)
            context.processPendingChanges()
        }
        let cost = try world.queries { delete(twin, idle) }
        #expect(try world.queries { delete(first, reader) } <= cost)
        #expect(
            try world.queries {
                category.setValue("Z", forKey: "name")
                category.setValue(0, forKey: "rank")
                reader.processPendingChanges()
            } == 0)
        #expect(world.tables.allSatisfy { $0.table.eventCount > 0 })
        try reader.save()
        #expect(try world.queries { reader.processPendingChanges() } == 0)
        #expect(world.refetchCount == 0)
    }

    @Test("Changes of others cost one query for the rows they changed, and deletions none")
    func changesOfOthers() throws {
        let world = try World()
        let (reader, stack) = (world.reader, world.stack)
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        for name in ["n108", "n120"] { try world.animal(name, stack.context).setValue(0, forKey: "age") }
        for number in 0..<3 { stack.insert("Animal", ["name": "m\(number)", "age": 1]) }
        try stack.context.save()
        let saved = try #require(saves.notifications.last)
        // One for the objects that the context has read, one for those that it has not.
        #expect(try world.queries { reader.mergeChanges(fromContextDidSave: saved) } <= 2)
        let gone = NSBatchDeleteRequest(fetchRequest: stack.request("Animal", NSPredicate(format: "age == 0")))
        gone.resultType = .resultTypeObjectIDs
        let ids = (try stack.context.execute(gone) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
        #expect(ids.count == 10)
        let counts = world.tables.map(\.table.eventCount)
        #expect(
            try world.queries {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [reader])
            } == 0)
        #expect(zip(world.tables, counts).allSatisfy { $0.table.eventCount == $1 + 1 })
        #expect(world.refetchCount == 0)
    }

    @Test("A merge of unspecified changes fetches once for each controller, and is reported once")
    func overflow() throws {
        let world = try World()
        let (reader, stack) = (world.reader, world.stack)
        let held = try world.animal("n108")
        try world.animal("n108", stack.context).setValue(0, forKey: "age")
        stack.insert("Animal", ["name": "m", "age": 1])
        try stack.context.save()
        _ = try world.queries { reader.merge(.overflow) }
        #expect(world.tables.map(\.table.eventCount) == [1, 1, 1, 1, 1])
        #expect(world.refetchCount == world.tables.count)
        #expect(held.value(forKey: "age") as? Int == 0)
    }

    @Test("Controllers of a context share one follower, which is released with the last of them")
    func lifetime() throws {
        let stack = try TestStack()
        try stack.saveFamily()
        let followers = stack.context.followers
        let idle = stack.controller()
        try idle.performFetch()
        #expect(followers.live == nil)
        let table = ResultTable()
        do {
            let controllers = [stack.controller(), stack.controller(sections: "age")]
            for controller in controllers {
                controller.delegate = table
                try controller.performFetch()
            }
            #expect(followers.live?.observers.count == 2)
            controllers[0].delegate = nil
            try controllers[0].performFetch()
            #expect(followers.live?.observers.count == 1)
        }
        stack.insert("Animal", ["name": "fly"])
        stack.context.processPendingChanges()
        #expect(followers.live == nil)
        #expect(idle.fetchedObjects?.count == 3)
    }

    @Test("A delegate set after the fetch gets the changes from the next event on")
    func lateDelegate() throws {
        let stack = try TestStack()
        try stack.saveFamily()
        let controller = stack.controller()
        try controller.performFetch()
        let table = ResultTable()
        controller.delegate = table
        table.load(controller)
        for number in 0..<2 {
            stack.insert("Animal", ["name": "fly", "age": 8 + number])
            stack.context.processPendingChanges()
        }
        #expect(table.reports == ["+[0, 3]", "+[0, 4]"])
        #expect(table.faults.isEmpty)
    }

    @Test("Sections by a transient property are made anew of the objects that change")
    func transientSections() throws {
        let stack = try TestStack()
        for (name, age) in [("ant", 1), ("bee", 2), ("cat", 3)] {
            stack.insert("Animal", ["name": name, "age": age, "note": name == "cat" ? "late" : "early"])
        }
        let controller = stack.controller(sections: "note")
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        let bee = try #require(controller.fetchedObjects?[1])
        bee.setValue("late", forKey: "note")
        stack.context.processPendingChanges()
        #expect(table.reports == ["[0, 1]>[1, 0]"])
        bee.setValue("middle", forKey: "note")
        stack.context.processPendingChanges()
        #expect(table.sections.map(\.name) == ["early", "middle", "late"])
        #expect(table.faults.isEmpty)
    }

    @Test(
        "Results of a batch size stay faults; the values they are sorted by are read once, and placed without a statement"
    )
    func batchSize() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 30)
        let reader = stack.newContext()
        let seen = SeenStatements(stack)
        let controller = stack.controller(in: reader)
        controller.fetchRequest.fetchBatchSize = 5
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        #expect(seen.count(startingWith: "SELECT") == 2)
        stack.insert("Animal", ["name": "fly", "age": 12], in: reader)
        reader.processPendingChanges()
        #expect(table.reports == ["+[0, 13]"])
        #expect(seen.count(startingWith: "SELECT") == 2)
        #expect(controller.fetchedObjects?.filter { $0.record.isFault }.count == 30)
    }

    @Test("A request of one of two stores is fetched again when either changes")
    func oneStore() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let first = try #require(stack.coordinator.persistentStores.first { $0 !== second })
        stack.context.assign(stack.insert("Animal", ["name": "a", "age": 1]), to: first)
        stack.context.assign(stack.insert("Animal", ["name": "b", "age": 2]), to: second)
        try stack.context.save()
        let controller = stack.controller()
        controller.fetchRequest.affectedStores = [second]
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        for (store, name) in [(first, "c"), (second, "d")] {
            stack.context.assign(stack.insert("Animal", ["name": name, "age": 5]), to: store)
            try stack.context.save()
            stack.context.processPendingChanges()
        }
        #expect(table.sections.first?.rows.compactMap { $0.value(forKey: "name") as? String } == ["b", "d"])
        controller.fetchedObjects?.first?.setValue(9, forKey: "age")
        stack.context.processPendingChanges()
        #expect(table.sections.first?.rows.compactMap { $0.value(forKey: "name") as? String } == ["d", "b"])
        #expect(table.faults.isEmpty)
    }
}
