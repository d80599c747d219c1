import CoreData
import Testing

/// Hooks, validation, notifications and conflicts of saves.
@Suite struct SaveTests {
    @Test("A missing value and several errors have their codes and keys")
    func validation() throws {
        let stack = try TestStack()
        let first = stack.insert("Animal")
        let one = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(one?.errorCode == 1570)
        #expect(one?.validationKey == "name")
        #expect(one?.validationObject as? NSManagedObject === first)
        stack.insert("Animal")
        let several = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(several?.errorCode == 1560)
        #expect((several?.userInfo[NSDetailedErrorsKey] as? [CocoaError])?.count == 2)
        #expect(stack.context.insertedObjects.count == 2)
    }

    @Test("A validator may substitute a value; validation predicates of the model are evaluated")
    func validators() throws {
        let model = Zoo.model()
        let age = try #require(model.entitiesByName["Animal"]?.attributesByName["age"])
        age.setValidationPredicates([NSPredicate(format: "SELF < 100")], withValidationWarnings: [1610])
        let stack = try TestStack(model: model)
        let animal = try #require(stack.insert("Animal", ["name": "trimmed "]) as? Animal)
        try stack.context.save()
        #expect(animal.name == "trimmed")
        var value: AnyObject? = "trimmed " as NSString
        try animal.validateValue(&value, forKey: "name")
        #expect(value as? String == "trimmed")
        animal.setValue(200, forKey: "age")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 1610)
        #expect(error?.validationKey == "age")
        #expect(error?.validationPredicate != nil)
    }

    @Test("Minimum counts are checked when objects are deleted")
    func leastCount() throws {
        let stack = try TestStack()
        let team = stack.insert("Team")
        let player = stack.insert("Player", ["team": team])
        try stack.context.save()
        stack.context.delete(player)
        #expect(code { try stack.context.save() } == 1580)
    }

    /// The names of a context's notifications in order. All are posted on the thread that saves.
    private final class Order: @unchecked Sendable {
        let all: [Notification.Name]
        private(set) var names: [Notification.Name] = []
        private var tokens: [any NSObjectProtocol] = []

        init(_ all: [Notification.Name], of context: NSManagedObjectContext) {
            self.all = all
            tokens = all.map { name in
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] _ in
                    self?.names.append(name)
                }
            }
        }

        deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
    }

    @Test("A save posts its notifications in order, with every key")
    func notifications() throws {
        let stack = try TestStack(options: [NSPersistentHistoryTrackingKey: true])
        let kept = stack.insert("Tag", ["label": "kept"])
        let gone = stack.insert("Tag", ["label": "gone"])
        try stack.context.save()
        let will = Recorded(.NSManagedObjectContextWillSave, object: stack.context)
        let did = Recorded(.NSManagedObjectContextDidSave, object: stack.context)
        let ids = Recorded(.NSManagedObjectContextDidSaveObjectIDs, object: stack.context)
        let order = Order(
            [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextDidSave,
                .NSManagedObjectContextDidSaveObjectIDs,
            ], of: stack.context)
        kept.setValue("edited", forKey: "label")
        stack.context.delete(gone)
        let goneID = gone.objectID
        let new = stack.insert("Tag", ["label": "new"])
        try stack.context.save()
        #expect(order.names == order.all)
        #expect(will.notifications.count == 1)
        #expect(did.objects(NSInsertedObjectsKey) == [new])
        #expect(did.objects(NSUpdatedObjectsKey) == [kept])
        #expect(did.objects(NSDeletedObjectsKey) == [gone])
        #expect(did.notifications.first?.userInfo?[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
        #expect(ids.ids(NSInsertedObjectIDsKey) == [new.objectID])
        #expect(ids.ids(NSUpdatedObjectIDsKey) == [kept.objectID])
        #expect(ids.ids(NSDeletedObjectIDsKey) == [goneID])
    }

    @Test("Objects-did-change lists the inserted, updated and deleted objects of one event")
    func objectsDidChange() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        let first = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        stack.context.processPendingChanges()
        #expect(first.objects(NSInsertedObjectsKey) == [tag])
        try stack.context.save()
        let second = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        tag.setValue("x", forKey: "label")
        stack.context.processPendingChanges()
        stack.context.processPendingChanges()
        #expect(second.notifications.count == 1)
        #expect(second.objects(NSUpdatedObjectsKey) == [tag])
        stack.context.delete(tag)
        stack.context.processPendingChanges()
        #expect(second.objects(NSDeletedObjectsKey) == [tag])
    }

    /// A row changed by two contexts.
    private func contested(_ policy: NSMergePolicy) throws -> (stack: TestStack, mine: Animal) {
        let stack = try TestStack()
        let mine = try #require(stack.insert("Animal", ["name": "base", "age": 1, "weight": 1.0]) as? Animal)
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try other.existingObject(with: mine.objectID)
        theirs.setValue("theirs", forKey: "name")
        theirs.setValue(2, forKey: "age")
        try other.save()
        mine.name = "mine"
        mine.setValue(9.0, forKey: "weight")
        stack.context.mergePolicy = policy
        return (stack, mine)
    }

    @Test("The error policy fails with the conflict")
    func errorPolicy() throws {
        let (stack, mine) = try contested(.error)
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 133020)
        let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
        #expect(conflict.sourceObject === mine)
        #expect(conflict.objectSnapshot?["name"] as? String == "mine")
        #expect(conflict.cachedSnapshot?["name"] as? String == "base")
        #expect(conflict.persistedSnapshot?["name"] as? String == "theirs")
        #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
        #expect(mine.hasChanges)
    }

    @Test(
        "The other policies resolve the conflict as documented",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "mine", 2, 9.0),
            (.mergeByPropertyStoreTrumpMergePolicyType, "theirs", 2, 9.0), (.overwriteMergePolicyType, "mine", 1, 9.0),
            (.rollbackMergePolicyType, "theirs", 2, 1.0),
        ])
    func policies(_ type: NSMergePolicyType, name: String, age: Int, weight: Double) throws {
        let (stack, mine) = try contested(NSMergePolicy(merge: type))
        try stack.context.save()
        let fresh = try stack.newContext().existingObject(with: mine.objectID)
        for object in [mine, fresh] {
            #expect(object.value(forKey: "name") as? String == name)
            #expect(object.value(forKey: "age") as? Int == age)
            #expect(object.value(forKey: "weight") as? Double == weight)
        }
        #expect(!stack.context.hasChanges)
    }

    @Test("A custom policy receives the conflicts and may change the objects")
    func ownPolicy() throws {
        final class Joining: NSMergePolicy, @unchecked Sendable {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                for conflict in list {
                    let theirs = conflict.persistedSnapshot?["name"] as? String ?? ""
                    let mine = conflict.objectSnapshot?["name"] as? String ?? ""
                    conflict.sourceObject.setValue("\(mine) and \(theirs)", forKey: "name")
                }
            }
        }
        let (stack, mine) = try contested(Joining(merge: .mergeByPropertyObjectTrumpMergePolicyType))
        try stack.context.save()
        #expect(mine.name == "mine and theirs")
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'mine and theirs'")) == 1)
    }

    @Test("Uniqueness conflicts under the error, store-trump and object-trump policies")
    func uniqueness() throws {
        let stack = try TestStack()
        let first = stack.insert("Category", ["name": "a", "rank": 1])
        try stack.context.save()
        let second = stack.insert("Category", ["name": "a", "rank": 2])
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 133021)
        let conflict = (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first
        #expect(conflict?.constraint == ["name"])
        #expect(conflict?.databaseObject === first)
        #expect(conflict?.conflictingObjects == [second])
        stack.context.mergePolicy = .mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(try stack.count("Category", NSPredicate(format: "rank == 1")) == 1)
        #expect(try stack.count("Category") == 1)
        stack.insert("Category", ["name": "a", "rank": 3])
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(try stack.count("Category", NSPredicate(format: "rank == 3")) == 1)
        #expect(try stack.count("Category") == 1)
    }

    @Test("More members than a relationship allows are refused with 1590")
    func greatestCount() throws {
        let model = Zoo.model()
        model.entitiesByName["Person"]?.relationshipsByName["animals"]?.maxCount = 2
        let stack = try TestStack(model: model)
        let person = stack.insert("Person")
        let animals = (0..<3).map { stack.insert("Animal", ["name": "\($0)", "keeper": person]) }
        #expect(code { try stack.context.save() } == 1590)
        animals[0].setValue(nil, forKey: "keeper")
        try stack.context.save()
    }

    @Test("A link between objects of two stores is refused with 133010, and nothing is saved")
    func linksAcrossStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let category = stack.insert("Category", ["name": "c"])
        let animal = stack.insert("Animal", ["name": "a", "category": category])
        stack.context.assign(animal, to: second)
        #expect(code { try stack.context.save() } == 133010)
        #expect(try stack.count("Category") == 0 && stack.count("Animal") == 0)
    }
}
