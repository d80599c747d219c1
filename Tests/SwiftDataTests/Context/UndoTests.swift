import Foundation
import SwiftData
import Testing

@Suite("Undo")
struct UndoTests {
    private func context() throws -> (ModelContext, UndoManager) {
        let context = ModelContext(try makeZoo())
        let manager = UndoManager()
        context.undoManager = manager
        return (context, manager)
    }

    @Test("Edits, inserts and links up to a save are one step, undone and redone")
    func edits() throws {
        let (context, manager) = try context()
        let fox = Animal(name: "Fox", age: 1)
        context.insert(fox)
        try context.save()
        fox.age = 2
        fox.name = "Red fox"
        fox.category = AnimalCategory(name: "Mammals")
        manager.undo()
        #expect(fox.age == 1)
        #expect(fox.name == "Fox")
        #expect(fox.category == nil)
        #expect(try context.fetchCount(FetchDescriptor<AnimalCategory>()) == 0)
        manager.redo()
        #expect(fox.age == 2)
        #expect(fox.category?.name == "Mammals")
        #expect(fox.category?.animals == [fox])
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetch(FetchDescriptor<Animal>()).first?.category?.name == "Mammals")
    }

    @Test("Undoing an unsaved cascading delete restores all its models and links")
    func unsavedDelete() throws {
        let (context, manager) = try context()
        let mammals = AnimalCategory(name: "Mammals")
        let fox = Animal(name: "Fox", category: mammals)
        let tag = Tag(label: "red")
        fox.tags = [tag]
        context.insert(mammals)
        try context.save()
        context.delete(mammals)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 0)
        manager.undo()
        #expect(mammals.animals == [fox])
        #expect(tag.animals == [fox])
        #expect(!context.hasChanges || context.deletedModelsArray.isEmpty)
        manager.redo()
        try context.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("Undoing a saved delete inserts a new row, linked with the survivors")
    func savedDelete() throws {
        let (context, manager) = try context()
        let mammals = AnimalCategory(name: "Mammals")
        let fox = Animal(name: "Fox", age: 4, category: mammals)
        context.insert(mammals)
        try context.save()
        context.delete(fox)
        try context.save()
        #expect(mammals.animals.isEmpty)
        manager.undo()
        #expect(mammals.animals == [fox])
        #expect(fox.category === mammals)
        try context.save()
        let other = ModelContext(context.container)
        let read = try #require(try other.fetch(FetchDescriptor<Animal>()).first)
        #expect(read.age == 4)
        #expect(read.category?.name == "Mammals")
    }
}
