import CoreData
import Testing

/// A store that cannot be read for a while, such as a store across a network.
@Suite struct FailingStoreTests {
    private struct Offline: Error {}

    private let stack: TestStack
    private let store: DictionaryStore

    init() throws {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, type: .init(rawValue: "Dictionary"))
        stack = try TestStack(addsStore: false)
        let added = try stack.coordinator.addPersistentStore(
            type: .init(rawValue: "Dictionary"), at: URL(fileURLWithPath: "/dev/null"),
            options: ["name": UUID().uuidString])
        store = try #require(added as? DictionaryStore)
        for name in ["ant", "bee", "cat"] {
            store.rows[name] = .init(entity: "Animal", values: ["name": name, "age": 1])
        }
    }

    private func animal(_ name: String) throws -> Animal {
        try #require(try stack.context.existingObject(with: id(name)) as? Animal)
    }

    private func id(_ name: String) throws -> NSManagedObjectID {
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Animal", in: stack.context))
        return store.newObjectID(for: entity, referenceObject: name)
    }

    private func change(_ name: String, _ values: [String: Any]) {
        store.rows[name]?.values.merge(values) { $1 }
        store.rows[name]?.version += 1
    }

    /// Has the context merge changes while the store fails.
    private func mergeOffline(_ changes: [AnyHashable: Any]) {
        store.failure = Offline()
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [stack.context])
        store.failure = nil
    }

    @Test("Unedited objects whose rows a merge cannot read are read when they are next used")
    func merging() throws {
        let (ant, bee, cat) = (try animal("ant"), try animal("bee"), try animal("cat"))
        #expect([ant, bee, cat].map(\.name) == ["ant", "bee", "cat"])
        bee.name = "mine"
        stack.context.processPendingChanges()
        for name in ["ant", "bee"] { change(name, ["name": "new", "age": 2]) }
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        mergeOffline([NSUpdatedObjectIDsKey: [ant.objectID, bee.objectID]])
        #expect(changes.objects(NSRefreshedObjectsKey) == [ant])
        #expect(ant.isFault && !bee.isFault && !cat.isFault)
        #expect(ant.name == "new" && bee.name == "mine")
        #expect(bee.hasChanges && !ant.hasChanges)
    }

    @Test("Fetched results report changes made while the store failed with the next change")
    func fetchedResults() throws {
        let controller = stack.controller(nil, ["name"])
        let table = ResultTable()
        controller.delegate = table
        try controller.performFetch()
        table.load(controller)
        store.rows["dog"] = .init(entity: "Animal", values: ["name": "dog", "age": 1])
        store.rows["bee"] = nil
        mergeOffline([NSInsertedObjectIDsKey: [try id("dog")], NSDeletedObjectIDsKey: [try id("bee")]])
        #expect(table.reports.isEmpty)
        try animal("ant").setValue(3, forKey: "age")
        stack.context.processPendingChanges()
        #expect(table.faults.isEmpty, "\(table.faults)")
        #expect(table.sections.first?.rows.map { $0.value(forKey: "name") as? String } == ["ant", "cat", "dog"])
        let count = table.eventCount
        stack.insert("Tag")
        stack.context.processPendingChanges()
        #expect(table.eventCount == count)
    }
}
