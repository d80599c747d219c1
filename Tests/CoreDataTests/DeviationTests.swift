import CoreData
import Foundation
import Testing

/// Differences from Apple's framework that belong to no other suite.
@Suite("Deviations of the Core Data face")
struct DeviationTests {
    private func category(_ name: String, in stack: TestStack) throws -> NSManagedObject {
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Category", in: stack.context))
        let category = NSManagedObject(entity: entity, insertInto: stack.context)
        category.setValue(name, forKey: "name")
        try stack.context.save()
        return category
    }

    @Test("CD9 A request converted to another result type is otherwise equal, and leaves the original unchanged")
    func conversion() throws {
        let stack = try TestStack()
        let category = try category("Mammal", in: stack)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        request.predicate = NSPredicate(format: "name == %@", "Mammal")
        request.fetchLimit = 3
        let ids = request.converted(to: NSManagedObjectID.self)
        ids.resultType = .managedObjectIDResultType
        #expect(ids.fetchLimit == 3)
        #expect(try stack.context.fetch(ids) == [category.objectID])
        #expect(request.resultType == .managedObjectResultType)
        #expect(try stack.context.fetch(request) == [category])
    }

    @Test("CD16 A fetch refreshes unedited objects, even within the staleness interval")
    func staleness() throws {
        let stack = try TestStack()
        stack.context.stalenessInterval = 3600
        let category = try category("Mammal", in: stack)
        let other = stack.newContext()
        try other.existingObject(with: category.objectID).setValue("Bird", forKey: "name")
        try other.save()
        #expect(category.value(forKey: "name") as? String == "Mammal")
        _ = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Category"))
        #expect(category.value(forKey: "name") as? String == "Bird")
        #expect(stack.context.stalenessInterval == 3600)
    }

    @Test("CD43 Setting an equal value is no change")
    func equalValues() throws {
        let stack = try TestStack()
        let category = try category("Mammal", in: stack)
        category.setValue("Mammal", forKey: "name")
        #expect(!category.isUpdated && !stack.context.hasChanges)
        category.setValue("Bird", forKey: "name")
        #expect(category.isUpdated)
    }
}
