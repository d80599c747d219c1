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

    @Test(
        "The handler decides, once, about a row that a refresh finds missing", arguments: [true, false], [true, false])
    func refreshing(isDeleted: Bool, together: Bool) throws {
        let stack = try TestStack()
        let context = Asking(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.shouldDeleteInaccessibleFaults = isDeleted
        let tag = stack.insert("Tag", ["label": "old"])
        try stack.context.save()
        let id = tag.objectID
        let twin = try context.existingObject(with: id)
        twin.setValue("edited", forKey: "label")
        stack.context.delete(tag)
        try stack.context.save()
        if together { context.refreshAllObjects() } else { context.refresh(twin, mergeChanges: true) }
        #expect(twin.isDeleted == isDeleted && twin.managedObjectContext == nil)
        _ = twin.value(forKey: "label")
        #expect(context.asked == [id])
    }

    /// An object of a deleted row, in another context that has tried to read it.
    private func objectOfMissingRow(_ stack: TestStack) throws -> (NSManagedObjectContext, NSManagedObject) {
        let tag = stack.insert("Tag", ["label": "first"])
        try stack.context.save()
        let id = tag.objectID
        stack.context.delete(tag)
        try stack.context.save()
        let context = stack.newContext()
        let object = context.object(with: id)
        #expect(object.value(forKey: "label") == nil)
        return (context, object)
    }

    @Test("An object whose row was missing is not deleted any more once it is inserted again")
    func insertedAgain() throws {
        let stack = try TestStack()
        let (context, object) = try objectOfMissingRow(stack)
        #expect(object.isDeleted)
        context.insert(object)
        #expect(object.isInserted && !object.isDeleted)
        object.setValue("second", forKey: "label")
        try context.save()
        #expect(!object.isDeleted)
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'second'")) == 1)
        context.delete(object)
        #expect(object.isDeleted)
        try context.save()
        #expect(!object.isDeleted)
        #expect(try stack.count("Tag") == 0)
    }

    @Test("An object whose row was missing is not deleted after its new insertion was rolled back")
    func rolledBack() throws {
        let stack = try TestStack()
        let (context, object) = try objectOfMissingRow(stack)
        context.insert(object)
        context.rollback()
        #expect(!object.isDeleted && !object.isInserted && object.managedObjectContext == nil)
    }

    @Test("An object of no row that a link inserts is not deleted, and not after its deletion was saved either")
    func insertedByLink() throws {
        let stack = try TestStack()
        let unsaved = stack.insert("Person")
        let context = stack.newContext()
        let person = context.object(with: unsaved.objectID)
        #expect(person.isDeleted)
        stack.insert("Animal", ["name": "a", "keeper": person], in: context)
        #expect(person.isInserted && !person.isDeleted)
        try context.save()
        context.delete(person)
        try context.save()
        #expect(!person.isDeleted)
        #expect(try stack.count("Person") == 0)
    }
}
