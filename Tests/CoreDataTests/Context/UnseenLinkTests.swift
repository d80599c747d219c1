import CoreData
import SQLiteStore
import Testing

/// Saves of a context that has not seen links which others changed since it read the objects.
@Suite struct UnseenLinkTests {
    static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    private func findings(_ stack: TestStack) throws -> [String] {
        try #require(stack.coordinator.persistentStores.first?.sqlite).check().map(\.description)
    }

    @Test("An object linked to an owner elsewhere loses the link when the owner is deleted", arguments: policies)
    func deletedOwner(_ policy: NSMergePolicyType) throws {
        let stack = try TestStack()
        let owner = stack.insert("Person", ["name": "owner"])
        let animal = stack.insert("Animal", ["name": "animal"])
        try stack.context.save()
        let context = stack.newContext()
        context.mergePolicy = NSMergePolicy(merge: policy)
        let twins = try [owner, animal].map { try context.existingObject(with: $0.objectID) }
        #expect(twins[0].mutableSetValue(forKey: "animals").count == 0)
        #expect(twins[1].value(forKey: "keeper") == nil)
        animal.setValue(owner, forKey: "keeper")
        try stack.context.save()
        context.delete(twins[0])
        try context.save()
        #expect(try findings(stack) == [])
        let read = try stack.newContext().existingObject(with: animal.objectID)
        #expect(read.objectIDs(forRelationshipNamed: "keeper").isEmpty)
    }

    @Test("An object whose link a pending delete nullified stays without it when it is read again")
    func refreshedUnderDelete() throws {
        let stack = try TestStack()
        let owner = stack.insert("Person", ["name": "owner"])
        let animal = stack.insert("Animal", ["name": "animal", "keeper": owner])
        try stack.context.save()
        let context = stack.newContext()
        let twins = try [owner, animal].map { try context.existingObject(with: $0.objectID) }
        context.delete(twins[0])
        context.processPendingChanges()
        stack.insert("Animal", ["name": "other", "keeper": owner])
        try stack.context.save(mergingInto: [context])
        context.processPendingChanges()
        context.refresh(twins[1], mergeChanges: false)
        context.processPendingChanges()
        #expect(twins[1].value(forKey: "keeper") == nil)
        #expect(throws: Never.self) { try context.graph.checkInvariants() }
        try context.save()
        #expect(try findings(stack) == [])
        #expect(try stack.count("Animal", NSPredicate(format: "keeper == nil")) == 2)
    }

    @Test("Edits of an object that was linked elsewhere are kept, and conflict like any others")
    func editedMember() throws {
        let stack = try TestStack()
        let owner = stack.insert("Person", ["name": "owner"])
        let animal = stack.insert("Animal", ["name": "animal"])
        try stack.context.save()
        let context = stack.newContext()
        let twins = try [owner, animal].map { try context.existingObject(with: $0.objectID) }
        #expect(twins[0].mutableSetValue(forKey: "animals").count == 0)
        twins[1].setValue(7, forKey: "age")
        animal.setValue(owner, forKey: "keeper")
        animal.setValue(8, forKey: "age")
        try stack.context.save()
        context.delete(twins[0])
        #expect(code { try context.save() } == 133020)
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try findings(stack) == [])
        #expect(try stack.count("Animal", NSPredicate(format: "age == 7 AND keeper == nil")) == 1)
    }

    @Test("An object that overwrites its row does not refer to a destination deleted elsewhere")
    func overwrittenLink() throws {
        let stack = try TestStack()
        let owner = stack.insert("Person", ["name": "owner"])
        let animal = stack.insert("Animal", ["name": "animal", "keeper": owner])
        try stack.context.save()
        let context = stack.newContext()
        context.mergePolicy = .overwrite
        let twins = try [animal, owner].map { try context.existingObject(with: $0.objectID) }
        #expect(twins[0].value(forKey: "keeper") as? NSManagedObject === twins[1])
        stack.context.delete(owner)
        try stack.context.save()
        twins[0].setValue(7, forKey: "age")
        try context.save()
        #expect(try findings(stack) == [])
        #expect(try stack.count("Animal", NSPredicate(format: "age == 7 AND keeper == nil")) == 1)
    }

    /// Halves that refer to one another, one to one.
    private func pairs() -> NSManagedObjectModel {
        let half = Zoo.entity("Half", NSManagedObject.self)
        half.properties = [Zoo.attribute("name", .stringAttributeType)]
        Zoo.link(half, "next", .toOne, .nullifyDeleteRule, half, "former", .toOne, .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [half]
        return model
    }

    enum Edit: CaseIterable, Sendable {
        /// An edit of the half whose link changed elsewhere.
        case name, next
        /// An edit of another half, to the new destination.
        case rival
    }

    @Test("Both ends of one-to-one relationships agree under every merge policy", arguments: policies, Edit.allCases)
    func oneToOne(_ policy: NSMergePolicyType, _ edit: Edit) throws {
        let stack = try TestStack(model: pairs())
        let halves = ["a", "b", "c", "d"].map { stack.insert("Half", ["name": $0]) }
        halves[0].setValue(halves[1], forKey: "next")
        try stack.context.save()
        let context = stack.newContext()
        context.mergePolicy = NSMergePolicy(merge: policy)
        let twins = try halves.map { try context.existingObject(with: $0.objectID) }
        halves[0].setValue(halves[2], forKey: "next")
        try stack.context.save()
        switch edit {
        case .name: twins[0].setValue("mine", forKey: "name")
        case .next: twins[0].setValue(twins[3], forKey: "next")
        case .rival: twins[3].setValue(twins[2], forKey: "next")
        }
        guard policy != .errorMergePolicyType else { return #expect(code { try context.save() } == 133020) }
        try context.save()
        #expect(try findings(stack) == [])
        let fresh = stack.newContext()
        let next = try halves.map { half in
            let next = try fresh.existingObject(with: half.objectID).value(forKey: "next") as? NSManagedObject
            return next?.value(forKey: "name") as? String
        }
        #expect(next == expected(policy, edit))
    }

    enum Way: CaseIterable, Sendable {
        case objects, identifiers, remote, automatic
    }

    @Test(
        "Every way of merging a save unlinks the former partner of a one-to-one relationship",
        arguments: Way.allCases, [false, true])
    func formerPartner(_ way: Way, isKnown: Bool) throws {
        let stack = try TestStack(model: pairs())
        let halves = ["a", "b", "c"].map { stack.insert("Half", ["name": $0]) }
        try stack.context.save()
        stack.context.automaticallyMergesChangesFromParent = way == .automatic
        let context = stack.newContext()
        context.mergePolicy = .mergeByPropertyObjectTrump
        let twins = try [halves[0], halves[2]].map { try context.existingObject(with: $0.objectID) }
        let partner = isKnown ? try context.existingObject(with: halves[1].objectID) : nil
        halves[1].setValue(halves[2], forKey: "next")
        try stack.context.save()
        twins[0].setValue(twins[1], forKey: "next")
        let saved = Recorded(.NSManagedObjectContextDidSave, object: context)
        let identified = Recorded(.NSManagedObjectContextDidSaveObjectIDs, object: context)
        try context.save()
        let changed = Set(halves.map(\.objectID))
        #expect(identified.ids(NSUpdatedObjectIDsKey) == changed)
        let objects = saved.objects(NSUpdatedObjectsKey)
        #expect(Set(objects.map(\.objectID)).union(saved.ids(NSUpdatedObjectIDsKey)) == changed)
        if let partner { #expect(objects.contains(partner)) }
        switch way {
        case .objects:
            stack.context.mergeChanges(fromContextDidSave: try #require(saved.notifications.first))
        case .identifiers:
            stack.context.mergeChanges(fromContextDidSave: try #require(identified.notifications.first))
        case .remote:
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: try #require(saved.notifications.first?.userInfo), into: [stack.context])
        case .automatic: stack.context.performAndWait {}
        }
        #expect(halves[0].value(forKey: "next") as? NSManagedObject === halves[2])
        #expect(halves[1].value(forKey: "next") == nil)
        #expect(halves[2].value(forKey: "former") as? NSManagedObject === halves[0])
        #expect(!stack.context.hasChanges)
        #expect(try findings(stack) == [])
    }

    private func expected(_ policy: NSMergePolicyType, _ edit: Edit) -> [String?] {
        switch (policy, edit) {
        case (.overwriteMergePolicyType, .name): ["b", nil, nil, nil]
        case (.overwriteMergePolicyType, .next), (.mergeByPropertyObjectTrumpMergePolicyType, .next):
            ["d", nil, nil, nil]
        case (.overwriteMergePolicyType, .rival), (.mergeByPropertyObjectTrumpMergePolicyType, .rival):
            [nil, nil, nil, "c"]
        default: ["c", nil, nil, nil]
        }
    }

    @Test(
        "An unsaved link to an owner whose rule is deny is lost when the owner is deleted elsewhere",
        arguments: policies)
    func deletedDenyingOwner(_ policy: NSMergePolicyType) throws {
        for isNew in [false, true] {
            let stack = try TestStack()
            let customer = stack.insert("Customer", ["name": "customer"])
            let saved = stack.insert("Order", ["number": 1])
            try stack.context.save()
            let context = stack.newContext()
            context.mergePolicy = NSMergePolicy(merge: policy)
            let order =
                try isNew
                ? stack.insert("Order", ["number": 2], in: context) : context.existingObject(with: saved.objectID)
            order.setValue(try context.existingObject(with: customer.objectID), forKey: "customer")
            stack.context.delete(customer)
            try stack.context.save(mergingInto: [context])
            try context.save()
            #expect(try findings(stack) == [])
            #expect(order.value(forKey: "customer") == nil)
            order.setValue(3, forKey: "number")
            try context.save()
            #expect(try findings(stack) == [])
        }
    }
}
