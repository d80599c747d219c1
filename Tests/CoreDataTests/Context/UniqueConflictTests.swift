import CoreData
import Testing

/// Many objects with uniqueness conflicts.
@Suite struct UniqueConflictTests {
    /// Counts its calls and the conflicts of each.
    private final class Counting: NSMergePolicy, @unchecked Sendable {
        private(set) var counts: [Int] = []
        var answer: (([NSConstraintConflict]) -> Void)?
        /// An entity whose conflicts it does not resolve.
        var refused: String?

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            counts.append(list.count)
            if let refused, list.contains(where: { $0.conflictingObjects.first?.entity.name == refused }) {
                throw CocoaError(.managedObjectConstraintMerge)
            }
            if let answer { return answer(list) }
            try super.resolve(constraintConflicts: list)
        }
    }

    private func storedNames(_ stack: TestStack, _ count: Int) throws {
        let other = stack.newContext()
        for number in 0..<count { stack.insert("Category", ["name": "\(number)", "rank": 1], in: other) }
        try other.save()
    }

    @Test(
        "A policy gets the conflicts of any number of new objects in one call, and all are saved or yield"
    )
    func manyDuplicates() throws {
        let stack = try TestStack()
        try storedNames(stack, 1200)
        let policy = Counting(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        stack.context.mergePolicy = policy
        for number in 0..<1300 { stack.insert("Category", ["name": "\(number)", "rank": 2]) }
        try stack.context.save()
        #expect(policy.counts == [1200])
        #expect(try stack.count("Category", NSPredicate(format: "rank == 1")) == 1200)
        #expect(try stack.count("Category", NSPredicate(format: "rank == 2")) == 100)
    }

    @Test("Equal new objects are one conflict, and one of them stays")
    func equalNewObjects() throws {
        let stack = try TestStack()
        try storedNames(stack, 1)
        let policy = Counting(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        stack.context.mergePolicy = policy
        var shown: [(stored: NSManagedObject?, objects: Set<NSManagedObject>)] = []
        policy.answer = { list in
            shown = list.map { ($0.databaseObject, Set($0.conflictingObjects)) }
            policy.answer = nil
            try? policy.resolve(constraintConflicts: list)
        }
        let stored = (0..<3).map { _ in stack.insert("Category", ["name": "0", "rank": 2]) }
        let new = (0..<4).map { stack.insert("Category", ["name": "new", "rank": $0]) }
        try stack.context.save()
        #expect(shown.map(\.objects) == [Set(stored), Set(new)])
        #expect(shown.map { $0.stored != nil } == [true, false])
        #expect(try stack.count("Category") == 2)
        #expect(try stack.count("Category", NSPredicate(format: "name == 'new' AND rank == 0")) == 1)
    }

    @Test("Edited objects that conflict with stored values are reverted together")
    func manyEdits() throws {
        let stack = try TestStack()
        try storedNames(stack, 40)
        let edited = (0..<30).map { stack.insert("Category", ["name": "own \($0)", "rank": 2]) }
        try stack.context.save()
        for (number, object) in edited.enumerated() { object.setValue("\(number)", forKey: "name") }
        edited[0].setValue(3, forKey: "rank")
        let policy = Counting(merge: .rollbackMergePolicyType)
        stack.context.mergePolicy = policy
        try stack.context.save()
        #expect(policy.counts == [30])
        #expect(edited[7].value(forKey: "name") as? String == "own 7")
        #expect(try stack.count("Category", NSPredicate(format: "name BEGINSWITH 'own'")) == 30)
        #expect(try stack.count("Category", NSPredicate(format: "rank == 3")) == 1)
    }

    @Test("Conflicts of several constraints are passed to the policy one constraint at a time")
    func severalConstraints() throws {
        let model = Zoo.model()
        model.entitiesByName["Category"]?.uniquenessConstraints = [["name"], ["rank"]]
        let stack = try TestStack(model: model)
        let other = stack.newContext()
        for number in 0..<5 { stack.insert("Category", ["name": "\(number)", "rank": number], in: other) }
        try other.save()
        let policy = Counting(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        stack.context.mergePolicy = policy
        for number in 0..<3 { stack.insert("Category", ["name": "\(number)", "rank": 100 + number]) }
        for number in 0..<2 { stack.insert("Category", ["name": "new \(number)", "rank": number]) }
        stack.insert("Category", ["name": "new", "rank": 50])
        try stack.context.save()
        #expect(policy.counts.sorted() == [2, 3])
        #expect(try stack.count("Category") == 6)
    }

    @Test("A policy that changes one object at a time is called until no conflict is left")
    func oneAtATime() throws {
        let stack = try TestStack()
        try storedNames(stack, 5)
        let policy = Counting(merge: .errorMergePolicyType)
        policy.answer = { list in
            let object = list.first?.conflictingObjects.first
            object?.setValue("again \(object?.value(forKey: "name") ?? "")", forKey: "name")
        }
        stack.context.mergePolicy = policy
        for number in 0..<5 { stack.insert("Category", ["name": "\(number)"]) }
        try stack.context.save()
        #expect(policy.counts == [5, 4, 3, 2, 1])
        #expect(try stack.count("Category") == 10)
    }

    @Test("A policy that changes nothing, or always chooses a taken value, ends in the error of the constraint")
    func noProgress() throws {
        let stack = try TestStack()
        try storedNames(stack, 2)
        let policy = Counting(merge: .errorMergePolicyType)
        policy.answer = { _ in }
        stack.context.mergePolicy = policy
        let object = stack.insert("Category", ["name": "0"])
        #expect(code { try stack.context.save() } == 133021)
        #expect(policy.counts == [1])
        policy.answer = { _ in
            object.setValue(object.value(forKey: "name") as? String == "0" ? "1" : "0", forKey: "name")
        }
        #expect(code { try stack.context.save() } == 133021)
        #expect(try stack.count("Category") == 2)
    }

    @Test("A policy may let some objects yield and others update the existing rows")
    func differentAnswers() throws {
        let stack = try TestStack()
        try storedNames(stack, 4)
        let policy = Counting(merge: .errorMergePolicyType)
        let (keeping, updating) = (
            NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType),
            NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        )
        policy.answer = { list in
            for (place, conflict) in list.enumerated() {
                try? (place < 2 ? keeping : updating).resolve(constraintConflicts: [conflict])
            }
        }
        stack.context.mergePolicy = policy
        for number in 0..<4 { stack.insert("Category", ["name": "\(number)", "rank": 2]) }
        try stack.context.save()
        #expect(policy.counts == [4])
        #expect(try stack.count("Category", NSPredicate(format: "rank == 2 AND name IN {'2', '3'}")) == 2)
        #expect(try stack.count("Category", NSPredicate(format: "rank == 1")) == 2)
    }

    @Test("A save whose policy leaves conflicts fails with 133021 and the conflicts")
    func unsettled() throws {
        let stack = try TestStack()
        try storedNames(stack, 2)
        let edited = (0..<2).map { stack.insert("Category", ["name": "own \($0)", "rank": 2]) }
        try stack.context.save()
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        for (number, object) in edited.enumerated() { object.setValue("\(number)", forKey: "name") }
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 133021)
        let conflicts = try #require(error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
        #expect(conflicts.map(\.constraint) == [["name"], ["name"]])
        #expect(conflicts.map(\.conflictingObjects) == edited.map { [$0] })
        #expect(conflicts.map { $0.databaseObject?.value(forKey: "rank") as? Int } == [1, 1])
        #expect(try stack.count("Category", NSPredicate(format: "rank == 2 AND name BEGINSWITH 'own'")) == 2)
    }

    @Test("A policy that resolves one entity's conflicts is called for the other entity's, too, and may refuse")
    func anotherEntity() throws {
        let model = Zoo.model()
        model.entitiesByName["Person"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model: model)
        try storedNames(stack, 1)
        let other = stack.newContext()
        let person = stack.insert("Person", ["name": "0"], in: other)
        try other.save()
        let policy = Counting(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.refused = "Person"
        stack.context.mergePolicy = policy
        let category = stack.insert("Category", ["name": "0", "rank": 2])
        stack.insert("Person", ["name": "0"])
        #expect(code { try stack.context.save() } == 133021)
        #expect(policy.counts == [1, 1])
        #expect(try stack.count("Category", NSPredicate(format: "rank == 2")) == 0)
        policy.refused = nil
        try stack.context.save()
        #expect(policy.counts == [1, 1, 1, 1])
        #expect(try stack.count("Person", NSPredicate(format: "SELF == %@", person.objectID)) == 1)
        #expect(try stack.count("Person") == 1)
        #expect(category.value(forKey: "rank") as? Int == 2 && !category.isInserted)
    }

    @Test("Conflicts that a policy leaves open are not resolved along with those it resolves")
    func leftOpen() throws {
        let stack = try TestStack()
        try storedNames(stack, 2)
        let policy = Counting(merge: .errorMergePolicyType)
        let updating = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.answer = { list in
            try? updating.resolve(
                constraintConflicts: list.filter { $0.constraintValues["name"] as? String == "0" })
        }
        stack.context.mergePolicy = policy
        let objects = (0..<2).map { stack.insert("Category", ["name": "\($0)", "rank": 2]) }
        #expect(code { try stack.context.save() } == 133021)
        #expect(policy.counts == [2, 1])
        #expect(try stack.count("Category", NSPredicate(format: "rank == 1")) == 2)
        objects[1].setValue("2", forKey: "name")
        try stack.context.save()
        #expect(try stack.count("Category", NSPredicate(format: "rank == 2")) == 2)
        #expect(try stack.count("Category") == 3)
    }
}
