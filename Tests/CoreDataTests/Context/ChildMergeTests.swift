import CoreData
import Testing

/// Saves of a child after its parent changed meanwhile, and over rows that cannot be read.
@Suite struct ChildMergeTests {
    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    // MARK: Missing and unreadable rows

    @Test("A child's save fails if its parent cannot read the affected rows, and can be repeated")
    func rowsThatCannotBeRead() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        let stack = try TestStack(addsStore: false)
        let added = try stack.coordinator.addPersistentStore(
            ofType: DictionaryStore.storeType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
            options: ["name": UUID().uuidString])
        let store = try #require(added as? DictionaryStore)
        store.rows = [
            "cats": .init(entity: "Category", values: ["name": "Cats"], links: ["animals": ["tom"]]),
            "dogs": .init(entity: "Category", values: ["name": "Dogs"]),
            "tom": .init(entity: "Animal", values: ["name": "Tom"], links: ["category": ["cats"]]),
        ]
        let child = child(of: stack.context)
        let tom = try #require(try child.fetch(NSFetchRequest<Animal>(entityName: "Animal")).first)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        let dogs = try #require(try child.fetch(request).first { $0.value(forKey: "name") as? String == "Dogs" })
        tom.name = "Tommy"
        tom.setValue(dogs, forKey: "category")
        stack.context.refreshAllObjects()
        store.failure = CocoaError(.fileReadUnknown)
        #expect(throws: CocoaError.self) { try child.save() }
        #expect(!stack.context.hasChanges && tom.hasChanges)
        store.failure = nil
        try child.save()
        try stack.context.save()
        #expect(store.rows["tom"]?.values["name"] as? String == "Tommy")
        #expect(store.rows["tom"]?.links["category"] == ["dogs"])
    }

    // MARK: Changes that the child has not seen

    @Test("After its save, a child's next fetch reads the parent's edits made since the child read the object")
    func unseenEdits() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a", "age": 1])
        try stack.context.save()
        let child = child(of: stack.context)
        let twin = try child.existingObject(with: animal.objectID)
        #expect(twin.value(forKey: "age") as? Int == 1)
        animal.setValue(7, forKey: "age")
        twin.setValue("b", forKey: "name")
        try child.save()
        #expect(animal.value(forKey: "age") as? Int == 7 && animal.value(forKey: "name") as? String == "b")
        _ = try child.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        #expect(twin.value(forKey: "age") as? Int == 7 && twin.value(forKey: "name") as? String == "b")
        #expect(!twin.hasChanges)
    }

    // MARK: Delete rules of the parent

    @Test("A child merges the deletion of an object that others linked to one that its parent has deleted")
    func reachedInParent() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        let child = child(of: stack.context)
        let twin = try child.existingObject(with: animal.objectID)
        stack.context.delete(category)
        stack.context.processPendingChanges()

        let other = stack.newContext()
        let theirs = try other.existingObject(with: category.objectID)
        theirs.setValue("d", forKey: "name")
        try other.existingObject(with: animal.objectID).setValue(theirs, forKey: "category")
        try other.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [category.objectID, animal.objectID]], into: [child])
        #expect(animal.isDeleted && twin.isDeleted)
    }

    @Test("A child's rollback does not restore an object that its parent never saved and that others' deletion reached")
    func droppedInParent() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "c"])
        try stack.context.save()
        let child = child(of: stack.context)
        let owner = try child.existingObject(with: category.objectID)
        let animal = stack.insert("Animal", ["name": "a", "category": owner], in: child)
        try child.save()

        let other = stack.newContext()
        other.delete(try other.existingObject(with: category.objectID))
        try other.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectIDsKey: [category.objectID]], into: [child])
        #expect(animal.isDeleted)
        child.rollback()
        #expect(child.registeredObjects.allSatisfy { $0 !== animal || $0.isDeleted })
        #expect(try child.count(for: NSFetchRequest<Animal>(entityName: "Animal")) == 0)
    }

    // MARK: Ordered relationships

    /// A box with labelled cards in order, in a parent and a child.
    private struct Boxes {
        let stack: TestStack
        let box: NSManagedObject
        let twin: NSManagedObject
        let child: NSManagedObjectContext

        init(_ labels: String, _ child: (NSManagedObjectContext) -> NSManagedObjectContext) throws {
            let model = NSManagedObjectModel()
            let (box, card) = (Zoo.entity("Box", NSManagedObject.self), Zoo.entity("Card", NSManagedObject.self))
            card.properties = [Zoo.attribute("label", .stringAttributeType)]
            Zoo.link(box, "cards", .toMany, .nullifyDeleteRule, card, "box", .toOne, .nullifyDeleteRule)
            Zoo.link(box, "seen", .toMany, .nullifyDeleteRule, card, "seenBy", .toMany, .nullifyDeleteRule)
            for name in ["cards", "seen"] { box.relationshipsByName[name]?.isOrdered = true }
            model.entities = [box, card]
            let stack = try TestStack(model: model)
            self.stack = stack
            self.box = stack.insert("Box")
            self.child = child(stack.context)
            for name in ["cards", "seen"] {
                let cards = labels.map { Self.card("\($0)", stack.context) }
                self.box.setValue(NSOrderedSet(array: cards), forKey: name)
            }
            try stack.context.save()
            twin = try self.child.existingObject(with: self.box.objectID)
            #expect(Self.labels(twin, "cards") == labels && Self.labels(twin, "seen") == labels)
        }

        static func card(_ label: String, _ context: NSManagedObjectContext) -> NSManagedObject {
            let card = NSEntityDescription.insertNewObject(forEntityName: "Card", into: context)
            card.setValue(label, forKey: "label")
            return card
        }

        static func cards(_ box: NSManagedObject, _ name: String) -> [NSManagedObject] {
            (box.value(forKey: name) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        }

        static func labels(_ box: NSManagedObject, _ name: String) -> String {
            cards(box, name).compactMap { $0.value(forKey: "label") as? String }.joined()
        }

        /// Sets the members of a box: existing ones by their labels, and new ones.
        static func place(_ labels: String, _ box: NSManagedObject, _ name: String) throws {
            let context = try #require(box.managedObjectContext)
            let known = Dictionary(
                cards(box, name).map { ($0.value(forKey: "label") as? String ?? "", $0) }
            ) { first, _ in first }
            let cards = labels.map { known["\($0)"] ?? card("\($0)", context) }
            box.setValue(NSOrderedSet(array: cards), forKey: name)
        }
    }

    @Test(
        "A child's save of an ordered relationship keeps the changes that its parent made since the child read it",
        arguments: [
            // The original members, the parent's change, the child's change, and the result.
            ("abc", "abxc", "cba", "cbxa"), ("abc", "xabc", "cab", "xcab"), ("abc", "abcxy", "ac", "acxy"),
            ("abc", "ac", "cbad", "cad"), ("abc", "", "cab", ""), ("", "xy", "a", "xya"), ("abc", "bxc", "abc", "bxc"),
            ("abc", "abc", "bda", "bda"), ("abc", "cba", "abcd", "abcd"),
        ])
    func orderedRelationships(before: String, parent: String, child wanted: String, result: String) throws {
        for name in ["cards", "seen"] {
            let boxes = try Boxes(before, child)
            try Boxes.place(parent, boxes.box, name)
            try Boxes.place(wanted, boxes.twin, name)
            try boxes.child.save()
            #expect(Boxes.labels(boxes.box, name) == result)
            try boxes.stack.context.graph.checkInvariants()
            try boxes.stack.context.save()
            let stored = try boxes.stack.newContext().existingObject(with: boxes.box.objectID)
            #expect(Boxes.labels(stored, name) == result)
        }
    }
}
