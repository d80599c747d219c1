import CoreData
import Testing

@Suite("Fetched results")
struct FetchedResultsTests {
    private func stack() throws -> TestStack {
        let stack = try TestStack()
        for (name, age) in [("bee", 1), ("ant", 1), ("cat", 3), ("dog", 3), ("eel", 5)] {
            stack.insert("Animal", ["name": name, "age": age])
        }
        try stack.context.save()
        return stack
    }

    private func names(_ objects: [Any]?) -> [String] {
        (objects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }

    @Test("Before the first fetch there are no results; without a key path there is one section")
    func fetching() throws {
        let stack = try stack()
        let controller = stack.controller()
        #expect(controller.fetchedObjects == nil)
        #expect(controller.sections == nil)
        #expect(controller.sectionIndexTitles.isEmpty)
        try controller.performFetch()
        #expect(names(controller.fetchedObjects) == ["ant", "bee", "cat", "dog", "eel"])
        let sections = try #require(controller.sections)
        #expect(sections.count == 1)
        #expect(sections[0].name == "")
        #expect(sections[0].numberOfObjects == 5)
        #expect(sections[0].indexTitle == nil)
        #expect(names([controller.object(at: IndexPath(row: 2, section: 0))]) == ["cat"])
        let eel = try #require(controller.fetchedObjects?.last)
        #expect(controller.indexPath(forObject: eel) == IndexPath(item: 4, section: 0))
        #expect(controller.sectionNameKeyPath == nil)
        #expect(controller.cacheName == nil)
    }

    @Test("An empty result has an empty section, or none with a key path")
    func empty() throws {
        let stack = try TestStack()
        let (plain, sectioned) = (stack.controller(), stack.controller(sections: "age"))
        try plain.performFetch()
        try sectioned.performFetch()
        #expect(plain.sections?.map(\.numberOfObjects) == [0])
        #expect(sectioned.sections?.isEmpty == true)
    }

    @Test("Sections are runs of results with the same value; numbers and nil have section names too")
    func sections() throws {
        let stack = try stack()
        stack.insert("Animal", ["name": "fly", "age": NSNull()])
        let controller = stack.controller(sections: "age")
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["", "1", "3", "5"])
        #expect(controller.sections?.map(\.numberOfObjects) == [1, 2, 2, 1])
        #expect(names(controller.sections?[2].objects) == ["cat", "dog"])
        #expect(names([controller.object(at: IndexPath(row: 1, section: 2))]) == ["dog"])
        let dog = try #require(controller.fetchedObjects?.first { $0.value(forKey: "name") as? String == "dog" })
        #expect(controller.indexPath(forObject: dog) == IndexPath(row: 1, section: 2))
        let stranger = stack.insert("Person", [:])
        #expect(controller.indexPath(forObject: stranger) == nil)
    }

    @Test("Index titles are the first letters of the section names, and map back to the sections")
    func indexTitles() throws {
        let stack = try TestStack()
        for name in ["ant", "ape", "bee"] { stack.insert("Animal", ["name": name]) }
        let controller = stack.controller(sections: "name", nil, ["name"])
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["A", "A", "B"])
        #expect(controller.sections?.map(\.indexTitle) == ["A", "A", "B"])
        #expect(controller.section(forSectionIndexTitle: "A", at: 1) == 1)
        #expect(controller.section(forSectionIndexTitle: "B", at: 2) == 2)
        #expect(controller.section(forSectionIndexTitle: "B", at: 0) == 2)
        #expect(controller.section(forSectionIndexTitle: "Z", at: 0) == NSNotFound)
    }

    @Test("A subclass, and with precedence a delegate, may provide other index titles")
    func ownIndexTitles() throws {
        final class Whole: NSFetchedResultsController<NSManagedObject> {
            override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "<\(sectionName)>" }
        }
        final class Titles: NSObject, NSFetchedResultsControllerDelegate {
            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                sectionIndexTitleForSectionName sectionName: String
            ) -> String? {
                sectionName == "1" ? nil : "!" + (controller.sectionIndexTitle(forSectionName: sectionName) ?? "")
            }
        }
        let stack = try stack()
        let plain = stack.controller(sections: "age")
        let controller = Whole(
            fetchRequest: plain.fetchRequest, managedObjectContext: plain.managedObjectContext,
            sectionNameKeyPath: "age", cacheName: "ages")
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["<1>", "<3>", "<5>"])
        let titles = Titles()
        controller.delegate = titles
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["!<3>", "!<5>"])
        #expect(controller.section(forSectionIndexTitle: "!<5>", at: 1) == 2)
        NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "ages")
        #expect(controller.cacheName == "ages")
    }

    @Test("An empty list of sort descriptors gives the store's order, and results follow changes")
    func emptyOrder() throws {
        let stack = try stack()
        let controller = stack.controller(sections: nil, nil, [])
        let delegate = SilentDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        #expect(names(controller.fetchedObjects) == ["bee", "ant", "cat", "dog", "eel"])
        stack.insert("Animal", ["name": "fox"])
        stack.context.processPendingChanges()
        #expect(names(controller.fetchedObjects) == ["bee", "ant", "cat", "dog", "eel", "fox"])
    }

    @Test("A request without sort descriptors, or whose order scatters a section, is refused")
    func refusals() throws {
        let stack = try stack()
        let unsorted = NSFetchedResultsController(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Animal"), managedObjectContext: stack.context,
            sectionNameKeyPath: nil, cacheName: nil)
        #expect(code { try unsorted.performFetch() } == 134060)
        #expect(code { try stack.controller(sections: "age", nil, ["name"]).performFetch() } == nil)
        stack.insert("Animal", ["name": "emu", "age": 1])
        #expect(code { try stack.controller(sections: "age", nil, ["name"]).performFetch() } == 134060)
    }

    @Test("A changed request takes effect with the next fetch, without a delegate call")
    func refetching() throws {
        let stack = try stack()
        let controller = stack.controller()
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        controller.fetchRequest.predicate = NSPredicate(format: "age > 3")
        try controller.performFetch()
        #expect(names(controller.fetchedObjects) == ["eel"])
        #expect(table.reports.isEmpty)
    }

    @Test("Without a delegate, results stay as fetched")
    func withoutDelegate() throws {
        let stack = try stack()
        let controller = stack.controller()
        try controller.performFetch()
        stack.insert("Animal", ["name": "fly", "age": 9])
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == 5)
    }

    @Test("Identifiers and dictionaries are not updated")
    func otherResults() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSDictionary>(entityName: "Animal")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["age", "name"]
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "age", cacheName: nil)
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 2, 1])
        stack.insert("Animal", ["name": "fly", "age": 9])
        stack.context.processPendingChanges()
        #expect(table.eventCount == 0)
        #expect(controller.object(at: IndexPath(row: 0, section: 2))["name"] as? String == "eel")
    }

    @Test("With a batch size, results without sections are read when used, and updated")
    func batches() throws {
        let stack = try stack()
        let context = stack.newContext()
        let controller = stack.controller(in: context)
        controller.fetchRequest.fetchBatchSize = 2
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        let animals = try #require(controller.fetchedObjects)
        #expect(animals.filter { !$0.record.isFault }.isEmpty)
        #expect(names([animals[0]]) == ["ant"])
        #expect(animals.filter { !$0.record.isFault }.count == 2)
        table.load(controller)
        stack.insert("Animal", ["name": "fly", "age": 9], in: context)
        context.processPendingChanges()
        #expect(table.reports == ["+[0, 5]"])
    }

    @Test("Row, item and section of an IndexPath can be read and set")
    func indexPaths() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path == IndexPath(item: 3, section: 1))
        path.section = 2
        path.item = 5
        #expect((path.section, path.row) == (2, 5))
        path.row = 0
        #expect(path == [2, 0])
    }
}

/// Makes a controller track changes; implements no method.
private final class SilentDelegate: NSObject, NSFetchedResultsControllerDelegate {}
