import CoreData
import Foundation
import SQLiteStore
import Testing

@Suite("Derived attributes")
struct DerivedAttributeTests {
    private func twin(_ object: NSManagedObject, _ stack: TestStack) throws -> NSManagedObject {
        try stack.newContext().existingObject(with: object.objectID)
    }

    @Test("every kind is computed by a save, and saved objects show the values", arguments: TestStack.Kind.allCases)
    func kinds(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind, model: Zoo.derivedModel())
        let before = Date()
        let category = stack.insert("Category", ["name": "Vögel", "rank": 4])
        let person = stack.insert("Person", ["name": "Ida"])
        let first = stack.insert(
            "Mammal", ["name": "Ärger", "age": 3, "weight": 1.5, "category": category, "keeper": person])
        stack.insert("Animal", ["name": "b", "age": 4, "weight": 2.25, "category": category, "keeper": person])
        stack.insert("Tag").setValue(Set([first]), forKey: "animals")
        try stack.context.save()
        for category in [category, try twin(category, stack)] {
            #expect(category.value(forKey: "animalCount") as? Int == 2)
            #expect(category.value(forKey: "totalAge") as? Int == 7)
            #expect(category.value(forKey: "totalWeight") as? Double == 3.75)
            #expect(category.value(forKey: "upperName") as? String == "VÖGEL")
        }
        for first in [first, try twin(first, stack)] {
            #expect(first.value(forKey: "searchName") as? String == "arger")
            #expect(first.value(forKey: "copiedName") as? String == "Ärger")
            #expect(first.value(forKey: "categoryName") as? String == "Vögel")
            #expect(first.value(forKey: "loudCategory") as? String == "VÖGEL")
            #expect(first.value(forKey: "quietCategory") as? String == "vögel")
            #expect(first.value(forKey: "siblingCount") as? Int == 2)
            #expect(first.value(forKey: "tagCount") as? Int == 1)
            #expect(first.value(forKey: "keeperName") as? String == "Ida")
            let touched = try #require(first.value(forKey: "touched") as? Date)
            #expect(touched >= before && touched <= Date())
        }
        #expect(try twin(person, stack).value(forKey: "rankSum") as? Int == 8)
    }

    @Test("the date is that of the last save that changed the object; other saves leave it and the row version")
    func time() throws {
        let stack = try TestStack(model: Zoo.derivedModel())
        let category = stack.insert("Category", ["name": "c"])
        let animal = stack.insert("Animal", ["name": "a", "category": category])
        try stack.context.save()
        let first = try #require(try twin(animal, stack).value(forKey: "touched") as? Date)
        category.setValue("d", forKey: "name")
        try stack.context.save()
        #expect(try twin(animal, stack).value(forKey: "touched") as? Date == first)
        #expect(try twin(animal, stack).value(forKey: "categoryName") as? String == "d")
        // The animal's row was written without a new version, so no save conflicts with that.
        animal.setValue("b", forKey: "name")
        try stack.context.save()
        #expect(try #require(try twin(animal, stack).value(forKey: "touched") as? Date) > first)
    }

    @Test("a registered object shows values saved elsewhere once it is fetched or refreshed")
    func held() throws {
        let stack = try TestStack(model: Zoo.derivedModel())
        let category = stack.insert("Category", ["name": "c"])
        try stack.context.save()
        let other = stack.newContext()
        func addAnimal() throws {
            let category = try other.existingObject(with: category.objectID)
            stack.insert("Animal", ["name": "a", "category": category], in: other)
            try other.save()
        }
        try addAnimal()
        #expect(category.value(forKey: "animalCount") as? Int == 0)
        stack.context.refresh(category, mergeChanges: true)
        #expect(category.value(forKey: "animalCount") as? Int == 1)
        try addAnimal()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        #expect(try stack.context.fetch(request).first?.value(forKey: "animalCount") as? Int == 2)
        category.setValue("d", forKey: "name")
        try addAnimal()
        try stack.context.save()
        #expect(category.value(forKey: "animalCount") as? Int == 3)
        #expect(category.value(forKey: "upperName") as? String == "D")
        stack.insert("Animal", ["name": "b", "category": category])
        try stack.context.save()
        #expect(category.value(forKey: "animalCount") as? Int == 4, "its own links changed")
    }

    @Test("batch inserts, updates and deletes compute them too", arguments: TestStack.Kind.allCases)
    func batches(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind, model: Zoo.derivedModel())
        let insert = NSBatchInsertRequest(
            entityName: "Category", objects: (0..<50).map { ["name": "Ähre \($0)", "rank": $0] })
        _ = try stack.context.execute(insert)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
        let categories = try stack.context.fetch(request)
        #expect(categories.map { $0.value(forKey: "upperName") as? String } == (0..<50).map { "ÄHRE \($0)" })
        for number in 0..<6 {
            stack.insert(
                "Animal", ["name": "\(number)", "age": number, "weight": Double(number) / 2, "category": categories[0]])
        }
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Animal")
        update.propertiesToUpdate = ["age": 10, "name": "Öl"]
        update.predicate = NSPredicate(format: "age >= 3")
        _ = try stack.context.execute(update)
        let first = try twin(categories[0], stack)
        #expect(first.value(forKey: "totalAge") as? Int == 33)
        let names = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Animal"))
            .compactMap { $0.value(forKey: "searchName") as? String }
        #expect(names.sorted() == ["0", "1", "2", "ol", "ol", "ol"])
        _ = try stack.context.execute(
            NSBatchDeleteRequest(fetchRequest: stack.request("Animal", NSPredicate(format: "age < 2"))))
        let last = try twin(categories[0], stack)
        #expect(last.value(forKey: "animalCount") as? Int == 4 && last.value(forKey: "totalAge") as? Int == 32)
        #expect(last.value(forKey: "totalWeight") as? Double == 7)
    }

    @Test("sums are exact for decimals and 64-bit integers, and nil if they overflow")
    func sums() throws {
        let (bill, item) = (Zoo.entity("Bill", NSManagedObject.self), Zoo.entity("Item", NSManagedObject.self))
        bill.properties = [
            Zoo.derived("total", .decimalAttributeType, "items.@sum.price"),
            Zoo.derived("units", .integer64AttributeType, "items.@sum.units"),
        ]
        item.properties = [
            Zoo.attribute("price", .decimalAttributeType), Zoo.attribute("units", .integer64AttributeType),
        ]
        Zoo.link(bill, "items", .toMany, .cascadeDeleteRule, item, "bill", .toOne, .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [bill, item]
        let stack = try TestStack(model: model)
        let object = stack.insert("Bill")
        func expect(_ total: String, _ units: Int?, sourceLocation: SourceLocation = #_sourceLocation) throws {
            try stack.context.save()
            let twin = try twin(object, stack)
            let decimal = (twin.value(forKey: "total") as? NSDecimalNumber)?.decimalValue
            #expect(decimal == Decimal(string: total), sourceLocation: sourceLocation)
            #expect(twin.value(forKey: "units") as? Int == units, sourceLocation: sourceLocation)
        }
        let items = [("1.1", Int.max - 5), ("2.2", 3), ("3.3", 2), ("0.1", -7)].map { price, units in
            stack.insert("Item", ["price": NSDecimalNumber(string: price), "units": units, "bill": object])
        }
        try expect("6.7", Int.max - 7)
        items[3].setValue(1, forKey: "units")
        try expect("6.7", nil)
        items[0].setValue(nil, forKey: "bill")
        try expect("5.6", 6)
        items.forEach(stack.context.delete)
        try expect("0", 0)
    }

    @Test("a batch update selects rows by derived values as they were before the update")
    func updateByDerived() throws {
        let node = Zoo.entity("Node", NSManagedObject.self)
        node.properties = [
            Zoo.attribute("rank", .integer64AttributeType),
            Zoo.derived("parentRank", .integer64AttributeType, "parent.rank"),
        ]
        Zoo.link(node, "children", .toMany, .nullifyDeleteRule, node, "parent", .toOne, .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [node]
        let stack = try TestStack(model: model)
        var parent: NSManagedObject?
        for _ in 0..<300 {
            let child = stack.insert("Node", ["rank": 0])
            child.setValue(parent, forKey: "parent")
            parent = child
        }
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Node")
        update.propertiesToUpdate = ["rank": 5]
        update.predicate = NSPredicate(format: "parentRank == 0")
        update.resultType = .updatedObjectsCountResultType
        #expect((try stack.context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 299)
        #expect(try stack.count("Node", NSPredicate(format: "parentRank == 5")) == 298)
    }

    @Test("derived values can be used in predicates and sort descriptors")
    func fetching() throws {
        let stack = try TestStack(model: Zoo.derivedModel())
        for (name, count) in [("a", 3), ("b", 0), ("c", 5)] { try stack.saveFamily(name, animals: count) }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        request.predicate = NSPredicate(format: "animalCount > 0")
        request.sortDescriptors = [NSSortDescriptor(key: "animalCount", ascending: false)]
        #expect(try stack.context.fetch(request).map { $0.value(forKey: "name") as? String } == ["c", "a"])
    }

    @Test(
        "an expression that cannot be computed keeps the store from being added, and leaves no file",
        arguments: [
            "nothing", "animals.weight", "name.@count", "median:(animals.age)", "category.name", "note", "animals",
            "strange", "animals.@max.age",
        ])
    func refused(expression: String) throws {
        let model = Zoo.model()
        model.entitiesByName["Category"]?.properties += [
            Zoo.derived("strange", .integer64AttributeType, expression)
        ]
        let stack = try TestStack(.file, model: model, addsStore: false)
        let error = #expect(throws: CocoaError.self) { try stack.add(.file) }
        #expect(error?.code == .persistentStoreOpen)
        #expect(error?.localizedDescription.contains("'Category.strange'") == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: stack.fileURL().path))
    }

    @Test("triggers in the file call only functions of SQLite, except Apple's function in those for counts")
    func triggers() throws {
        let stack = try TestStack(.file, model: Zoo.derivedModel())
        let connection = try Connection(.file(stack.fileURL()), access: .readOnly)
        let statement = try connection.prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        var names: [String] = []
        while try statement.step() {
            names.append(statement.text(at: 0))
            let isApples = names.last?.contains("_animalCount_") == true
            #expect(statement.text(at: 1).contains("NSCoreData") == isApples)
            #expect(!statement.text(at: 1).contains("OSD"))
        }
        #expect(names.contains("Z_DA_ZANIMAL_Category_totalAge_PARAMETER_UPDATE"))
        #expect(names.contains("Z_DA_ZANIMAL_Animal_categoryName_SOURCE_UPDATE"))
        #expect(names.contains("Z_DA_ZCATEGORY_Animal_categoryName_PARAMETER_UPDATE"))
        #expect(!names.contains { $0.contains("_searchName_") || $0.contains("_touched_") })
    }

    @Test("derived attributes work after compacting, which drops the connection's temporary triggers")
    func compacting() throws {
        let stack = try TestStack(.file, model: Zoo.derivedModel())
        try #require(stack.coordinator.persistentStores.first?.sqlite).compact()
        let animal = stack.insert("Animal", ["name": "Ö"])
        try stack.context.save()
        #expect(try twin(animal, stack).value(forKey: "searchName") as? String == "o")
    }
}
