import CoreData
import Testing

/// Objects of a context after `reset()`, or after a refresh without merging.
@Suite("Objects after reset and refresh")
struct LeftBehindObjectTests {
    @Test(
        "Objects from before a reset identify their rows in predicates of fetches",
        arguments: [
            ("SELF == %@", 1), ("SELF != %@", 2),
        ])
    func single(format: String, count: Int) throws {
        let stack = try TestStack()
        let fox = try savedFox(stack)
        stack.context.reset()
        #expect(try stack.context.count(for: stack.request("Animal", NSPredicate(format: format, fox))) == count)
    }

    @Test(
        "Objects from before a reset identify rows in lists",
        arguments: [
            ("SELF IN %@", 1), ("NOT (SELF IN %@)", 2),
        ])
    func lists(format: String, count: Int) throws {
        let stack = try TestStack()
        let fox = try savedFox(stack)
        stack.context.reset()
        #expect(try stack.context.count(for: stack.request("Animal", NSPredicate(format: format, [fox]))) == count)
        let set = NSSet(array: [fox])
        #expect(try stack.newContext().count(for: stack.request("Animal", NSPredicate(format: format, set))) == count)
    }

    private func savedFox(_ stack: TestStack) throws -> NSManagedObject {
        let fox = stack.insert("Animal", ["name": "Fox"])
        stack.insert("Animal", ["name": "Owl"])
        stack.insert("Animal", ["name": "Elk"])
        try stack.context.save()
        return fox
    }

    @Test("CD67 A new object refreshed without merging is a fault until it is read, and keeps its values")
    func refreshedInsertion() throws {
        let stack = try TestStack()
        let fox = stack.insert("Animal", ["name": "Fox"])
        stack.context.refresh(fox, mergeChanges: false)
        #expect(fox.isFault && fox.isInserted)
        #expect(fox.value(forKey: "name") as? String == "Fox")
        #expect(!fox.isFault)
        #expect((fox as? Animal)?.hooks == ["awakeFromInsert"])
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'Fox'")) == 1)
    }

    @Test("CD67 Objects are faults without a context after a reset; their last values can be read")
    func reset() throws {
        let stack = try TestStack()
        let fox = try savedFox(stack)
        stack.context.reset()
        #expect(fox.isFault && fox.managedObjectContext == nil)
        #expect(fox.value(forKey: "name") as? String == "Fox")
        #expect((fox as? Animal)?.hooks.contains("awakeFromFetch") == false)
    }
}
