import CoreData
import Testing

/// Fetch requests: results, order, windows, unsaved changes, dictionaries.
@Suite struct FetchTests {
    private func stack() throws -> TestStack {
        let stack = try TestStack()
        try stack.saveFamily("Mammals", animals: 3)
        try stack.saveFamily("Birds", animals: 2)
        return stack
    }

    private func animals() -> NSFetchRequest<Animal> {
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    @Test("Predicate, order, limit and offset select the results")
    func window() throws {
        let stack = try stack()
        let request = animals()
        request.predicate = NSPredicate(format: "category.name == %@ AND age > 0", "Mammals")
        #expect(try stack.context.fetch(request).map(\.name) == ["Mammals 1", "Mammals 2"])
        request.predicate = nil
        request.sortDescriptors = [
            NSSortDescriptor(key: "category.name", ascending: false), NSSortDescriptor(key: "age", ascending: false),
        ]
        request.fetchLimit = 2
        request.fetchOffset = 1
        #expect(try stack.context.fetch(request).map(\.name) == ["Mammals 1", "Mammals 0"])
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("Requests for identifiers and counts, with and without subentities")
    func resultTypes() throws {
        let stack = try stack()
        stack.insert("Mammal", ["name": "Z"])
        let request = stack.request("Animal")
        request.resultType = .countResultType
        #expect(try stack.context.fetch(request) as? [Int] == [6])
        request.includesSubentities = false
        #expect(try stack.context.fetch(request) as? [Int] == [5])
        request.includesSubentities = true
        request.resultType = .managedObjectIDResultType
        let ids = try #require(try stack.context.fetch(request) as? [NSManagedObjectID])
        #expect(ids.count == 6)
        #expect(ids.filter(\.isTemporaryID).count == 1)
        let typed = NSFetchRequest<NSManagedObjectID>(entityName: "Category")
        typed.resultType = .managedObjectIDResultType
        #expect(try stack.context.fetch(typed).count == 2)
    }

    @Test("Results include unsaved changes, unless the request says otherwise")
    func pendingChanges() throws {
        let stack = try stack()
        let all = try stack.context.fetch(animals())
        all[0].name = "aaa"
        stack.context.delete(all[1])
        stack.insert("Animal", ["name": "bbb"])
        #expect(
            try stack.context.fetch(animals()).map(\.name) == ["Mammals 0", "Mammals 1", "Mammals 2", "aaa", "bbb"])
        let stored = animals()
        stored.includesPendingChanges = false
        #expect(try stack.context.count(for: stored) == 5)
    }

    @Test("Predicates accept objects as constants, also of a subentity's class")
    func objects() throws {
        let stack = try stack()
        let category = try #require(
            try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Category")).first)
        let request = animals()
        request.predicate = NSPredicate(format: "category == %@", category)
        let count = try stack.context.count(for: request)
        request.predicate = NSPredicate(format: "category IN %@", [category.objectID])
        #expect(try stack.context.count(for: request) == count)
        let first = try stack.context.fetch(request)[0]
        request.predicate = NSPredicate(format: "SELF == %@", first)
        #expect(try stack.context.count(for: request) == 1)
    }

    @Test("Relationship key paths are prefetched")
    func prefetching() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Category")
        request.relationshipKeyPathsForPrefetching = ["animals", "animals.keeper"]
        let categories = try stack.newContext().fetch(request)
        #expect(categories.allSatisfy { !$0.hasFault(forRelationshipNamed: "animals") })
        request.relationshipKeyPathsForPrefetching = ["nothing"]
        #expect(code { _ = try stack.newContext().fetch(request) } == 134060)
    }

    @Test("Requests that do not fit the model throw")
    func refusals() throws {
        let stack = try stack()
        #expect(code { _ = try stack.context.fetch(stack.request("Nothing")) } == 134060)
        #expect(
            code { _ = try stack.context.fetch(stack.request("Animal", NSPredicate(format: "colour == 1"))) } == 134060)
        let blocks = stack.request("Animal", NSPredicate { _, _ in true })
        #expect(code { _ = try stack.context.fetch(blocks) } == 134060)
        let sorted = stack.request("Animal")
        sorted.sortDescriptors = [NSSortDescriptor(key: "colour", ascending: true)]
        #expect(code { _ = try stack.context.fetch(sorted) } == 134060)
    }

    // MARK: Dictionaries

    private func dictionaries(_ stack: TestStack, _ body: (NSFetchRequest<NSDictionary>) -> Void) throws
        -> [NSDictionary]
    {
        let request = NSFetchRequest<NSDictionary>(entityName: "Animal")
        request.resultType = .dictionaryResultType
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        body(request)
        return try stack.context.fetch(request)
    }

    @Test(
        "Dictionaries contain stored attributes, to-one identifiers and key paths; unsaved changes are never included")
    func dictionaries() throws {
        let stack = try stack()
        stack.insert("Animal", ["name": "unsaved"])
        let all = try dictionaries(stack) { _ in }
        #expect(all.count == 5)
        #expect(all.first?["name"] as? String == "Birds 0")
        #expect(all.first?["note"] == nil)
        let chosen = try dictionaries(stack) { $0.propertiesToFetch = ["category", "category.name"] }
        #expect(chosen.first?["category"] is NSManagedObjectID)
        #expect(chosen.first?["category.name"] as? String == "Birds")
        #expect(chosen.first?["name"] == nil)
        #expect(code { _ = try dictionaries(stack) { $0.propertiesToFetch = ["tags"] } } == 134060)
    }

    @Test("Dictionaries can be distinct, and hold aggregates of groups")
    func groups() throws {
        let stack = try stack()
        let distinct = try dictionaries(stack) {
            $0.propertiesToFetch = ["category.name"]
            $0.returnsDistinctResults = true
        }
        #expect(distinct.compactMap { $0["category.name"] as? String } == ["Birds", "Mammals"])
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "name")])
        count.expressionResultType = .integer64AttributeType
        let sum = NSExpressionDescription()
        sum.name = "ages"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
        let grouped = try dictionaries(stack) {
            $0.propertiesToFetch = ["category", count, sum]
            $0.propertiesToGroupBy = ["category"]
        }
        #expect(grouped.compactMap { $0["count"] as? Int } == [2, 3])
        #expect(grouped.compactMap { $0["ages"] as? Int } == [1, 3])
        let having = try dictionaries(stack) {
            $0.propertiesToFetch = ["category", count]
            $0.propertiesToGroupBy = ["category"]
            $0.havingPredicate = NSPredicate(format: "$count > 2")
        }
        #expect(having.count == 1)
        for refused in ["count:(name) > 1", "ages > 1", "name == 'x'", "$none > 1"] {
            #expect(throws: CocoaError.self, "\(refused)") {
                try dictionaries(stack) {
                    $0.propertiesToFetch = ["category", count]
                    $0.propertiesToGroupBy = ["category"]
                    $0.havingPredicate = NSPredicate(format: refused)
                }
            }
        }
        let total = try dictionaries(stack) { $0.propertiesToFetch = [count] }
        #expect(total.compactMap { $0["count"] as? Int } == [5])
    }

    @Test("Over no rows, a sum and a count are 0, and other aggregates have no value", arguments: [false, true])
    func functionsOverNothing(asGroups: Bool) throws {
        let stack = try stack()
        // Animals without a weight, and no animals.
        for condition in ["age >= 0", "age > 100"] {
            let rows = try dictionaries(stack) { request in
                request.predicate = NSPredicate(format: condition)
                request.propertiesToFetch = ["sum:", "count:", "average:", "min:", "max:"].map { name in
                    let column = NSExpressionDescription()
                    column.name = name
                    column.expression = NSExpression(
                        forFunction: name, arguments: [NSExpression(forKeyPath: "weight")])
                    column.expressionResultType = name == "count:" ? .integer64AttributeType : .doubleAttributeType
                    return column
                }
                if asGroups { request.propertiesToGroupBy = ["category.name"] }
            }
            let groups = asGroups ? (condition == "age >= 0" ? 2 : 0) : 1
            #expect(rows.count == groups, "\(condition)")
            for row in rows {
                #expect(row["sum:"] as? Double == 0, "\(condition)")
                #expect(row["count:"] as? Int == 0, "\(condition)")
                for name in ["average:", "min:", "max:"] { #expect(row[name] == nil, "\(condition) \(name)") }
            }
        }
    }

    @Test("Without property values, objects are faults that are read when used; order and window apply")
    func withoutPropertyValues() throws {
        let stack = try stack()
        let request = animals()
        request.includesPropertyValues = false
        request.fetchLimit = 2
        let context = stack.newContext()
        let found = try context.fetch(request)
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.isFault && $0.hooks.isEmpty })
        #expect(found.map(\.name) == ["Birds 0", "Birds 1"])
        #expect(found.allSatisfy { !$0.isFault && $0.hooks == ["awakeFromFetch"] })
        // With unsaved changes in the context, which affect the order, the result is the same.
        let busy = stack.newContext()
        stack.insert("Animal", ["name": "Aardvark"], in: busy)
        #expect(try busy.fetch(request).map(\.name) == ["Aardvark", "Birds 0"])
        request.includesPendingChanges = false
        #expect(try busy.fetch(request).map(\.name) == ["Birds 0", "Birds 1"])
    }

    @Test(
        "A repeated fetch refreshes unedited objects, whatever shouldRefreshRefetchedObjects says",
        arguments: [true, false])
    func refetching(shouldRefresh: Bool) throws {
        let stack = try stack()
        let request = animals()
        request.shouldRefreshRefetchedObjects = shouldRefresh
        let context = stack.newContext()
        let (unedited, edited) = (try context.fetch(request)[0], try context.fetch(request)[1])
        edited.setValue(50, forKey: "age")
        let update = NSBatchUpdateRequest(entityName: "Animal")
        update.propertiesToUpdate = ["age": 9]
        try stack.newContext().execute(update)
        let again = try context.fetch(request)
        #expect(again.first === unedited)
        #expect(unedited.value(forKey: "age") as? Int == 9)
        #expect(edited.value(forKey: "age") as? Int == 50)
        #expect(!unedited.hasChanges && edited.hasChanges)
        let copy = try #require(request.copy() as? NSFetchRequest<Animal>)
        #expect(copy.shouldRefreshRefetchedObjects == shouldRefresh)
    }

    @Test("A request made from a class fetches its objects, and executes in a block of its context")
    func fromClass() throws {
        let stack = try stack()
        #expect(Mammal.entity().name == "Mammal")
        let request = Animal.fetchRequest()
        #expect(try stack.context.fetch(request).count == 5)
        let executed = try stack.context.performAndWait { try Animal.fetchRequest().execute() }
        #expect(executed.count == 5)
    }

    @Test("Without pending changes, conditions evaluated in memory ignore unsaved objects, too")
    func pendingInMemory() throws {
        let stack = try TestStack(.file)
        try stack.add(.file, "other")
        try stack.saveFamily(animals: 2)
        stack.insert("Animal", ["name": "unsaved"])
        // Two stores, and an order by another object.
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "category.name", ascending: true)]
        #expect(try stack.context.fetch(request).count == 3)
        request.includesPendingChanges = false
        #expect(try stack.context.fetch(request).count == 2)
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("Results of another class than the request's are an error")
    func otherClass() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 1)
        #expect(code { _ = try stack.context.fetch(NSFetchRequest<Mammal>(entityName: "Animal")) } == 134060)
    }

    @Test("A key path in a dictionary has the type of its attribute, also in groups")
    func typesOfKeyPaths() throws {
        let model = Zoo.model()
        model.entitiesByName["Category"]?.properties += [
            Zoo.attribute("founded", .dateAttributeType), Zoo.attribute("isOpen", .booleanAttributeType),
            Zoo.attribute("site", .URIAttributeType),
        ]
        let stack = try TestStack(model: model)
        let (day, site) = (Date(timeIntervalSinceReferenceDate: 5), URL(fileURLWithPath: "/zoo"))
        let values: [String: Any] = ["name": "c", "founded": day, "isOpen": true, "site": site]
        stack.insert("Animal", ["name": "a", "category": stack.insert("Category", values)])
        try stack.context.save()
        let paths = ["category.founded", "category.isOpen", "category.site"]
        let computed = NSExpressionDescription()
        computed.name = "computed"
        computed.expression = NSExpression(forKeyPath: "category.founded")
        for isGrouped in [false, true] {
            let found = try dictionaries(stack) { request in
                request.propertiesToFetch = isGrouped ? paths : paths + [computed]
                if isGrouped {
                    request.propertiesToGroupBy = paths
                    request.sortDescriptors = nil
                }
            }
            #expect(found.first?["category.founded"] as? Date == day)
            #expect(found.first?["category.isOpen"] as? Bool == true)
            #expect(found.first?["category.site"] as? URL == site)
            if !isGrouped { #expect(found.first?["computed"] as? Date == day) }
        }
    }
}
