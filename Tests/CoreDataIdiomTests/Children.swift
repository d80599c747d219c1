import CoreData
import Foundation
import Testing

@MainActor @Suite("Child contexts")
struct Children {
    private func child(of context: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        return child
    }

    // Source: widely copied recipe: a scratch context for an editing screen
    @Test("Edits in a child and saves into the parent")
    func edit() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let scratch = child(of: kitchen.context)
        let edited = try #require(scratch.object(with: recipe.objectID) as? Recipe)
        edited.name = "Salad"
        #expect(recipe.name == "Tomato salad")
        try scratch.save()
        #expect(recipe.name == "Salad" && kitchen.context.hasChanges)
        try kitchen.context.save()
    }

    // Source: widely copied recipe: cancelling an editing screen
    @Test("Discards edits by releasing the child")
    func discard() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        (child(of: kitchen.context).object(with: recipe.objectID) as? Recipe)?.name = "Salad"
        #expect(recipe.name == "Tomato salad" && !kitchen.context.hasChanges)
    }

    // Source: widely copied recipe: a private writer above the main context
    @Test("Saves through a chain up to the store")
    func chain() throws {
        let kitchen = try Kitchen(.file)
        let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = kitchen.coordinator
        let main = child(of: writer)
        let worker = child(of: main)
        Recipe(context: worker).name = "Toast"
        var context: NSManagedObjectContext? = worker
        while let current = context {
            try current.performAndWait { try current.save() }
            context = current.parent
        }
        #expect(try kitchen.names() == ["Toast"])
    }

    // Source: Apple, NSManagedObjectContext, 'parent'
    @Test("Sees the parent's unsaved objects")
    func unsaved() throws {
        let kitchen = try Kitchen()
        Recipe(context: kitchen.context).name = "Toast"
        #expect(try kitchen.names(in: child(of: kitchen.context)) == ["Toast"])
    }

    // Source: widely copied recipe: inserting in a child
    @Test("CD12 Gives an object its permanent identifier when the child is saved")
    func permanent() throws {
        let kitchen = try Kitchen()
        let scratch = child(of: kitchen.context)
        let recipe = Recipe(context: scratch)
        try scratch.save()
        #expect(!recipe.objectID.isTemporaryID)
        #expect(kitchen.context.insertedObjects.map(\.objectID) == [recipe.objectID])
    }

    // Source: widely copied recipe: deleting in a child
    @Test("Deletes in the parent by saving the child")
    func delete() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let scratch = child(of: kitchen.context)
        scratch.delete(scratch.object(with: recipe.objectID))
        try scratch.save()
        #expect(recipe.isDeleted)
    }

    // Source: Apple, NSManagedObjectContext, 'parent'
    @Test("CD54 Discards a child's edits of an object that its parent deleted")
    func deletedInParent() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let scratch = child(of: kitchen.context)
        (scratch.object(with: recipe.objectID) as? Recipe)?.name = "Salad"
        kitchen.context.delete(recipe)
        try scratch.save()
        try kitchen.context.save()
        #expect(try kitchen.names().count == 3)
    }

    // Source: Apple, NSManagedObjectContext, 'automaticallyMergesChangesFromParent'
    @Test("Follows the parent's saves")
    func followsParent() async throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let scratch = child(of: kitchen.context)
        scratch.automaticallyMergesChangesFromParent = true
        let copy = try #require(scratch.object(with: recipe.objectID) as? Recipe)
        #expect(copy.name == "Tomato salad")
        recipe.name = "Salad"
        try kitchen.context.save()
        await scratch.perform {}
        #expect(copy.name == "Salad")
    }
}
