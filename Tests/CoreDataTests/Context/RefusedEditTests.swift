import CoreData
import Testing

/// Changes that a context refuses without a caller to throw to.
@Suite struct RefusedEditTests {
    private let stack: TestStack

    init() throws { stack = try TestStack() }

    private func saveError(_ context: NSManagedObjectContext? = nil) -> CocoaError? {
        let error = #expect(throws: CocoaError.self) { try (context ?? stack.context).save() }
        #expect(error?.errorCode == 134030)
        return error
    }

    @Test("A link across contexts makes save throw 134030 and save nothing, until the property has another value")
    func linkAcrossContexts() throws {
        let category = try stack.saveFamily("Mammals", animals: 0)
        let context = stack.newContext()
        let fox = stack.insert("Animal", ["name": "Fox", "category": category], in: context)
        #expect(fox.value(forKey: "category") == nil && context.hasChanges)
        #expect(saveError(context)?.localizedDescription.contains("'Animal.category'") == true)
        #expect(try stack.count("Animal") == 0)
        fox.setValue(context.object(with: category.objectID), forKey: "category")
        try context.save()
        #expect(try stack.count("Animal") == 1)
    }

    @Test("Inserting or deleting an object of another context makes save throw 134030 until it is reverted")
    func otherContexts() throws {
        let tag = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let context = stack.newContext()
        context.insert(tag)
        #expect(saveError(context)?.localizedDescription.contains("was not inserted") == true)
        context.delete(tag)
        try context.save()
        context.delete(tag)
        #expect(saveError(context)?.localizedDescription.contains("was not deleted") == true)
        context.rollback()
        try context.save()
        context.delete(tag)
        context.reset()
        try context.save()
        #expect(try stack.count("Tag") == 1)
    }

    @Test("An object of an entity missing in the stores' model makes save throw 134030")
    func unknownEntity() throws {
        let stranger = NSEntityDescription()
        stranger.name = "Stranger"
        let model = NSManagedObjectModel()
        model.entities = [stranger]
        let object = NSManagedObject(entity: stranger, insertInto: nil)
        stack.context.insert(object)
        #expect(saveError()?.localizedDescription.contains("'Stranger'") == true)
        stack.context.delete(object)
        try stack.context.save()
    }
}
