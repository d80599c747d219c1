import CoreData
import Foundation
import Testing

@Suite("Accessors that use primitive values")
struct PrimitiveValueTests {
    private func set(_ value: Any?, _ key: String, of object: NSManagedObject) {
        object.willChangeValue(forKey: key)
        object.setPrimitiveValue(value, forKey: key)
        object.didChangeValue(forKey: key)
    }

    @Test("Setting a to-one relationship maintains both other ends, and is saved")
    func inverse() throws {
        let stack = try TestStack()
        let old = try stack.saveFamily("Mammals", animals: 1)
        let new = try stack.saveFamily("Birds", animals: 0)
        let animal = try #require((old.value(forKey: "animals") as? Set<Animal>)?.first)
        #expect((new.value(forKey: "animals") as? Set<Animal>)?.isEmpty == true)
        set(new, "category", of: animal)
        #expect(animal.value(forKey: "category") as? NSManagedObject == new)
        #expect((old.value(forKey: "animals") as? Set<Animal>)?.isEmpty == true)
        #expect(new.value(forKey: "animals") as? Set<Animal> == [animal])
        try stack.context.save()
        let again = try stack.newContext().existingObject(with: animal.objectID)
        #expect(again.value(forKeyPath: "category.name") as? String == "Birds")
        set(nil, "category", of: animal)
        #expect((new.value(forKey: "animals") as? Set<Animal>)?.isEmpty == true)
    }

    @Test("Undo reverts the change at both ends")
    func undo() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily("Mammals", animals: 1)
        let animal = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        stack.context.undoManager = UndoManager()
        stack.context.undoManager?.groupsByEvent = false
        stack.context.undoManager?.beginUndoGrouping()
        set("Rex", "name", of: animal)
        set(nil, "category", of: animal)
        stack.context.processPendingChanges()
        stack.context.undoManager?.endUndoGrouping()
        #expect(animal.value(forKey: "name") as? String == "Rex")
        stack.context.undo()
        #expect(animal.value(forKey: "name") as? String == "Mammals 0")
        #expect(animal.value(forKey: "category") as? NSManagedObject == category)
        #expect(category.value(forKey: "animals") as? Set<Animal> == [animal])
    }

    @Test("Without willChangeValue and didChangeValue, no change is recorded")
    func unannounced() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily("Mammals", animals: 1)
        let animal = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        animal.setPrimitiveValue("Rex", forKey: "name")
        #expect(!animal.hasChanges)
        #expect(animal.value(forKey: "name") as? String == "Rex")
        // The other end of a relationship is the caller's responsibility, as the documentation of Apple's method says.
        animal.setPrimitiveValue(nil, forKey: "category")
        #expect(animal.value(forKey: "category") == nil)
        #expect(category.value(forKey: "animals") as? Set<Animal> == [animal])
        #expect(!stack.context.hasChanges)
    }
}
