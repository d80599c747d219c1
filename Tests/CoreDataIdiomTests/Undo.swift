import CoreData
import Foundation
import Testing

@MainActor @Suite("Undo")
struct Undo {
    private func editable() throws -> (Kitchen, Recipe) {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        kitchen.context.undoManager = UndoManager()
        return (kitchen, recipe)
    }

    // Source: Apple, NSManagedObjectContext, 'undoManager'
    @Test("Undoes and redoes an edit")
    func edit() throws {
        let (kitchen, recipe) = try editable()
        recipe.name = "Salad"
        kitchen.context.processPendingChanges()
        kitchen.context.undo()
        #expect(recipe.name == "Tomato salad")
        kitchen.context.redo()
        #expect(recipe.name == "Salad")
    }

    // Source: Apple, UndoManager, 'beginUndoGrouping()'
    @Test("Groups several edits into one step")
    func group() throws {
        let (kitchen, recipe) = try editable()
        let manager = try #require(kitchen.context.undoManager)
        manager.beginUndoGrouping()
        recipe.name = "Salad"
        kitchen.context.processPendingChanges()
        recipe.minutes = 11
        kitchen.context.processPendingChanges()
        manager.endUndoGrouping()
        kitchen.context.undo()
        #expect(recipe.name == "Tomato salad" && recipe.minutes == 10)
    }

    // Source: widely copied recipe: undoing a deletion
    @Test("Undoes a deletion")
    func delete() throws {
        let (kitchen, recipe) = try editable()
        kitchen.context.delete(recipe)
        kitchen.context.processPendingChanges()
        kitchen.context.undo()
        #expect(!recipe.isDeleted)
        #expect(try kitchen.names().count == 4)
        #expect(recipe.tags.count == 2 && recipe.ingredients?.count == 2)
    }

    // Source: widely copied recipe: undoing an insertion
    @Test("Undoes an insertion")
    func insert() throws {
        let (kitchen, _) = try editable()
        _ = Cook(context: kitchen.context)
        kitchen.context.processPendingChanges()
        kitchen.context.undo()
        #expect(try kitchen.context.count(for: Cook.fetchRequest()) == 2)
    }

    // Source: Apple, 'Core Data Programming Guide', disabling undo while importing
    @Test("Imports without undo steps")
    func disabled() throws {
        let (kitchen, recipe) = try editable()
        let manager = try #require(kitchen.context.undoManager)
        kitchen.context.processPendingChanges()
        manager.disableUndoRegistration()
        recipe.name = "Salad"
        kitchen.context.processPendingChanges()
        manager.enableUndoRegistration()
        #expect(!manager.canUndo)
    }

    // Source: widely copied recipe: naming a step for the menu
    @Test("Names a step for the menu")
    func named() throws {
        let (kitchen, recipe) = try editable()
        recipe.name = "Salad"
        kitchen.context.undoManager?.setActionName("Rename")
        kitchen.context.processPendingChanges()
        #expect(kitchen.context.undoManager?.undoActionName == "Rename")
    }
}
