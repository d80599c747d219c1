import CoreData
import Testing

/// Changes that a controller reports, by old and new index paths.
@Suite("Reports of fetched results")
struct FetchedChangesTests {
    private final class World {
        let stack: TestStack
        let controller: NSFetchedResultsController<NSManagedObject>
        let table = ResultTable()

        init(
            sections: String? = nil, _ predicate: NSPredicate? = nil, limit: Int = 0, keys: [String] = ["age", "name"]
        )
            throws
        {
            stack = try TestStack()
            for (name, age) in [("ant", 1), ("bee", 1), ("cat", 3), ("dog", 3), ("eel", 5)] {
                stack.insert("Animal", ["name": name, "age": age])
            }
            try stack.context.save()
            controller = stack.controller(sections: sections, predicate, keys)
            controller.fetchRequest.fetchLimit = limit
            controller.delegate = table
            try controller.performFetch()
            table.load(controller)
        }

        func animal(_ name: String) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.predicate = NSPredicate(format: "name == %@", name)
            return try #require(try stack.context.fetch(request).first)
        }

        func names() -> [[String]] {
            table.sections.map { $0.rows.compactMap { $0.value(forKey: "name") as? String } }
        }

        /// The reports of a change, after which the table equals the controller's results.
        func reports(_ event: () throws -> Void) rethrows -> [String] {
            table.reports = []
            try event()
            stack.context.processPendingChanges()
            #expect(table.faults.isEmpty, "\(table.faults)")
            #expect(table.sections == ResultTable.sections(of: controller.sections))
            return table.reports
        }
    }

    @Test("Insertions are reported at new places, deletions at old ones; shifted results are not reported")
    func comingAndGoing() throws {
        let world = try World()
        let stack = world.stack
        #expect(
            world.reports {
                stack.insert("Animal", ["name": "cow", "age": 3])
                stack.insert("Animal", ["name": "aaa", "age": 0])
            } == ["+[0, 0]", "+[0, 4]"])
        let (ant, eel) = (try world.animal("ant"), try world.animal("eel"))
        #expect(
            world.reports {
                stack.context.delete(ant)
                stack.context.delete(eel)
            } == ["-[0, 6]", "-[0, 1]"])
        #expect(try world.reports { try stack.context.save() } == [])
        #expect(world.names() == [["aaa", "bee", "cat", "cow", "dog"]])
    }

    @Test("A change of a sort key is a move, or an update if the place stays; any other change is an update")
    func updatesAndMoves() throws {
        let world = try World()
        let (ant, cat) = (try world.animal("ant"), try world.animal("cat"))
        #expect(world.reports { cat.setValue(2.5, forKey: "weight") } == ["~[0, 2]"])
        #expect(world.reports { ant.setValue(9, forKey: "age") } == ["[0, 0]>[0, 4]"])
        #expect(world.reports { ant.setValue(8, forKey: "age") } == ["~[0, 4]"])
        #expect(world.names() == [["bee", "cat", "dog", "eel", "ant"]])
    }

    @Test("One event reports all its changes")
    func mixedEvent() throws {
        let world = try World()
        let (bee, dog, eel) = (try world.animal("bee"), try world.animal("dog"), try world.animal("eel"))
        let reports = world.reports {
            world.stack.context.delete(bee)
            eel.setValue(0, forKey: "age")
            dog.setValue(1.5, forKey: "weight")
            world.stack.insert("Animal", ["name": "fly", "age": 4])
        }
        #expect(reports == ["-[0, 1]", "+[0, 4]", "[0, 4]>[0, 0]", "~[0, 3]"])
        #expect(world.table.eventCount == 1)
        #expect(world.names() == [["eel", "ant", "cat", "dog", "fly"]])
    }

    @Test("Objects enter and leave the results by the predicate; objects of other entities are ignored")
    func predicates() throws {
        let world = try World(NSPredicate(format: "age < 5"))
        let (ant, eel) = (try world.animal("ant"), try world.animal("eel"))
        #expect(world.reports { eel.setValue(2, forKey: "age") } == ["+[0, 2]"])
        #expect(world.reports { ant.setValue(7, forKey: "age") } == ["-[0, 0]"])
        #expect(world.reports { ant.setValue(8, forKey: "age") } == [])
        #expect(world.reports { world.stack.insert("Person", ["name": "Eve"]) } == [])
        #expect(world.reports { world.stack.insert("Mammal", ["name": "ape", "age": 0]) } == ["+[0, 0]"])
    }

    @Test("Sections are inserted and deleted before their results")
    func sections() throws {
        let world = try World(sections: "age")
        let (dog, eel) = (try world.animal("dog"), try world.animal("eel"))
        #expect(world.reports { world.stack.insert("Animal", ["name": "fly", "age": 2]) } == ["S+1", "+[1, 0]"])
        #expect(world.reports { world.stack.context.delete(eel) } == ["S-3", "-[3, 0]"])
        #expect(world.reports { dog.setValue(1, forKey: "age") } == ["[2, 1]>[0, 2]"])
        #expect(world.table.sections.map(\.name) == ["1", "2", "3"])
        #expect(world.reports { dog.setValue(7, forKey: "age") } == ["S+3", "[0, 2]>[3, 0]"])
        #expect(world.reports { dog.setValue(6, forKey: "age") } == ["S-3", "S+3", "[3, 0]>[3, 0]"])
    }

    @Test("Rollback, undo and refresh are reported")
    func takingBack() throws {
        let world = try World()
        let stack = world.stack
        let (ant, bee) = (try world.animal("ant"), try world.animal("bee"))
        #expect(
            world.reports {
                stack.context.delete(ant)
                bee.setValue(9, forKey: "age")
                stack.insert("Animal", ["name": "fly", "age": 0])
            }.count == 3)
        #expect(world.reports { stack.context.rollback() } == ["-[0, 0]", "+[0, 0]", "[0, 4]>[0, 1]"])
        stack.context.undoManager = UndoManager()
        _ = world.reports { stack.context.delete(ant) }
        #expect(world.reports { stack.context.undo() } == ["+[0, 0]"])
        #expect(world.reports { stack.context.redo() } == ["-[0, 0]"])
        #expect(world.reports { stack.context.refresh(bee, mergeChanges: false) } == ["~[0, 0]"])
    }

    @Test("Changes saved elsewhere are reported once they are merged, including batch requests")
    func merging() throws {
        let world = try World()
        let stack = world.stack
        let other = stack.newContext()
        let recorded = Recorded(.NSManagedObjectContextDidSave, object: other)
        let eel = try other.existingObject(with: try world.animal("eel").objectID)
        eel.setValue(0, forKey: "age")
        stack.insert("Animal", ["name": "fly", "age": 9], in: other)
        other.delete(try other.existingObject(with: try world.animal("cat").objectID))
        try other.save()
        let saved = try #require(recorded.notifications.first)
        #expect(
            world.reports { stack.context.mergeChanges(fromContextDidSave: saved) }
                == ["-[0, 2]", "+[0, 4]", "[0, 4]>[0, 0]"])
        let batch = NSBatchDeleteRequest(fetchRequest: stack.request("Animal", NSPredicate(format: "age == 1")))
        batch.mergesIntoLiveContexts = true
        #expect(try world.reports { try other.execute(batch) } == ["-[0, 2]", "-[0, 1]"])
        #expect(world.names() == [["eel", "dog", "fly"]])
    }

    @Test("Changes are followed along key paths to other objects")
    func keyPaths() throws {
        let stack = try TestStack()
        let (a, b) = (stack.insert("Category", ["name": "A"]), stack.insert("Category", ["name": "B"]))
        for (name, category) in [("ant", b), ("cow", a), ("dog", a)] {
            stack.insert("Animal", ["name": name, "category": category])
        }
        try stack.context.save()
        let controller = stack.controller(
            sections: "category.name", NSPredicate(format: "category.name != 'X'"), ["category.name", "name"])
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        #expect(table.sections.map(\.name) == ["A", "B"])
        a.setValue("C", forKey: "name")
        stack.context.processPendingChanges()
        #expect(table.sections.map(\.name) == ["B", "C"])
        b.setValue("X", forKey: "name")
        stack.context.processPendingChanges()
        #expect(table.sections.map(\.name) == ["C"])
        #expect(table.faults.isEmpty, "\(table.faults)")
    }

    @Test("A limited request reports the results that move up when others leave")
    func limits() throws {
        let world = try World(limit: 3)
        let ant = try world.animal("ant")
        #expect(world.names() == [["ant", "bee", "cat"]])
        #expect(world.reports { world.stack.context.delete(ant) } == ["-[0, 0]", "+[0, 2]"])
        #expect(world.names() == [["bee", "cat", "dog"]])
    }

    @Test("With an offset, results follow the deletion elsewhere of unread rows before them", arguments: [0, 2])
    func offsets(limit: Int) throws {
        let stack = try World().stack
        let reader = stack.newContext()
        let controller = stack.controller(in: reader)
        (controller.fetchRequest.fetchOffset, controller.fetchRequest.fetchLimit) = (2, limit)
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        let saves = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        let ant = try stack.context.fetch(stack.controller(NSPredicate(format: "name == 'ant'")).fetchRequest)
        ant.forEach(stack.context.delete)
        try stack.context.save()
        reader.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(table.faults.isEmpty, "\(table.faults)")
        #expect(table.reports == (limit == 0 ? ["-[0, 0]"] : ["-[0, 0]", "+[0, 1]"]))
        #expect(table.sections == ResultTable.sections(of: controller.sections))
    }

    @Test("Changes made by hooks and conflict resolution during a save are reported")
    func savesThemselves() throws {
        let world = try World()
        let stack = world.stack
        stack.context.mergePolicy = .mergeByPropertyStoreTrump
        let eel = try world.animal("eel")
        let other = stack.newContext()
        try other.existingObject(with: eel.objectID).setValue(0, forKey: "age")
        try other.save()
        eel.setValue(7, forKey: "age")
        #expect(world.reports {} == ["~[0, 4]"])
        #expect(try world.reports { try stack.context.save() } == ["[0, 4]>[0, 0]"])
        #expect(world.names().first?.first == "eel")
    }

    @Test("After a reset the results are fetched again, as other objects")
    func reset() throws {
        let world = try World()
        _ = world.reports { world.stack.context.reset() }
        #expect(world.names() == [["ant", "bee", "cat", "dog", "eel"]])
        #expect(world.controller.fetchedObjects?.allSatisfy { $0.managedObjectContext === world.stack.context } == true)
    }

    @Test("Changes made by a delegate are reported after the current report")
    func changingDelegate() throws {
        final class Feeder: NSObject, NSFetchedResultsControllerDelegate {
            var events: [Int] = []
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                events.append(controller.fetchedObjects?.count ?? 0)
                guard events.count == 1 else { return }
                let context = controller.managedObjectContext
                NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context).setValue(
                    "new", forKey: "name")
                context.processPendingChanges()
            }
        }
        let stack = try TestStack()
        try stack.saveFamily(animals: 1)
        let controller = stack.controller()
        let feeder = Feeder()
        controller.delegate = feeder
        try controller.performFetch()
        let other = stack.newContext()
        let recorded = Recorded(.NSManagedObjectContextDidSave, object: other)
        stack.insert("Animal", ["name": "fly"], in: other)
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(recorded.notifications.first))
        #expect(feeder.events == [2, 3])
    }

    @Test("A delegate that implements the diff method gets no other call, and gets its own controller")
    func differences() throws {
        final class Differ: NSObject, NSFetchedResultsControllerDelegate {
            var ids: [NSManagedObjectID] = []
            var count = 0
            var controller: AnyObject?
            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
            ) {
                count += 1
                ids = ids.applying(diff) ?? []
                self.controller = controller
            }
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                Issue.record("separate callbacks")
            }
        }
        let world = try World()
        let differ = Differ()
        differ.ids = world.controller.fetchedObjects?.map(\.objectID) ?? []
        world.controller.delegate = differ
        let (ant, cat, dog) = (try world.animal("ant"), try world.animal("cat"), try world.animal("dog"))
        ant.setValue(9, forKey: "age")
        cat.setValue(2.5, forKey: "weight")
        world.stack.context.delete(dog)
        world.stack.context.processPendingChanges()
        #expect(differ.ids == world.controller.fetchedObjects?.map(\.objectID))
        #expect(differ.count == 1)
        let controller = try #require(differ.controller as? NSObject)
        #expect(controller == world.controller)
    }
}
