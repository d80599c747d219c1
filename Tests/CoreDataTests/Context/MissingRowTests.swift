import CoreData
import Testing

@Suite("Objects whose rows are missing")
struct MissingRowTests {
    final class Asking: NSManagedObjectContext, @unchecked Sendable {
        // Used by one test only.
        var asked: [NSManagedObjectID] = []

        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append(oid)
            return super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
        }
    }

    @Test(
        "Values of a missing row are nil; the context's handler decides whether it is deleted",
        arguments: [true, false])
    func asking(isDeleted: Bool) throws {
        let stack = try TestStack()
        let context = Asking(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.shouldDeleteInaccessibleFaults = isDeleted
        let animal = stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        let twin = context.object(with: animal.objectID)
        stack.context.delete(animal)
        try stack.context.save()
        #expect(context.asked.isEmpty)
        #expect(twin.value(forKey: "name") == nil)
        #expect(twin.value(forKey: "age") == nil)
        #expect(context.asked == [animal.objectID])
        #expect(twin.isDeleted == isDeleted)
    }
}
