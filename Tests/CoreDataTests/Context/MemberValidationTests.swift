import CoreData
import Testing

/// Validation of to-many relationships.
@Suite struct MemberValidationTests {
    @Test(
        "Saving an owner that gains a member creates no objects for the other members, if its class has no validators")
    func manyMembers() throws {
        let stack = try TestStack()
        let animals = (0..<50).map { stack.insert("Animal", ["name": "\($0)"]) }
        let owner = stack.insert("Tag", ["animals": Set(animals)])
        try stack.context.save()
        let context = stack.newContext()
        let twin = try context.existingObject(with: owner.objectID)
        let new = stack.insert("Animal", ["name": "new"], in: context)
        twin.mutableSetValue(forKey: "animals").add(new)
        try context.save()
        #expect(context.registeredObjects == [twin, new])
        #expect(twin.mutableSetValue(forKey: "animals").count == 51)
    }

    @Test("Saving an owner creates no objects for its members even if the model limits their count")
    func limitedMembers() throws {
        let model = Zoo.model()
        let relationship = try #require(model.entitiesByName["Tag"]?.relationshipsByName["animals"])
        (relationship.minCount, relationship.maxCount) = (2, 11)
        let stack = try TestStack(model: model)
        let owner = stack.insert("Tag", ["animals": Set((0..<10).map { stack.insert("Animal", ["name": "\($0)"]) })])
        try stack.context.save()
        let context = stack.newContext()
        let twin = try context.existingObject(with: owner.objectID)
        let new = stack.insert("Animal", ["name": "new"], in: context)
        twin.mutableSetValue(forKey: "animals").add(new)
        try context.save()
        #expect(context.registeredObjects == [twin, new])
        stack.insert("Animal", ["name": "one more"], in: context).mutableSetValue(forKey: "tags").add(twin)
        #expect(code { try context.save() } == 1590)
    }

    @Test("A custom validator sees all members")
    func ownValidators() throws {
        let stack = try TestStack(model: Zoo.model(tag: CarefulTag.self))
        let animals = (0..<3).compactMap { stack.insert("Animal", ["name": "\($0)"]) as? Animal }
        let tag = try #require(stack.insert("Tag", ["animals": Set(animals.dropLast())]) as? CarefulTag)
        try stack.context.save()
        tag.looks = true
        tag.mutableSetValue(forKey: "animals").add(animals[2])
        try stack.context.save()
        #expect(tag.seen == Set(animals) && tag.seen.count == 3)
    }

    @Test("Validation predicates of the model see all members of a relationship")
    func predicates() throws {
        let model = Zoo.model()
        let relationship = try #require(model.entitiesByName["Person"]?.relationshipsByName["animals"])
        relationship.setValidationPredicates([NSPredicate(format: "SELF.@count < 3")], withValidationWarnings: ["many"])
        let stack = try TestStack(model: model)
        let person = stack.insert("Person")
        for number in 0..<2 { stack.insert("Animal", ["name": "\(number)", "keeper": person]) }
        try stack.context.save()
        stack.insert("Animal", ["name": "third", "keeper": person])
        #expect(code { try stack.context.save() } == 1550)
    }
}

/// Optionally reads its members when it is validated.
final class CarefulTag: NSManagedObject {
    var looks = false
    var seen: Set<Animal> = []

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if looks, key == "animals" { seen = value as? Set<Animal> ?? [] }
        try super.validateValue(&value, forKey: key)
    }
}
