import CoreData
import Testing

@Suite struct BatchInsertTests {
    private func result(_ stack: TestStack, _ request: NSBatchInsertRequest) throws -> Any? {
        try (stack.context.execute(request) as? NSBatchInsertResult)?.result
    }

    private func names(_ stack: TestStack, _ entity: String = "Category") throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try stack.newContext().fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(
        "A handler fills one object at a time until it returns true",
        arguments: TestStack.Kind.allCases)
    func managedObjectHandler(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind)
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Animal", in: stack.context))
        var number = 0
        let request = NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) -> Bool in
            guard number < 5 else { return true }
            object.setValue("animal \(number)", forKey: "name")
            if number == 2 { object.setValue(7, forKey: "age") }
            number += 1
            return false
        }
        request.resultType = .objectIDs
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        #expect(ids.count == 5)
        #expect(stack.context.registeredObjects.isEmpty)
        #expect(!stack.context.hasChanges)
        let ages = try ids.map { try stack.context.existingObject(with: $0).value(forKey: "age") as? Int }
        #expect(ages == [1, 1, 7, 1, 1])
        #expect(try stack.context.existingObject(with: ids[3]).value(forKey: "name") as? String == "animal 3")
    }

    @Test("A row that conflicts with two others, by one constraint each, is refused with the code of constraints")
    func meetingTwo() throws {
        let model = Zoo.model()
        model.entitiesByName["Category"]?.uniquenessConstraints = [["name"], ["rank"]]
        let stack = try TestStack(model: model)
        for number in 0..<2 { stack.insert("Category", ["name": "\(number)", "rank": number]) }
        try stack.context.save()
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        let request = NSBatchInsertRequest(
            entityName: "Category", objects: [["name": "2", "rank": 2], ["name": "0", "rank": 1]])
        #expect(code { _ = try result(stack, request) } == 1551)
        #expect(try names(stack) == ["0", "1"])
    }

    @Test("Contexts take in the inserted rows by a merge")
    func merging() throws {
        let stack = try TestStack()
        let request = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "a"], ["label": "b"]])
        request.resultType = .objectIDs
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        #expect(changes.notifications.isEmpty)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectIDsKey: ids], into: [stack.context])
        #expect(Set(changes.objects(NSInsertedObjectsKey).map(\.objectID)) == Set(ids))
    }

    @Test("A merge refreshes registered objects whose rows a batch insert updated")
    func mergingUpdated() throws {
        let stack = try TestStack()
        let stored = stack.insert("Category", ["name": "a", "rank": 1])
        try stack.context.save()
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        let request = NSBatchInsertRequest(
            entityName: "Category", objects: [["name": "a", "rank": 2], ["name": "b", "rank": 2]])
        request.resultType = .objectIDs
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectIDsKey: ids], into: [stack.context])
        #expect(stored.value(forKey: "rank") as? Int == 2)
        #expect(changes.objects(NSRefreshedObjectsKey) == [stored])
        #expect(!changes.objects(NSInsertedObjectsKey).contains(stored))
    }

    @Test("A dictionary handler fills one row at a time")
    func dictionaryHandler() throws {
        let stack = try TestStack()
        var rest = ["x", "y", "z"][...]
        let request = NSBatchInsertRequest(entityName: "Category") { (row: NSMutableDictionary) -> Bool in
            guard let name = rest.popFirst() else { return true }
            row["name"] = name
            return false
        }
        request.resultType = .count
        #expect(try result(stack, request) as? Int == 3)
        #expect(try names(stack) == ["x", "y", "z"])
    }

    @Test("Defaults fill in, missing optional values stay nil")
    func defaults() throws {
        let stack = try TestStack()
        let request = NSBatchInsertRequest(entityName: "Animal", objects: [["name": "a"]])
        #expect(try result(stack, request) as? Bool == true)
        let animal = try #require(try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).first)
        #expect(animal.value(forKey: "age") as? Int == 1)
        #expect(animal.value(forKey: "weight") == nil)
    }

    @Test(
        "A row with other keys than the one before has the defaults of its missing keys", arguments: [true, false])
    func changingKeys(_ isList: Bool) throws {
        let stack = try TestStack()
        let rows: [[String: Any]] = [
            ["name": "a", "age": 5, "weight": 1.5], ["name": "b", "age": 6, "weight": 2.5], ["name": "c"],
            ["name": "d"],
            ["weight": 3.5, "name": "e"], ["age": NSNull(), "name": "f"], ["name": "g", "age": 7],
        ]
        var rest = rows[...]
        let request =
            isList
            ? NSBatchInsertRequest(entityName: "Animal", objects: rows)
            : NSBatchInsertRequest(entityName: "Animal") { (row: NSMutableDictionary) -> Bool in
                guard let next = rest.popFirst() else { return true }
                for (key, value) in next { row[key] = value }
                return false
            }
        _ = try result(stack, request)
        let fetch = NSFetchRequest<Animal>(entityName: "Animal")
        fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let animals = try stack.context.fetch(fetch)
        #expect(animals.map { $0.value(forKey: "name") as? String } == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(animals.map { $0.value(forKey: "age") as? Int } == [5, 6, 1, 1, 1, nil, 7])
        #expect(animals.map { $0.value(forKey: "weight") as? Double } == [1.5, 2.5, nil, nil, 3.5, nil, nil])
    }

    @Test("Values that need a cast to the attribute's type are accepted")
    func castValues() throws {
        let stack = try TestStack()
        let maybe: String? = "b"
        let rows: [[String: Any]] = [
            ["name": NSString(string: "a"), "age": NSNumber(value: 3), "weight": 2],
            ["name": maybe as Any, "age": Int16(4), "weight": Float(1.5)], ["name": Substring("c"), "age": 5.0],
        ]
        _ = try result(stack, NSBatchInsertRequest(entityName: "Animal", objects: rows))
        let fetch = NSFetchRequest<Animal>(entityName: "Animal")
        fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let animals = try stack.context.fetch(fetch)
        #expect(animals.map { $0.value(forKey: "name") as? String } == ["a", "b", "c"])
        #expect(animals.map { $0.value(forKey: "age") as? Int } == [3, 4, 5])
        #expect(animals.map { $0.value(forKey: "weight") as? Double } == [2, 1.5, nil])
    }

    @Test("Primary keys continue after the highest key ever assigned", arguments: TestStack.Kind.allCases)
    func keys(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(kind)
        let request = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "a"], ["label": "b"]])
        request.resultType = .objectIDs
        let keys = {
            try (result(stack, request) as? [NSManagedObjectID])?.map { $0.uriRepresentation().lastPathComponent }
        }
        #expect(try keys() == ["p1", "p2"])
        #expect(try keys() == ["p3", "p4"])
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        #expect(try keys() == ["p5", "p6"])
        #expect(try keys() == ["p7", "p8"])
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'a'")) == 2)
    }

    @Test("An entity of very many attributes is inserted like any other", arguments: [150, 400])
    func wideEntity(_ count: Int) throws {
        let model = NSManagedObjectModel()
        let wide = Zoo.entity("Wide", NSManagedObject.self)
        wide.properties = (0..<count).map { Zoo.attribute("a\($0)", .integer64AttributeType) }
        model.entities = [wide]
        let stack = try TestStack(model: model)
        let row = Dictionary(uniqueKeysWithValues: (0..<count).map { ("a\($0)", $0 as Any) })
        _ = try result(stack, NSBatchInsertRequest(entityName: "Wide", objects: [row, ["a1": 7]]))
        let objects = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Wide"))
        #expect((0..<count).allSatisfy { objects[0].value(forKey: "a\($0)") as? Int == $0 })
        #expect((0..<count).map { objects[1].value(forKey: "a\($0)") as? Int }.compactMap(\.self) == [7])
    }

    @Test("A handler may read the store that it fills; it does not find the new rows yet")
    func readingHandler() throws {
        let stack = try TestStack(.file)
        let other = stack.newContext()
        var counts: [Int] = []
        let request = NSBatchInsertRequest(entityName: "Tag") { (row: NSMutableDictionary) -> Bool in
            guard counts.count < 3 else { return true }
            counts.append((try? other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))) ?? -1)
            row["label"] = "a"
            return false
        }
        _ = try result(stack, request)
        #expect(counts == [0, 0, 0])
        #expect(try stack.count("Tag") == 3)
    }

    @Test("Unknown keys, relationships, wrong types and missing values fail; nothing is inserted")
    func refusals() throws {
        let stack = try TestStack()
        let rows: [([String: Any], Int)] = [
            (["name": "a", "colour": "red"], 1550), (["name": "a", "category": "b"], 1550), (["name": 5], 1550),
            (["age": 5], 1570),
        ]
        for (row, expected) in rows {
            let request = NSBatchInsertRequest(entityName: "Animal", objects: [["name": "good"], row])
            #expect(code { _ = try result(stack, request) } == expected, "\(row.keys.sorted())")
        }
        #expect(try stack.count("Animal") == 0)
    }

    @Test("A unique match is unchanged, or updated where unsaved changes win; unlisted attributes stay")
    func uniqueMatches() throws {
        let stack = try TestStack()
        stack.insert("Category", ["name": "a", "rank": 1])
        try stack.context.save()
        let rows: [[String: Any]] = [["name": "a", "rank": 2], ["name": "b"]]
        let request = NSBatchInsertRequest(entityName: "Category", objects: rows)
        request.resultType = .count
        #expect(try result(stack, request) as? Int == 1)
        let rank = {
            try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Category"))
                .first { $0.value(forKey: "name") as? String == "a" }?.value(forKey: "rank") as? Int
        }
        #expect(try rank() == 1)
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        #expect(try result(stack, request) as? Int == 2)
        #expect(try rank() == 2)
        let again = NSBatchInsertRequest(entityName: "Category", objects: [["name": "a"], ["name": "c"]])
        again.resultType = .objectIDs
        #expect(try (result(stack, again) as? [NSManagedObjectID])?.count == 2)
        #expect(try rank() == 2)
        #expect(try names(stack) == ["a", "b", "c"])
    }

    @Test(
        "A managed-object handler updates the values that it sets, even to the default or nil; the match keeps all others"
    )
    func givenDefaults() throws {
        let stack = try TestStack()
        stack.insert("Category", ["name": "a", "rank": 7])
        stack.insert("Category", ["name": "b", "rank": 8])
        try stack.context.save()
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        var rest = ["a", "b"][...]
        let request = NSBatchInsertRequest(entityName: "Category") { (object: NSManagedObject) -> Bool in
            guard let name = rest.popFirst() else { return true }
            object.setValue(name, forKey: "name")
            if name == "a" { object.setValue(nil, forKey: "rank") }
            return false
        }
        _ = try result(stack, request)
        let ranks = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Category"))
            .map { ($0.value(forKey: "name") as? String, $0.value(forKey: "rank") as? Int) }
        #expect(ranks.first { $0.0 == "a" }?.1 == nil)
        #expect(ranks.first { $0.0 == "b" }?.1 == 8)
    }

    @Test("A relationship set in a managed-object handler is refused, and registers nothing in a context")
    func relationshipInHandler() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "a"])
        try stack.context.save()
        var isDone = false
        let request = NSBatchInsertRequest(entityName: "Animal") { (object: NSManagedObject) -> Bool in
            defer { isDone = true }
            object.setValue("rex", forKey: "name")
            object.setValue(category, forKey: "category")
            return isDone
        }
        #expect(code { _ = try result(stack, request) } == 1550)
        #expect(!stack.context.hasChanges)
        #expect(try stack.count("Animal") == 0)
    }

    @Test(
        "A handler that writes to the store that it fills gets an error, and the batch continues",
        arguments: [true, false])
    func nestedWrite(_ isDictionary: Bool) throws {
        let stack = try TestStack(.file)
        let other = stack.newContext()
        stack.insert("Tag", in: other)
        var codes: [Int?] = []
        let request =
            isDictionary
            ? NSBatchInsertRequest(entityName: "Category") { (row: NSMutableDictionary) -> Bool in
                guard codes.isEmpty else { return true }
                codes.append(code { try other.save() })
                row["name"] = "a"
                return false
            }
            : NSBatchInsertRequest(entityName: "Category") { (object: NSManagedObject) -> Bool in
                guard codes.isEmpty else { return true }
                codes.append(code { try other.save() })
                object.setValue("a", forKey: "name")
                return false
            }
        _ = try result(stack, request)
        #expect(codes == [134030])
        #expect(try names(stack) == ["a"])
        try other.save()
        #expect(try stack.count("Tag") == 1)
    }

    @Test("Rows go to the first store, unless affectedStores says otherwise")
    func stores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let request = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "x"]])
        request.resultType = .objectIDs
        let first = try result(stack, request) as? [NSManagedObjectID]
        #expect(first?.first?.persistentStore === stack.coordinator.persistentStores.first)
        request.affectedStores = [second]
        let other = try result(stack, request) as? [NSManagedObjectID]
        #expect(other?.first?.persistentStore === second)
    }

    @Test("Rows of a subentity are stored under that entity")
    func subentity() throws {
        let stack = try TestStack()
        let request = NSBatchInsertRequest(entityName: "Mammal", objects: [["name": "cat", "legs": 4]])
        request.resultType = .objectIDs
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        #expect(ids.first?.entity.name == "Mammal")
        #expect(try stack.context.existingObject(with: ids[0]) is Mammal)
        #expect(try stack.count("Animal") == 1)
    }

    @Test("A batch insert is one history transaction with an insert for every row")
    func history() throws {
        let stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        let store = try #require(stack.coordinator.persistentStores.first)
        let before = try #require(store.historyToken())
        stack.context.transactionAuthor = "importer"
        _ = try result(stack, NSBatchInsertRequest(entityName: "Tag", objects: (0..<20).map { ["label": "\($0)"] }))
        let transactions = try #require(store.sqlite).history(after: before.token)
        #expect(transactions.count == 1)
        #expect(transactions.first?.author == "importer")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
        request.resultType = .changesOnly
        let changes = (try stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        #expect((changes as? [NSPersistentHistoryChange])?.map(\.changeType) == Array(repeating: .insert, count: 20))
    }

    @Test("An in-memory store without SQLite and an unknown entity throw")
    func unknownCommand() throws {
        let stack = try TestStack(addsStore: false)
        try stack.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let request = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "x"]])
        #expect(code { _ = try result(stack, request) } == 134091)
        #expect(code { _ = try result(stack, NSBatchInsertRequest(entityName: "Nothing", objects: [])) } == 134060)
    }

    @Test("Merging identifiers of a batch that also updated rows refreshes the objects of these rows")
    func mergingUpdatedRows() throws {
        let stack = try TestStack()
        let known = stack.insert("Category", ["name": "known", "rank": 1])
        try stack.context.save()
        let context = stack.newContext()
        context.mergePolicy = .mergeByPropertyObjectTrump
        let request = NSBatchInsertRequest(
            entityName: "Category", objects: [["name": "known", "rank": 2], ["name": "new", "rank": 2]])
        request.resultType = .objectIDs
        let result = try context.execute(request) as? NSBatchInsertResult
        let ids = try #require(result?.result as? [NSManagedObjectID])
        let recorded = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: ids], into: [stack.context])
        #expect(known.value(forKey: "rank") as? Int == 2)
        #expect(recorded.objects(NSRefreshedObjectsKey) == [known])
        #expect(recorded.objects(NSInsertedObjectsKey).map { $0.value(forKey: "name") as? String } == ["new"])
    }
}
