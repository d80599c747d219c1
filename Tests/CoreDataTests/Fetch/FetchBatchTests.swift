import CoreData
import ObjectGraph
import Testing

/// `fetchBatchSize`: which rows are read, and when.
@Suite("Fetches in batches")
struct FetchBatchTests {
    private func stack(_ count: Int = 10) throws -> TestStack {
        let stack = try TestStack()
        try stack.saveFamily(animals: count)
        return stack
    }

    private func request(_ size: Int) -> NSFetchRequest<Animal> {
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.fetchBatchSize = size
        return request
    }

    /// Positions of the objects that have been read.
    private func read(_ animals: [Animal]) -> [Int] {
        animals.indices.filter { !animals[$0].record.isFault }
    }

    @Test("A fetch reads no rows; the first value of an object reads its batch, and no other")
    func batches() throws {
        let stack = try stack()
        let animals = try stack.newContext().fetch(request(4))
        #expect(animals.count == 10)
        #expect(read(animals) == [])
        #expect(animals[5].name == "Mammals 5")
        #expect(read(animals) == [4, 5, 6, 7])
        #expect(animals[9].name == "Mammals 9")
        #expect(read(animals) == [4, 5, 6, 7, 8, 9])
        #expect(animals.map { $0.value(forKey: "age") as? Int } == Array(0..<10))
    }

    @Test("awakeFromFetch is called for each object when it is first used, not for its batch")
    func hooks() throws {
        let stack = try stack()
        let animals = try stack.newContext().fetch(request(10))
        _ = animals[0].name
        #expect(animals[0].hooks == ["awakeFromFetch"])
        #expect(animals[1].hooks.isEmpty)
        #expect(animals[1].isFault)
        _ = animals[1].name
        #expect(animals[1].hooks == ["awakeFromFetch"])
    }

    @Test("Limit, offset and order apply; objects that were read already are not read again")
    func windows() throws {
        let stack = try stack()
        let context = stack.newContext()
        let request = request(2)
        (request.fetchOffset, request.fetchLimit) = (3, 4)
        let known = try #require(try context.fetch(self.request(0)).dropFirst(4).first)
        #expect(known.name == "Mammals 4")
        context.refreshAllObjects()
        #expect(known.name == "Mammals 4")
        let animals = try context.fetch(request)
        #expect(animals[1] === known)
        #expect(read(animals) == [1])
        #expect(animals.map(\.name) == (3..<7).map { "Mammals \($0)" })
    }

    @Test("Results include unsaved changes")
    func unsavedChanges() throws {
        let stack = try stack(3)
        let context = stack.newContext()
        stack.insert("Animal", ["name": "new", "age": -1], in: context)
        #expect(try context.fetch(request(2)).map(\.name) == ["new", "Mammals 0", "Mammals 1", "Mammals 2"])
    }

    @Test("Objects whose rows were deleted before their batch was read have no values and are deleted")
    func goneRows() throws {
        let stack = try stack(4)
        let animals = try stack.newContext().fetch(request(4))
        let delete = NSBatchDeleteRequest(fetchRequest: stack.request("Animal", NSPredicate(format: "age == 2")))
        try stack.context.execute(delete)
        #expect(animals[0].name == "Mammals 0")
        #expect(animals[2].name == nil)
        #expect(animals[2].isDeleted)
        #expect(animals[3].name == "Mammals 3")
    }

    @Test("Prefetched relationships are read with each batch")
    func prefetching() throws {
        let stack = try stack(4)
        let request = request(2)
        request.relationshipKeyPathsForPrefetching = ["category", "category.animals"]
        let animals = try stack.newContext().fetch(request)
        _ = animals[0].name
        let category = try #require(animals[0].value(forKey: "category") as? NSManagedObject)
        #expect(!category.record.isFault)
        #expect(!category.hasFault(forRelationshipNamed: "animals"))
        request.relationshipKeyPathsForPrefetching = ["category.nothing"]
        #expect(code { _ = try stack.newContext().fetch(request) } == 134060)
    }

    @Test("Released results are discarded, and a later fetch reads again")
    func lettingGo() throws {
        let stack = try stack()
        let context = stack.newContext()
        _ = try context.fetch(request(5))
        let animals = try context.fetch(request(3))
        _ = animals[0].name
        #expect(read(animals) == [0, 1, 2])
    }

    @Test("Released results keep neither read rows nor pending batches in memory")
    func lettingManyGo() throws {
        let stack = try TestStack()
        let rows = (0..<6_000).map { ["name": "\($0)", "age": $0 % 100] as [String: Any] }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Animal", objects: rows))
        let context = stack.newContext()
        weak var first: Animal?
        weak var last: Animal?
        func fetchAndLetGo() throws -> [Animal] {
            let animals = try context.fetch(request(500))
            (first, last) = (animals[0], animals[5_999])
            _ = animals[0].name
            #expect(read(animals) == Array(0..<500))
            return Array(animals[998..<1_002])
        }
        // Objects of two batches are retained: these batches are read when used, and no others.
        let held = try fetchAndLetGo()
        #expect(first != nil && last != nil)
        #expect(try context.count(for: request(0)) == 6_000)
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        #expect(first == nil && last == nil)
        #expect(context.registeredObjects == Set(held))
        _ = held[0].name
        #expect(read(held) == [0, 1])
        #expect(context.registeredObjects == Set(held))
        _ = held[3].name
        #expect(read(held) == [0, 1, 2, 3])
        #expect(context.registeredObjects == Set(held))
    }
}
