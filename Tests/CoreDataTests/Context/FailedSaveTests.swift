import CoreData
import ObjectGraph
import Testing

/// Effects of merge policies on objects if the save fails after all, or succeeds.
@Suite struct FailedSaveTests {
    /// Resolves conflicts as its type says, up to a given number of uniqueness conflicts, then throws.
    private final class Wavering: NSMergePolicy, @unchecked Sendable {
        // Used by one test only.
        var patience = 1

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            patience -= 1
            if patience < 0 { throw CocoaError(.managedObjectConstraintMerge) }
            try super.resolve(constraintConflicts: list)
        }
    }

    /// Names of categories and of persons are unique; there are a category and a person of the name `a`.
    private func stack() throws -> TestStack {
        let model = Zoo.model()
        model.entitiesByName["Person"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        let other = stack.newContext()
        for entity in ["Category", "Person"] { stack.insert(entity, ["name": "a"], in: other) }
        try other.save()
        return stack
    }

    @Test("If the save fails, new objects that yielded to stored rows are inserted again, with their relationships")
    func newObjects() throws {
        let stack = try stack()
        let context = stack.context
        let category = stack.insert("Category", ["name": "a", "rank": 7])
        let person = stack.insert("Person", ["name": "a"])
        let animal = stack.insert("Animal", ["name": "fox", "category": category, "keeper": person])
        context.mergePolicy = Wavering(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        #expect(code { try context.save() } == 133021)
        #expect(context.insertedObjects == [category, person, animal])
        #expect(category.value(forKey: "animals") as? Set<NSManagedObject> == [animal])
        #expect(person.value(forKey: "animals") as? Set<NSManagedObject> == [animal])
        #expect(animal.value(forKey: "category") as? NSManagedObject === category)
        try context.graph.checkInvariants()
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try stack.count("Category", NSPredicate(format: "name == 'a' AND rank == 7")) == 1)
        #expect(try stack.count("Animal", NSPredicate(format: "category.name == 'a' AND keeper.name == 'a'")) == 1)
    }

    @Test("If the save fails, edited objects that yielded to stored values have their edits again")
    func editedObjects() throws {
        let stack = try stack()
        let context = stack.context
        let objects = ["Category", "Person", "Tag"].map { stack.insert($0) }
        for object in objects.prefix(2) { object.setValue("b", forKey: "name") }
        try context.save()
        let other = stack.newContext()
        try other.existingObject(with: objects[2].objectID).setValue("theirs", forKey: "label")
        try other.save()
        for object in objects.prefix(2) { object.setValue("a", forKey: "name") }
        objects[2].setValue("ours", forKey: "label")
        context.mergePolicy = Wavering(merge: .rollbackMergePolicyType)
        #expect(code { try context.save() } == 133021)
        #expect(context.updatedObjects == Set(objects))
        #expect(objects.prefix(2).allSatisfy { $0.value(forKey: "name") as? String == "a" })
        #expect(objects[2].value(forKey: "label") as? String == "ours")
        #expect(objects[2].committedValues(forKeys: ["label"])["label"] as? NSNull != nil)
        try context.graph.checkInvariants()
        for object in objects.prefix(2) { object.setValue("c", forKey: "name") }
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'ours'")) == 1)
    }

    @Test("A deletion reverted by the rollback policy restores the objects it cascaded to, and no others")
    func takenBackCascades() throws {
        let stack = try TestStack()
        let context = stack.context
        let category = try stack.saveFamily(animals: 3)
        let animals = try context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).sorted { $0.age < $1.age }
        let tag = stack.insert("Tag", ["animals": Set(animals)])
        try context.save()
        let other = stack.newContext()
        try other.existingObject(with: category.objectID).setValue(5, forKey: "rank")
        try other.save()
        context.delete(animals[0])
        context.delete(category)
        context.processPendingChanges()
        #expect(animals.allSatisfy { $0.isDeleted })
        context.mergePolicy = .rollback
        try context.save()
        #expect(!category.isDeleted && category.value(forKey: "rank") as? Int == 5)
        #expect(animals[0].managedObjectContext == nil)
        let kept = Set(animals.dropFirst())
        #expect(category.value(forKey: "animals") as? Set<Animal> == kept)
        #expect(tag.value(forKey: "animals") as? Set<Animal> == kept)
        #expect(kept.allSatisfy { !$0.hasChanges && $0.managedObjectContext === context })
        try context.graph.checkInvariants()
        #expect(try stack.count("Animal", NSPredicate(format: "category.rank == 5 AND tags.@count == 1")) == 2)
        #expect(try stack.count("Animal") == 2)
    }
}

extension Animal {
    fileprivate var age: Int { value(forKey: "age") as? Int ?? 0 }
}
