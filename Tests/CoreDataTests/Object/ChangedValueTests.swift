import CoreData
import Testing

/// Changed and committed values of an object, and values that every object has by key.
@Suite struct ChangedValueTests {
    @Test("committedValues returns the stored members")
    func committedMembers() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let stored = try #require(category.value(forKey: "animals") as? Set<Animal>)
        let first = try #require(stored.first)
        first.setValue(nil, forKey: "category")
        stack.insert("Animal", ["name": "new", "category": category])
        #expect(category.committedValues(forKeys: ["animals"])["animals"] as? Set<Animal> == stored)
        #expect((category.changedValues()["animals"] as? NSSet)?.contains(first) == false)
        #expect(first.committedValues(forKeys: ["category"])["category"] as? NSManagedObject === category)
        try stack.context.save()
        #expect((category.committedValues(forKeys: nil)["animals"] as? NSSet)?.contains(first) == false)
    }

    @Test("Transient attributes are no persistent changes")
    func transients() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        animal.setValue("note", forKey: "note")
        #expect(animal.changedValues().isEmpty)
        #expect(animal.changedValuesForCurrentEvent().isEmpty)
        #expect(animal.committedValues(forKeys: nil)["note"] == nil)
        #expect(animal.hasChanges && !animal.hasPersistentChangedValues)
    }

    @Test("changedValuesForCurrentEvent returns the former members, and nothing of earlier events")
    func membersOfTheEvent() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 2)
        let stored = try #require(category.value(forKey: "animals") as? Set<Animal>)
        let first = try #require(stored.first)
        first.setValue(nil, forKey: "category")
        #expect(category.changedValuesForCurrentEvent()["animals"] as? Set<Animal> == stored)
        stack.context.processPendingChanges()
        category.setValue("renamed", forKey: "name")
        #expect(Array(category.changedValuesForCurrentEvent().keys) == ["name"])
        #expect(category.changedValuesForCurrentEvent()["name"] as? String == "Mammals")
        let added = stack.insert("Animal", ["name": "new", "category": category])
        #expect(category.changedValuesForCurrentEvent()["animals"] as? Set<Animal> == stored.subtracting([first]))
        try stack.context.obtainPermanentIDs(for: [added])
        #expect(category.changedValuesForCurrentEvent()["animals"] as? Set<Animal> == stored.subtracting([first]))
        added.setValue(nil, forKey: "category")
        #expect(category.changedValuesForCurrentEvent()["animals"] == nil)
    }

    @Test("Observers of changes see the former values, and changes they make belong to the same event")
    func valuesDuringNotification() throws {
        let stack = try TestStack()
        // Used on this thread alone.
        nonisolated(unsafe) let category = try stack.saveFamily(animals: 2)
        let stored = try #require(category.value(forKey: "animals") as? Set<Animal>)
        let first = try #require(stored.first)
        let observed = Observed()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { _ in
            observed.values.append(category.changedValuesForCurrentEvent())
            if observed.values.count == 1 { category.setValue(9, forKey: "rank") }
            observed.values.append(category.changedValuesForCurrentEvent())
        }
        defer { NotificationCenter.default.removeObserver(token) }
        category.setValue("renamed", forKey: "name")
        first.setValue(nil, forKey: "category")
        stack.context.processPendingChanges()
        #expect(observed.values.count == 2)
        for values in observed.values {
            #expect(values["name"] as? String == "Mammals")
            #expect(values["animals"] as? Set<Animal> == stored)
        }
        #expect(observed.values.last?["rank"] as? NSNull != nil)
        #expect(Array(category.changedValuesForCurrentEvent().keys) == ["rank"])
        stack.context.processPendingChanges()
        #expect(observed.values.count == 4)
        #expect(observed.values.suffix(2).allSatisfy { Array($0.keys) == ["rank"] })
        #expect(category.changedValuesForCurrentEvent().isEmpty)
    }

    /// The values that an observer saw.
    private final class Observed: @unchecked Sendable {
        // Used on one thread.
        var values: [[String: Any]] = []
    }

    @Test("Key paths support the collection operators of predicates")
    func operators() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily(animals: 3)
        #expect(category.value(forKeyPath: "animals.@count") as? Int == 3)
        #expect(category.value(forKeyPath: "animals.@avg.age") as? Double == 1)
        #expect(category.value(forKeyPath: "animals.@sum.age") as? Int == 3)
        #expect(category.value(forKeyPath: "animals.@max.age") as? Int == 2)
        #expect(category.value(forKeyPath: "animals.@min.name") as? String == "Mammals 0")
        let names = category.value(forKeyPath: "animals.@distinctUnionOfObjects.name") as? [String]
        #expect(names.map(Set.init) == ["Mammals 0", "Mammals 1", "Mammals 2"])
        let categories = category.value(forKeyPath: "animals.@distinctUnionOfObjects.category") as? [NSManagedObject]
        #expect(categories == [category])
        let animal = (category.value(forKey: "animals") as? Set<Animal>)?.first
        #expect(animal?.value(forKeyPath: "category.animals.@count") as? Int == 3)
        #expect(category.value(forKeyPath: "animals.@unknown.age") == nil)
        // A key after a to-many relationship applies to all members together.
        #expect(category.value(forKeyPath: "animals.name.@count") as? Int == 3)
        #expect(category.value(forKeyPath: "animals.category.@count") as? Int == 1)
        #expect(category.value(forKeyPath: "animals.category.name") as? NSSet == NSSet(array: ["Mammals"]))
    }

    @Test("Built-in properties of managed objects are available by key")
    func commonValues() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag")
        #expect(tag.value(forKey: "objectID") as? NSManagedObjectID == tag.objectID)
        #expect(tag.value(forKeyPath: "entity") as? NSEntityDescription === tag.entity)
        #expect(tag.value(forKey: "managedObjectContext") as? NSManagedObjectContext === stack.context)
        #expect(tag.value(forKey: "isInserted") as? Bool == true && tag.value(forKey: "isDeleted") as? Bool == false)
        let free = NSManagedObject(entity: tag.entity, insertInto: nil)
        #expect(free.value(forKey: "managedObjectContext") == nil)
    }

    @Test("Relationships set in awakeFromFetch are no change, at either end")
    func awakening() throws {
        let stack = try TestStack(model: Zoo.model(tag: WakingTag.self))
        let tag = stack.insert("Tag", ["label": "x"])
        let animal = stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        let other = stack.newContext()
        let twin = try #require(try other.existingObject(with: animal.objectID) as? Animal)
        WakingTag.companion = twin
        defer { WakingTag.companion = nil }
        let waking = try other.existingObject(with: tag.objectID)
        #expect(waking.value(forKey: "animals") as? Set<Animal> == [twin])
        #expect(!waking.hasChanges && !twin.hasChanges && !other.hasChanges)
    }
}

/// Sets its members in awakeFromFetch.
final class WakingTag: NSManagedObject {
    // Set and read by one test alone.
    nonisolated(unsafe) static var companion: NSManagedObject?

    override func awakeFromFetch() {
        guard let companion = Self.companion else { return }
        setValue(NSSet(object: companion), forKey: "animals")
        mutableSetValue(forKey: "animals").remove(companion)
        mutableSetValue(forKey: "animals").add(companion)
    }
}
