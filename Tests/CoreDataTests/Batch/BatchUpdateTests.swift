import CoreData
import Testing

@Suite struct BatchUpdateTests {
    private func result(_ stack: TestStack, _ request: NSBatchUpdateRequest) throws -> Any? {
        try (stack.context.execute(request) as? NSBatchUpdateResult)?.result
    }

    private func animals(_ count: Int, _ kind: TestStack.Kind = .memorySQLite) throws -> TestStack {
        let stack = try TestStack(kind)
        for age in 0..<count { stack.insert("Animal", ["name": "a\(age)", "age": age, "weight": 1.5]) }
        try stack.context.save()
        return stack
    }

    private func values(_ stack: TestStack, _ key: String) throws -> [Double] {
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try stack.newContext().fetch(request).compactMap { $0.value(forKey: key) as? Double }
    }

    @Test("Constants and expressions, by name and by description", arguments: TestStack.Kind.allCases)
    func values(_ kind: TestStack.Kind) throws {
        let stack = try animals(4, kind)
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.predicate = NSPredicate(format: "age > 1")
        request.propertiesToUpdate = ["weight": NSExpression(format: "weight + age")]
        request.resultType = .updatedObjectsCountResultType
        #expect(try result(stack, request) as? Int == 2)
        #expect(try values(stack, "weight") == [1.5, 1.5, 3.5, 4.5])
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Animal", in: stack.context))
        let second = NSBatchUpdateRequest(entity: entity)
        let age = try #require(entity.attributesByName["age"])
        second.propertiesToUpdate = [age: 9]
        #expect(try result(stack, second) as? Bool == true)
        #expect(try values(stack, "age") == [9, 9, 9, 9])
    }

    @Test("Unknown keys, relationships and values of another type throw; nothing changes")
    func refusals() throws {
        let stack = try animals(1)
        for (key, value) in [("colour", "red"), ("category", "x"), ("age", "old"), ("note", "n")] {
            let request = NSBatchUpdateRequest(entityName: "Animal")
            request.propertiesToUpdate = [key: value, "weight": 9.0]
            #expect(code { _ = try result(stack, request) } == 1550, "\(key)")
        }
        #expect(try values(stack, "weight") == [1.5])
    }

    @Test("The predicate cannot follow relationships")
    func joins() throws {
        let stack = try animals(1)
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 2]
        for format in ["category.name == 'x'", "ANY tags.label == 'x'", "tags.@count > 0"] {
            request.predicate = NSPredicate(format: format)
            #expect(code { _ = try result(stack, request) } == 134060, "\(format)")
        }
        #expect(try values(stack, "age") == [0])
    }

    @Test("Row versions increase: an object read before conflicts at its next save, unless a policy resolves it")
    func versions() throws {
        let stack = try animals(1)
        let animal = try #require(try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).first)
        _ = animal.name
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 30]
        _ = try result(stack, request)
        animal.name = "mine"
        #expect(code { try stack.context.save() } == 133020)
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(animal.value(forKey: "age") as? Int == 30)
        #expect(try values(stack, "age") == [30])
    }

    @Test("A value that breaks a uniqueness constraint throws; nothing changes")
    func unique() throws {
        let stack = try TestStack()
        for name in ["a", "b"] { stack.insert("Category", ["name": name]) }
        try stack.context.save()
        let request = NSBatchUpdateRequest(entityName: "Category")
        request.propertiesToUpdate = ["name": "same"]
        #expect(code { _ = try result(stack, request) } == 1551)
        #expect(try stack.count("Category", NSPredicate(format: "name == 'same'")) == 0)
    }

    @Test("A merge of the identifiers refreshes the objects")
    func merging() throws {
        let stack = try animals(2)
        let animal = try #require(try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).first)
        _ = animal.name
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 30]
        request.resultType = .updatedObjectIDsResultType
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        #expect(ids.count == 2)
        #expect(animal.value(forKey: "age") as? Int == 0)
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: stack.context)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [stack.context])
        #expect(animal.value(forKey: "age") as? Int == 30)
        #expect(changes.objects(NSRefreshedObjectsKey).contains(animal))
    }

    @Test("The result is success by default, identifiers or a count if requested")
    func resultTypes() throws {
        let stack = try animals(3)
        let ids = try stack.context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).map(\.objectID)
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 7]
        #expect(request.resultType == .statusOnlyResultType)
        #expect(try result(stack, request) as? Bool == true)
        request.resultType = .updatedObjectIDsResultType
        #expect(try Set(result(stack, request) as? [NSManagedObjectID] ?? []) == Set(ids))
        request.resultType = .updatedObjectsCountResultType
        #expect(try result(stack, request) as? Int == 3)
        request.predicate = NSPredicate(format: "age > 100")
        #expect(try result(stack, request) as? Int == 0)
    }

    @Test("Subentities are included unless the request says otherwise; counts are of rows")
    func subentities() throws {
        let stack = try animals(2)
        stack.insert("Mammal", ["name": "m"])
        try stack.context.save()
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 5]
        request.includesSubentities = false
        request.resultType = .updatedObjectsCountResultType
        #expect(try result(stack, request) as? Int == 2)
        request.includesSubentities = true
        #expect(try result(stack, request) as? Int == 3)
    }

    @Test(
        "Each row is updated once, whatever part of the table matches and whether it still matches afterwards",
        arguments: [5, 50, 95, 100])
    func shares(_ limit: Int) throws {
        let stack = try TestStack()
        for number in 0..<100 { stack.insert("Order", ["number": number]) }
        try stack.context.save()
        let request = NSBatchUpdateRequest(entityName: "Order")
        request.predicate = NSPredicate(format: "number < %d", limit)
        request.propertiesToUpdate = ["number": NSExpression(format: "number + 1")]
        request.resultType = .updatedObjectIDsResultType
        let ids = try #require(try result(stack, request) as? [NSManagedObjectID])
        #expect(ids.map { $0.uriRepresentation().lastPathComponent } == (1...limit).map { "p\($0)" })
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Order")
        let orders = try stack.newContext().fetch(fetch).sorted { $0.record.id.key < $1.record.id.key }
        #expect(orders.map { $0.value(forKey: "number") as? Int } == (0..<100).map { $0 < limit ? $0 + 1 : $0 })
        #expect(orders.map { $0.record.version } == (0..<100).map { $0 < limit ? 2 : 1 })
    }

    @Test("A batch update is one history transaction with the changed columns")
    func history() throws {
        let stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        for number in 0..<3 { stack.insert("Animal", ["name": "\(number)"]) }
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let before = try #require(store.historyToken())
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": 5]
        _ = try result(stack, request)
        let transactions = try #require(store.sqlite).history(after: before.token)
        #expect(transactions.count == 1)
        #expect(transactions.first?.changes.count == 3)
        let historyRequest = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
        historyRequest.resultType = .changesOnly
        let changes = (try stack.context.execute(historyRequest) as? NSPersistentHistoryResult)?.result
        let updates = try #require(changes as? [NSPersistentHistoryChange])
        #expect(updates.map(\.changeType) == [.update, .update, .update])
        #expect(updates.allSatisfy { Set(($0.updatedProperties ?? []).map(\.name)) == ["age"] })
    }

    @Test(
        "A computed value must be of the attribute's type and in its range; otherwise nothing changes",
        arguments: [
            ("age", "name"), ("age", "weight + 100000"), ("age", "age + 40000"), ("age", "100000"), ("name", "age"),
            ("born", "name"), ("weight", "name"), ("age", "category"), ("name", "born"),
            // Values beyond 64 bits, also as intermediate results.
            ("age", "age + 9223372036854775807"), ("age", "age + 9223372036854775807 - 9223372036854775807"),
            ("weight", "(age + 9223372036854775807) * 0.5"),
            ("age", "TERNARY(age == 1, age * 9223372036854775807 * 2, 5)"),
        ])
    func unfitExpressions(key: String, format: String) throws {
        let stack = try animals(2)
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["weight": 9.0]
        request.propertiesToUpdate?[key] = NSExpression(format: format)
        #expect(code { _ = try result(stack, request) } == 1550)
        #expect(try values(stack, "weight") == [1.5, 1.5])
        #expect(try values(stack, "age") == [0, 1])
    }

    @Test("A number is computed from a number of another type; rows without a value stay without")
    func fittingExpressions() throws {
        let stack = try animals(3)
        stack.insert("Animal", ["name": "a3", "age": 7])
        try stack.context.save()
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": NSExpression(format: "weight * 2"), "born": NSExpression(format: "born")]
        _ = try result(stack, request)
        #expect(try values(stack, "age") == [3, 3, 3])
        request.propertiesToUpdate = ["name": NSExpression(format: "uppercase(name)")]
        _ = try result(stack, request)
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'A3' AND age == nil")) == 1)
    }

    @Test("A sum beyond 64 bits leaves every row unchanged; a division by zero gives nil, as in memory")
    func overflow() throws {
        let stack = try TestStack()
        for legs in [1, Int64.max, nil] { stack.insert("Mammal", ["name": "m"]).setValue(legs, forKey: "legs") }
        try stack.context.save()
        func legs() throws -> Set<Int64?> {
            Set(
                try stack.newContext().fetch(NSFetchRequest<Animal>(entityName: "Mammal"))
                    .map { $0.value(forKey: "legs") as? Int64 })
        }
        let request = NSBatchUpdateRequest(entityName: "Mammal")
        for format in ["legs + 1", "legs * 2", "legs - -1", "TERNARY(legs > 1, legs + legs, 0)"] {
            request.propertiesToUpdate = ["legs": NSExpression(format: format)]
            #expect(code { _ = try result(stack, request) } == 1550, "\(format)")
            #expect(try legs() == [1, .max, nil], "\(format)")
        }
        request.propertiesToUpdate = ["legs": NSExpression(format: "TERNARY(legs > 1, 7, legs + legs)")]
        _ = try result(stack, request)
        #expect(try legs() == [2, 7, nil])
        request.propertiesToUpdate = ["legs": NSExpression(format: "legs / 0")]
        _ = try result(stack, request)
        #expect(try legs() == [nil])
    }

    @Test("Composite and transformable attributes accept constants and no expressions")
    func compositesAndTransformables() throws {
        let model = Zoo.model()
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [Zoo.attribute("x", .doubleAttributeType), Zoo.attribute("y", .doubleAttributeType)]
        let extra = Zoo.attribute("extra", .transformableAttributeType)
        let tags = try #require(model.entitiesByName["Tag"])
        tags.properties += [place, extra]
        let stack = try TestStack(model: model)
        stack.insert("Tag", ["label": "t", "place": ["x": 1.0, "y": 2.0], "extra": ["a"]])
        try stack.context.save()
        for key in ["place", "extra"] {
            let request = NSBatchUpdateRequest(entityName: "Tag")
            request.propertiesToUpdate = [key: NSExpression(format: "label")]
            #expect(code { _ = try result(stack, request) } == 1550, "\(key)")
        }
        let request = NSBatchUpdateRequest(entityName: "Tag")
        request.propertiesToUpdate = [
            "place": ["x": 3.0, "y": 4.0], "extra": NSExpression(forConstantValue: ["b"]),
        ]
        _ = try result(stack, request)
        let tag = try #require(try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        #expect(tag.value(forKey: "place") as? [String: Double] == ["x": 3, "y": 4])
        #expect(tag.value(forKey: "extra") as? [String] == ["b"])
    }
}
