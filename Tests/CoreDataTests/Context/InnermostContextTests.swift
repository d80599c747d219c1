import CoreData
import Testing

/// `execute()` of a fetch request, which is given no context.
@Suite("Requests executed in the context of the innermost block")
struct InnermostContextTests {
    private nonisolated static func animals() throws -> [NSManagedObject] {
        try NSFetchRequest<NSManagedObject>(entityName: "Animal").execute()
    }

    @Test("On the main queue, a request runs in the context of the innermost block, also in nested blocks")
    @MainActor func nested() throws {
        let stack = try TestStack()
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = context
        stack.insert("Animal", ["name": "Fox"], in: context)
        let own = try context.performAndWait { try Self.animals() }
        #expect(own.map(\.managedObjectContext) == [context])
        let inner = try context.performAndWait { try child.performAndWait { try Self.animals() } }
        #expect(inner.map(\.managedObjectContext) == [child])
        let outer = try context.performAndWait {
            child.performAndWait {}
            return try Self.animals()
        }
        #expect(outer.map(\.managedObjectContext) == [context])
        #expect(code { _ = try Self.animals() } == 132000)
    }
}
