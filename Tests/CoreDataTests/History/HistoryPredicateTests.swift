import CoreData
import ObjectGraph
import Testing

@testable import CoreData

/// Requests for history by predicate.
@Suite struct HistoryPredicateTests {
    /// Five saves by different authors, one of them with two changes.
    private struct World {
        let stack: TestStack
        let all: [NSPersistentHistoryTransaction]

        init() throws {
            stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
            for author in ["app", nil, "widget", "", "app"] as [String?] {
                stack.context.transactionAuthor = author
                stack.context.name = author == "app" ? "view" : nil
                stack.insert("Tag", ["label": author as Any])
                if author == "widget" { stack.insert("Person") }
                try stack.context.save()
            }
            let context = stack.context
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            all =
                try (context.execute(request) as? NSPersistentHistoryResult)?.result
                as? [NSPersistentHistoryTransaction] ?? []
        }

        func numbers(_ configure: (NSFetchRequest<any NSFetchRequestResult>) -> Void) throws -> [Int64] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            configure(fetch)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            let result = try stack.context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
        }

        func numbers(_ predicate: NSPredicate) throws -> [Int64] { try numbers { $0.predicate = predicate } }

        func changes(_ predicate: NSPredicate, _ type: NSPersistentHistoryResultType = .changesOnly) throws -> Any? {
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            fetch.predicate = predicate
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            request.resultType = type
            return try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        }
    }

    @Test("Conditions on transaction properties are tested by the store, with the predicate's own result")
    func exact() throws {
        let world = try World()
        let (token, time) = (world.all[1].token, world.all[2].timestamp as NSDate)
        let predicates = [
            NSPredicate(format: "author == %@", "app"), NSPredicate(format: "author != %@", "app"),
            NSPredicate(format: "author == nil"), NSPredicate(format: "author != nil"),
            NSPredicate(format: "author == ''"), NSPredicate(format: "%@ == author", "widget"),
            NSPredicate(format: "contextName == 'view'"), NSPredicate(format: "contextName != 'view'"),
            NSPredicate(format: "transactionNumber > 2"), NSPredicate(format: "3 >= transactionNumber"),
            NSPredicate(format: "timestamp > %@", time), NSPredicate(format: "timestamp <= %@", time),
            NSPredicate(format: "author == 'app' OR NOT (transactionNumber < 3)"),
            NSPredicate(format: "author == 'app' AND transactionNumber > 1"),
            NSPredicate(value: true), NSPredicate(value: false),
        ]
        for predicate in predicates {
            let translated = try HistoryPredicate(predicate, storeIdentifier: world.all[0].storeID)
            #expect(translated.isExact, "\(predicate.formatText)")
            let expected = world.all.filter { predicate.evaluate(with: $0) }.map(\.transactionNumber)
            #expect(try world.numbers(predicate) == expected, "\(predicate.formatText)")
        }
        #expect(try world.numbers(NSPredicate(format: "token > %@", token)) == [3, 4, 5])
        #expect(try world.numbers(NSPredicate(format: "token == %@", token)) == [2])
    }

    @Test("Other conditions are tested in memory, on transactions preselected by the store")
    func inMemory() throws {
        let world = try World()
        let token = world.all[0].token
        let predicates = [
            NSPredicate(format: "author BEGINSWITH 'a'"), NSPredicate(format: "author ==[c] 'APP'"),
            NSPredicate(format: "author IN %@", ["app", "widget"]), NSPredicate(format: "processID != ''"),
            NSPredicate(format: "author == 'app' AND bundleID != ''"),
            NSPredicate { transaction, _ in (transaction as? NSPersistentHistoryTransaction)?.changes?.count == 2 },
        ]
        for predicate in predicates {
            let translated = try HistoryPredicate(predicate, storeIdentifier: world.all[0].storeID)
            #expect(!translated.isExact, "\(predicate.formatText)")
            let expected = world.all.filter { predicate.evaluate(with: $0) }.map(\.transactionNumber)
            #expect(try world.numbers(predicate) == expected, "\(predicate.formatText)")
        }
        let mixed = NSPredicate(format: "token > %@ AND author BEGINSWITH 'a'", token)
        #expect(try HistoryPredicate(mixed).test.startingTokens == [token.token])
        #expect(try world.numbers(mixed) == [5])
        let either = NSPredicate(format: "token <= %@ OR author BEGINSWITH 'w'", token)
        #expect(try world.numbers(either) == [1, 3])
    }

    @Test("Order, offset and limit of the request apply")
    func arranging() throws {
        let world = try World()
        #expect(
            try world.numbers {
                $0.fetchLimit = 2
                $0.fetchOffset = 1
            } == [2, 3])
        #expect(
            try world.numbers {
                $0.sortDescriptors = [
                    NSSortDescriptor(key: "author", ascending: true),
                    NSSortDescriptor(key: "transactionNumber", ascending: false),
                ]
            } == [2, 4, 5, 1, 3])
        #expect(
            try world.numbers {
                $0.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
                $0.fetchLimit = 2
            } == [5, 4])
    }

    @Test("A token in a predicate whose history was deleted throws 134301")
    func expired() throws {
        let world = try World()
        let (old, kept) = (world.all[0].token, world.all[2].token)
        try world.stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: world.all[3]))
        #expect(code { _ = try world.numbers(NSPredicate(format: "token > %@", old)) } == 134301)
        #expect(try world.numbers(NSPredicate(format: "token > %@", kept)) == [4, 5])
    }

    @Test("A token of other stores throws 134301, in a predicate and in a request that starts from it")
    func tokenOfOthers() throws {
        let (world, other) = (try World(), try World())
        let foreign = try #require(other.all.last).token
        #expect(code { _ = try world.numbers(NSPredicate(format: "token > %@", foreign)) } == 134301)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: foreign)
        #expect(code { _ = try world.stack.context.execute(request) } == 134301)
        #expect(code { _ = try other.stack.context.execute(request) } == nil)
    }

    @Test("A malformed predicate is an error, not an empty history")
    func malformed() throws {
        let world = try World()
        #expect(throws: (any Error).self) { try world.numbers(NSPredicate(format: "author ==")) }
    }

    @Test("Changes can be selected by object, entity and kind, for every result type")
    func changes() throws {
        let world = try World()
        let object = try #require(world.all[2].changes?.first?.changedObjectID)
        let tag = try #require(world.stack.coordinator.managedObjectModel.entitiesByName["Tag"])
        world.stack.context.delete(try world.stack.context.existingObject(with: object))
        try world.stack.context.save()

        let ofObject = NSPredicate(format: "changedObjectID == %@", object)
        let found = try #require(try world.changes(ofObject) as? [NSPersistentHistoryChange])
        #expect(found.map(\.changeType) == [.insert, .delete])
        #expect(try HistoryPredicate(ofObject).testOfChanges == .changed(object.id))
        let ofSome = NSPredicate(format: "changedObjectID IN %@ AND changeType == 2", [object])
        #expect(try HistoryPredicate(ofSome).testOfChanges == .and([.or([.changed(object.id)]), .constant(true)]))
        #expect((try world.changes(ofSome) as? [NSPersistentHistoryChange])?.map(\.changeType) == [.delete])
        #expect(try world.changes(ofObject, .count) as? Int == 2)
        #expect(try world.changes(ofObject, .objectIDs) as? [NSManagedObjectID] == [object, object])
        #expect(try world.changes(ofObject, .statusOnly) as? Bool == true)
        let ofKind = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.delete.rawValue)
        #expect((try world.changes(ofKind) as? [NSPersistentHistoryChange])?.map(\.changedObjectID) == [object])
        let ofEntity = NSPredicate(format: "changedEntity == %@", tag)
        let expected = 5 + (object.entity.name == "Tag" ? 1 : 0)
        #expect((try world.changes(ofEntity) as? [NSPersistentHistoryChange])?.count == expected)
    }
}
