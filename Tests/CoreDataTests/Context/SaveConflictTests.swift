import CoreData
import Testing

/// Conflicts that merge policies receive and may change, and detection of conflicts for unchanged objects.
@Suite struct SaveConflictTests {
    /// Passes uniqueness conflicts to a closure of the test.
    private final class Asking: NSMergePolicy, @unchecked Sendable {
        var answer: (NSConstraintConflict) -> Void = { _ in }

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws { list.forEach(answer) }
    }

    /// A stored row that the context has not read, and a new object with the same unique value.
    private func contested(_ policy: Asking) throws -> (stack: TestStack, new: NSManagedObject) {
        let stack = try TestStack()
        let other = stack.newContext()
        stack.insert("Category", ["name": "a", "rank": 1], in: other)
        try other.save()
        let new = stack.insert("Category", ["name": "a", "rank": 2])
        stack.context.mergePolicy = policy
        return (stack, new)
    }

    @Test("The database object of a uniqueness conflict has its values, whether or not it was read before")
    func databaseSnapshot() throws {
        let policy = Asking(merge: .errorMergePolicyType)
        let (stack, _) = try contested(policy)
        var shown: [NSConstraintConflict] = []
        policy.answer = { shown.append($0) }
        #expect(code { try stack.context.save() } == 133021)
        #expect(shown.count == 1)
        #expect(shown.first?.databaseSnapshot?["rank"] as? Int == 1)
        #expect(shown.first?.conflictingSnapshots.first?["rank"] as? Int == 2)
    }

    @Test("A policy may resolve a uniqueness conflict by changing, or deleting, the stored object")
    func changingTheStoredObject() throws {
        for deletes in [false, true] {
            let policy = Asking(merge: .errorMergePolicyType)
            let (stack, new) = try contested(policy)
            policy.answer = { conflict in
                guard let stored = conflict.databaseObject else { return }
                if deletes {
                    stored.managedObjectContext?.delete(stored)
                } else {
                    stored.setValue("b", forKey: "name")
                }
            }
            try stack.context.save()
            #expect(!new.hasChanges)
            #expect(try stack.count("Category", NSPredicate(format: "name == 'a' AND rank == 2")) == 1)
            #expect(try stack.count("Category", NSPredicate(format: "name == 'b' AND rank == 1")) == (deletes ? 0 : 1))
        }
    }

    @Test("Changes made by a policy are posted")
    func postingWhatPoliciesChange() throws {
        let policy = Asking(merge: .errorMergePolicyType)
        let (stack, _) = try contested(policy)
        policy.answer = { $0.databaseObject?.setValue("b", forKey: "name") }
        stack.context.processPendingChanges()
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        try stack.context.save()
        #expect(changes.objects(NSUpdatedObjectsKey).count == 1)
    }

    @Test(
        "An edited object that takes another row's unique value fails, even if objects trump stores",
        arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
    func editedIntoARow(_ type: NSMergePolicyType) throws {
        let stack = try TestStack()
        stack.insert("Category", ["name": "a"])
        let edited = stack.insert("Category", ["name": "b"])
        try stack.context.save()
        edited.setValue("a", forKey: "name")
        stack.context.mergePolicy = NSMergePolicy(merge: type)
        #expect(code { try stack.context.save() } == 133021)
        #expect(edited.hasChanges)
        #expect(try stack.count("Category", NSPredicate(format: "name == 'b'")) == 1)
    }

    // MARK: Detecting conflicts

    @Test("detectConflicts includes an unchanged object in each save, until one succeeds")
    func detectConflicts() throws {
        let stack = try TestStack()
        let watched = stack.insert("Tag", ["label": "a"])
        let edited = stack.insert("Tag", ["label": "b"])
        try stack.context.save()
        try changeElsewhere(watched, "x", stack)
        edited.setValue("c", forKey: "label")
        stack.context.detectConflicts(for: watched)
        for _ in 0..<2 {
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            #expect(error?.errorCode == 133020)
            #expect(error?.persistentStoreSaveConflicts?.first?.sourceObject === watched)
            #expect(try stack.count("Tag", NSPredicate(format: "label == 'c'")) == 0)
        }
        stack.context.refresh(watched, mergeChanges: true)
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'c'")) == 1)
        try changeElsewhere(watched, "y", stack)
        edited.setValue("d", forKey: "label")
        try stack.context.save()
    }

    @Test("A save of unchanged objects alone detects their conflicts, and writes nothing")
    func watchingOnly() throws {
        let stack = try TestStack(options: [NSPersistentHistoryTrackingKey: true])
        let watched = stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        stack.context.detectConflicts(for: watched)
        try stack.context.save()
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == token)
        try changeElsewhere(watched, "x", stack)
        stack.context.detectConflicts(for: watched)
        #expect(code { try stack.context.save() } == 133020)
        stack.context.mergePolicy = .mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(watched.value(forKey: "label") as? String == "x")
    }

    private func changeElsewhere(_ object: NSManagedObject, _ label: String, _ stack: TestStack) throws {
        let other = stack.newContext()
        try other.existingObject(with: object.objectID).setValue(label, forKey: "label")
        try other.save()
    }

    @Test(
        "A new object that replaces a stored row is reported as updated, and merged as updated",
        arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
    func upsertNotifications(_ type: NSMergePolicyType) throws {
        let stack = try TestStack()
        let other = stack.newContext()
        let stored = stack.insert("Category", ["name": "a", "rank": 1], in: other)
        try other.save()
        _ = stored.value(forKey: "rank")
        stack.context.mergePolicy = NSMergePolicy(merge: type)
        let upserted = stack.insert("Category", ["name": "a", "rank": 2])
        let new = stack.insert("Category", ["name": "b"])
        let did = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        let ids = Recorded(.NSManagedObjectContextDidSaveObjectIDs, object: stack.context)
        try stack.context.save()
        #expect(did.objects(NSInsertedObjectsKey) == [new] && did.objects(NSUpdatedObjectsKey) == [upserted])
        #expect(ids.ids(NSInsertedObjectIDsKey) == [new.objectID])
        #expect(ids.ids(NSUpdatedObjectIDsKey) == [upserted.objectID])
        other.mergeChanges(fromContextDidSave: try #require(did.notifications.first))
        #expect(stored.value(forKey: "rank") as? Int == 2)
    }

    @Test(
        "A new object that yields to a stored row is not reported, and its didSave is not called",
        arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func droppedInsertions(_ type: NSMergePolicyType) throws {
        let model = Zoo.model()
        model.entitiesByName["Animal"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        let first = stack.newContext()
        stack.insert("Animal", ["name": "a"], in: first)
        try first.save()
        stack.context.mergePolicy = NSMergePolicy(merge: type)
        let dropped = try #require(stack.insert("Animal", ["name": "a"]) as? Animal)
        let new = stack.insert("Tag")
        let did = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        try stack.context.save()
        #expect(did.objects(NSInsertedObjectsKey) == [new] && did.objects(NSUpdatedObjectsKey).isEmpty)
        #expect(!dropped.hooks.contains("didSave"))
        #expect(try stack.count("Animal") == 1)
    }
}
