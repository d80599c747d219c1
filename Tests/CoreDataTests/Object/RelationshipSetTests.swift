import CoreData
import Testing

/// To-many relationships as mutable sets.
@Suite struct RelationshipSetTests {
    /// A box with a number of labelled cards in order.
    private struct Box {
        let stack: TestStack
        let box: NSManagedObject
        let cards: [NSManagedObject]

        init(_ count: Int = 4) throws {
            let model = NSManagedObjectModel()
            let box = Zoo.entity("Box", NSManagedObject.self)
            let card = Zoo.entity("Card", NSManagedObject.self)
            card.properties = [Zoo.attribute("label", .stringAttributeType)]
            Zoo.link(box, "cards", .toMany, .nullifyDeleteRule, card, "box", .toOne, .nullifyDeleteRule)
            box.relationshipsByName["cards"]?.isOrdered = true
            model.entities = [box, card]
            let stack = try TestStack(model: model)
            self.stack = stack
            self.box = stack.insert("Box")
            cards = (0..<count).map { stack.insert("Card", ["label": "\(count - $0)"]) }
            set.addObjects(from: cards)
        }

        var set: NSMutableOrderedSet { box.mutableOrderedSetValue(forKey: "cards") }
        var stored: [NSManagedObject] {
            (box.value(forKey: "cards") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        }
    }

    @Test("Every read operation of an ordered relationship's set returns its members")
    func reading() throws {
        let box = try Box()
        let (set, cards) = (box.set, box.cards)
        #expect(set.count == 4 && set.array as? [NSManagedObject] == cards)
        #expect(set.compactMap { $0 as? NSManagedObject } == cards)
        #expect(set.set == Set(cards))
        #expect(set.firstObject as? NSManagedObject === cards[0] && set.lastObject as? NSManagedObject === cards[3])
        #expect(set.reversed.array as? [NSManagedObject] == cards.reversed())
        #expect(set.contains(cards[2]) && set.index(of: cards[2]) == 2 && !set.contains(box.box))
        var seen: [NSManagedObject] = []
        set.enumerateObjects { object, _, _ in if let card = object as? NSManagedObject { seen.append(card) } }
        set.enumerateObjects(options: .reverse) { object, _, _ in
            if let card = object as? NSManagedObject { seen.append(card) }
        }
        #expect(seen == cards + cards.reversed())
        #expect(set.isSubset(of: NSOrderedSet(array: cards)) && !set.isSubset(of: NSOrderedSet(array: [cards[0]])))
        #expect(set.isEqual(NSOrderedSet(array: cards)) && set.intersects(NSOrderedSet(array: [cards[1]])))
        #expect((set.copy() as? NSOrderedSet)?.array as? [NSManagedObject] == cards)
        #expect((set.mutableCopy() as? NSOrderedSet)?.array as? [NSManagedObject] == cards)
        #expect("\(set)".contains("Card"))
    }

    @Test("A set follows later changes of the relationship")
    func following() throws {
        let box = try Box()
        let set = box.set
        box.cards[0].setValue(nil, forKey: "box")
        #expect(set.count == 3 && set.array as? [NSManagedObject] == Array(box.cards[1...]))
    }

    @Test("Setting a relationship to its own set changes nothing")
    func ownSet() throws {
        let box = try Box()
        box.box.setValue(box.set, forKey: "cards")
        #expect(box.stored == box.cards)
        let person = try Person()
        person.person.setValue(person.set, forKey: "animals")
        #expect(person.set.count == 2)
    }

    @Test("Every mutation of an ordered relationship's set changes the relationship")
    func changing() throws {
        let box = try Box()
        let (set, cards) = (box.set, box.cards)
        set.exchangeObject(at: 0, withObjectAt: 3)
        #expect(box.stored == [cards[3], cards[1], cards[2], cards[0]])
        set.sort(using: [NSSortDescriptor(key: "label", ascending: false)])
        #expect(box.stored == cards)
        set.sort { one, other in
            let labels = [one, other].map { ($0 as? NSManagedObject)?.value(forKey: "label") as? String ?? "" }
            return labels[0] < labels[1] ? .orderedAscending : .orderedDescending
        }
        #expect(box.stored == cards.reversed())
        set.moveObjects(at: IndexSet([0, 2]), to: 2)
        #expect(box.stored == [cards[2], cards[0], cards[3], cards[1]])
        set.insert(cards[0], at: 0)
        #expect(box.stored == [cards[2], cards[0], cards[3], cards[1]])
        set.minus(NSOrderedSet(array: [cards[0]]))
        set.union(NSOrderedSet(array: [cards[0], cards[2]]))
        #expect(box.stored == [cards[2], cards[3], cards[1], cards[0]])
        set.intersect(NSOrderedSet(array: [cards[3], cards[0]]))
        #expect(box.stored == [cards[3], cards[0]] && set.array as? [NSManagedObject] == box.stored)
        #expect(cards[1].value(forKey: "box") == nil && cards[3].value(forKey: "box") as? NSManagedObject === box.box)
        set.minusSet([cards[3]])
        set.unionSet([cards[1]])
        set.intersectSet([cards[1]])
        #expect(box.stored == [cards[1]])
        set.setObject(cards[2], at: 1)
        set[0] = cards[3]
        #expect(box.stored == [cards[3], cards[2]])
        set.removeObjects(in: NSRange(location: 0, length: 2))
        #expect(box.stored.isEmpty && set.array.isEmpty)
    }

    @Test("A member removed from an ordered relationship and added again is last, stored or not")
    func leavingAndReturning() throws {
        for isSaved in [false, true] {
            let box = try Box(40)
            let (set, cards) = (box.set, box.cards)
            if isSaved { try box.stack.context.save() }
            set.remove(cards[0])
            #expect(set.array as? [NSManagedObject] == Array(cards[1...]))
            set.add(cards[0])
            set.add(cards[5])
            let wanted = Array(cards[1...]) + [cards[0]]
            #expect(set.array as? [NSManagedObject] == wanted && box.stored == wanted)
            set.removeObject(at: 20)
            let new = box.stack.insert("Card", ["label": "new"])
            set.add(new)
            set.add(new)
            let rest = wanted.filter { $0 !== wanted[20] } + [new]
            #expect(set.array as? [NSManagedObject] == rest && set.set == Set(rest))
            try box.stack.context.save()
            let stored = try box.stack.newContext().existingObject(with: box.box.objectID)
            #expect(stored.mutableOrderedSetValue(forKey: "cards").count == box.stored.count)
        }
    }

    @Test("Indexes out of range are ignored, and an object of another type is refused")
    func misuse() throws {
        let box = try Box()
        let set = box.set
        set.exchangeObject(at: 0, withObjectAt: 9)
        set.moveObjects(at: IndexSet([9]), to: 0)
        set.removeObject(at: 9)
        set.replaceObject(at: 9, with: box.cards[0])
        set.sortRange(NSRange(location: 2, length: 9)) { _, _ in .orderedSame }
        #expect(box.stored == box.cards)
        set.add("no card")
        #expect(box.stored == box.cards && set.array.count == 4)
        #expect(code { try box.stack.context.save() } == 1550)
    }

    /// A person with two animals.
    private struct Person {
        let stack: TestStack
        let person: NSManagedObject

        init() throws {
            stack = try TestStack()
            person = stack.insert("Person", ["name": "p"])
            for name in ["a", "b"] { set.add(stack.insert("Animal", ["name": name])) }
        }

        var set: NSMutableSet { person.mutableSetValue(forKey: "animals") }
    }

    @Test("A to-many relationship's set is described, read and changed like any set")
    func plainSets() throws {
        let person = try Person()
        let set = person.set
        #expect("\(set)".contains("Animal") && String(reflecting: set).contains("Animal"))
        #expect(set.allObjects.count == 2 && set.compactMap { $0 as? Animal }.count == 2 && set.anyObject() != nil)
        let third = person.stack.insert("Animal", ["name": "c"])
        set.union([third])
        #expect(set.contains(third) && person.set.count == 3 && (set.copy() as? NSSet)?.count == 3)
        set.intersect([third])
        #expect(person.set.allObjects as? [NSManagedObject] == [third])
        set.minus([third])
        set.setSet([third])
        set.removeAllObjects()
        #expect(person.set.count == 0 && third.value(forKey: "keeper") == nil)
    }

    @Test(
        "CD68 A relationship's value casts to a Swift set; its mutable set casts to an empty one, but copies have the members"
    )
    func swiftSets() throws {
        let person = try Person()
        let members = try #require(person.person.value(forKey: "animals") as? Set<Animal>)
        #expect(members.count == 2)
        #expect(NSSet(set: person.set).isEqual(to: members))
        #expect(NSMutableSet(set: person.set).count == 2)
        let twin = person.stack.insert("Person", ["name": "q"])
        twin.mutableSetValue(forKey: "animals").union(members)
        #expect(twin.mutableSetValue(forKey: "animals").count == 2 && person.set.count == 0)
        // Foundation makes an empty set of every subclass of its own.
        #expect((twin.mutableSetValue(forKey: "animals") as? Set<Animal>)?.count ?? 0 == 0)
    }

    @Test("Removing an object that is no member is no edit, and it can be added later")
    func noMember() throws {
        let person = try Person()
        let context = person.stack.context
        let stranger = person.stack.insert("Animal", ["name": "c"])
        try context.save()
        person.set.remove(stranger)
        #expect(!context.hasChanges)
        person.set.add(stranger)
        #expect(person.set.contains(stranger) && person.set.count == 3)
        try context.save()
        context.refresh(person.person, mergeChanges: false)
        #expect(person.set.count == 3)
    }
}
