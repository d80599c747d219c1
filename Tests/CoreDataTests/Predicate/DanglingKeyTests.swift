import CoreData
import Testing

/// Relationships without inverse, or with an inverse of rule `noAction`, whose destination row is deleted.
@Suite("Formats over relationships to deleted rows")
struct DanglingKeyTests {
    enum Shape: CaseIterable { case withoutInverse, noAction }

    private func model(_ shape: Shape) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let item = Zoo.entity("Item", NSManagedObject.self)
        let special = Zoo.entity("Special", NSManagedObject.self)
        let tab = Zoo.entity("Tab", NSManagedObject.self)
        item.properties = [Zoo.attribute("name", .stringAttributeType)]
        item.subentities = [special]
        let favourite = NSRelationshipDescription()
        favourite.name = "favourite"
        favourite.destinationEntity = item
        favourite.maxCount = 1
        tab.properties = [
            Zoo.attribute("number", .integer64AttributeType), Zoo.attribute("note", .stringAttributeType), favourite,
        ]
        if shape == .noAction {
            let tabs = NSRelationshipDescription()
            tabs.name = "tabs"
            tabs.destinationEntity = tab
            tabs.maxCount = 0
            tabs.deleteRule = .noActionDeleteRule
            tabs.inverseRelationship = favourite
            favourite.inverseRelationship = tabs
            item.properties += [tabs]
        }
        model.entities = [item, special, tab]
        return model
    }

    /// Tab 1 refers to a deleted item, 2 to none, 3 to an existing one, 4 to one of the subentity.
    private func filled(_ shape: Shape) throws -> (TestStack, there: NSManagedObject, gone: NSManagedObjectID) {
        let stack = try TestStack(model: model(shape))
        let gone = stack.insert("Special", ["name": "gone"])
        let there = stack.insert("Item", ["name": "there"])
        let special = stack.insert("Special", ["name": "special"])
        for (number, favourite) in [(1, gone), (2, nil), (3, there), (4, special)] {
            let tab = stack.insert("Tab", ["number": number])
            if let favourite { tab.setValue(favourite, forKey: "favourite") }
        }
        try stack.context.save()
        let id = gone.objectID
        stack.context.delete(gone)
        try stack.context.save()
        return (stack, there, id)
    }

    private func numbers(_ predicate: NSPredicate, _ stack: TestStack) throws -> [Int] {
        let context = stack.newContext()
        let request = stack.request("Tab", predicate)
        let found = {
            try context.fetch(request).compactMap { ($0 as? NSManagedObject)?.value(forKey: "number") as? Int }.sorted()
        }
        let stored = try found()
        #expect(try context.count(for: request) == stored.count)
        for tab in try context.fetch(stack.request("Tab")) {
            (tab as? NSManagedObject)?.setValue("edited", forKey: "note")
        }
        for item in try context.fetch(stack.request("Item")) {
            (item as? NSManagedObject)?.setValue("x", forKey: "name")
        }
        #expect(try found() == stored, "memory and SQLite differ: \(predicate)")
        return stored
    }

    @Test("Comparisons with nil, with objects, and with lists of them", arguments: Shape.allCases)
    func formats(shape: Shape) throws {
        let (stack, there, gone) = try filled(shape)
        let known = there.objectID
        let cases: [(NSPredicate, [Int])] = [
            (NSPredicate(format: "favourite == nil"), [1, 2]),
            (NSPredicate(format: "favourite != nil"), [3, 4]),
            (NSPredicate(format: "NOT favourite == nil"), [3, 4]),
            (NSPredicate(format: "favourite = NULL AND number > 1"), [2]),
            (NSPredicate(format: "favourite == %@", known), [3]),
            (NSPredicate(format: "favourite != %@", known), [1, 2, 4]),
            (NSPredicate(format: "NOT (favourite == %@)", known), [1, 2, 4]),
            (NSPredicate(format: "favourite == %@", gone), []),
            (NSPredicate(format: "favourite IN %@", [known, gone]), [3]),
            (NSPredicate(format: "NOT favourite IN %@", [known, gone]), [1, 2, 4]),
        ]
        for (predicate, expected) in cases { #expect(try numbers(predicate, stack) == expected, "\(predicate)") }
    }

    @Test("The key's index is still used to find the objects that refer to an object")
    func index() throws {
        let (stack, there, _) = try filled(.withoutInverse)
        #expect(try stack.count("Tab", NSPredicate(format: "favourite == %@", there)) == 1)
    }
}
