import CoreData
import ObjectGraph
import Testing

/// `propertiesToFetch` of requests for objects.
@Suite("Faults with some values (propertiesToFetch)")
struct PartialFaultTests {
    private func request(_ properties: [Any]) -> NSFetchRequest<Animal> {
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.propertiesToFetch = properties
        return request
    }

    @Test("Listed values are available without firing the fault; any other value reads the row")
    func reading() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let animals = try stack.newContext().fetch(request(["name", "category"]))
        #expect(animals.map(\.name) == ["Mammals 0", "Mammals 1", "Mammals 2"])
        #expect(
            (animals[0].value(forKey: "category") as? NSManagedObject)?.value(forKey: "name") as? String == "Mammals")
        #expect(!animals[0].hasFault(forRelationshipNamed: "category"))
        #expect(animals.allSatisfy { $0.isFault && $0.hooks.isEmpty })
        #expect(animals[1].value(forKey: "age") as? Int == 1)
        #expect(animals[1].hooks == ["awakeFromFetch"])
        #expect(animals.map(\.isFault) == [true, false, true])
        #expect(animals.map(\.name) == ["Mammals 0", "Mammals 1", "Mammals 2"])
    }

    @Test("Setting a value fires the fault")
    func writing() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 2)
        let context = stack.newContext()
        let animals = try context.fetch(request(["name"]))
        animals[0].name = "Mouse"
        #expect(!animals[0].isFault)
        #expect(animals[0].value(forKey: "age") as? Int == 0)
        try context.save()
        let stored = try stack.newContext().fetch(request(["age", "name"]))
        #expect(stored.map(\.name) == ["Mouse", "Mammals 1"])
    }

    @Test("Values saved elsewhere are read again after a merge")
    func merging() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 2)
        let context = stack.newContext()
        let animals = try context.fetch(request(["name"]))
        let other = stack.newContext()
        let theirs = try other.fetch(request(["name"]))
        theirs[0].name = "Mouse"
        try other.save()
        #expect(animals[0].name == "Mammals 0")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [theirs[0].objectID]], into: [context])
        #expect(animals[0].name == "Mouse")
        #expect(animals[1].isFault)
        context.refresh(animals[1], mergeChanges: false)
        #expect(!animals[1].record.carries(0..<1))
        #expect(animals[1].name == "Mammals 1")
    }

    @Test("Properties without a column of their own are refused")
    func refusal() throws {
        let stack = try TestStack()
        #expect(throws: CocoaError.self) { try stack.context.fetch(request(["visits"])) }
        #expect(throws: CocoaError.self) { try stack.context.fetch(request(["nothing"])) }
    }
}
