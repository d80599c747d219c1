import CoreData
import Foundation
import SwiftData
import Testing

@Suite("SwiftData and Core Data on one file")
struct CoexistenceTests {
    private func names(_ objects: [NSManagedObject]) -> [String] {
        objects.compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("Core Data sees SwiftData's saves: rows, links, edits of registered objects, deletes")
    func typedToDynamic() throws {
        let both = try BothFaces()
        let held = try both.objects("Ship")
        #expect(names(held) == ["S1", "S2", "S3"])
        #expect(
            held.map { ($0.value(forKey: "harbor") as? NSManagedObject)?.value(forKey: "name") as? String } == [
                "Oslo", "Oslo", "Oslo",
            ])
        #expect(held.map { ($0.value(forKey: "routes") as? NSSet)?.count } == [1, 1, 0])
        try both.ship("S1").crew = 77
        both.typed.delete(try both.ship("S2"))
        both.typed.insert(Ship("S4", harbor: try both.typed.fetch(FetchDescriptor<Harbor>()).first))
        try both.typed.save()
        #expect(names(try both.objects("Ship")) == ["S1", "S3", "S4"])
        #expect(held[0].value(forKey: "crew") as? Int == 77)
        #expect(try both.objects("Ship", "harbor.name == 'Oslo'").count == 3)
        both.dynamic.refreshAllObjects()
        #expect(throws: CocoaError.self) { try both.dynamic.existingObject(with: held[1].objectID) }
    }

    @Test("SwiftData merges Core Data's saves into registered models")
    func dynamicToTyped() throws {
        let both = try BothFaces()
        let (first, second) = (try both.ship("S1"), try both.ship("S2"))
        let harbor = try #require(first.harbor)
        #expect(harbor.ships.count == 3)
        let twins = try both.objects("Ship")
        twins[0].setValue(55, forKey: "crew")
        both.dynamic.delete(twins[1])
        let new = NSEntityDescription.insertNewObject(forEntityName: "Ship", into: both.dynamic)
        new.setValuesForKeys(["name": "S5", "crew": 5])
        new.setValue(twins[0].value(forKey: "harbor"), forKey: "harbor")
        try both.dynamic.save()
        both.typed.processPendingChanges()
        #expect(first.crew == 55)
        #expect(second.modelContext == nil)
        #expect(Set(harbor.ships.map(\.name)) == ["S1", "S3", "S5"])
        #expect(try both.typed.fetchCount(FetchDescriptor<Ship>()) == 3)
    }

    @Test("A batch delete of Core Data that obeys the rules is merged with its cascades into SwiftData's contexts")
    func dynamicBatchDelete() throws {
        let both = try BothFaces()
        let ships = try both.typed.fetch(FetchDescriptor<Ship>())
        let route = try #require(try both.typed.fetch(FetchDescriptor<Route>()).first)
        #expect(route.ships?.count == 2)
        try both.dynamic.execute(both.requestForAll("Harbor", "name == 'Oslo'"))
        both.typed.processPendingChanges()
        #expect(ships.allSatisfy { $0.modelContext == nil })
        #expect(route.ships?.isEmpty == true)
        #expect(try both.typed.fetchCount(FetchDescriptor<Harbor>()) == 0)
    }

    @Test("Bulk deletes of SwiftData are in the history that Core Data merges from")
    func typedBatchDelete() throws {
        let both = try BothFaces()
        let held = try both.objects("Ship")
        let harbor = try #require(try both.objects("Harbor").first)
        #expect((harbor.value(forKey: "ships") as? NSSet)?.count == 3)
        let token = both.coordinator.currentPersistentHistoryToken(fromStores: nil)
        try both.typed.delete(model: Ship.self, where: #Predicate { $0.crew > 1 })
        try both.typed.save()
        #expect(names(try both.objects("Ship")) == ["S1"])
        for transaction in try both.changes(after: token) {
            both.dynamic.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(held.map(\.isDeleted) == [false, true, true])
        #expect((harbor.value(forKey: "ships") as? NSSet)?.count == 1)
        try both.dynamic.save()
        #expect(!both.dynamic.hasChanges)
    }

    @Test("Each face restores its archived deletions, and the other sees the rows again, with links")
    func restores() throws {
        let both = try BothFaces()
        let harbor = try #require(try both.typed.fetch(FetchDescriptor<Harbor>()).first)
        let typedToken = try #require(try both.typed.deleteAndArchive(harbor))
        try both.typed.save()
        #expect(try both.objects("Ship").isEmpty)
        try both.container.restore(typedToken)
        #expect(names(try both.objects("Ship", "harbor.name == 'Oslo'")) == ["S1", "S2", "S3"])
        #expect(try both.objects("Ship", "ANY routes.name == 'north'").count == 2)

        let request = both.requestForAll("Ship", "crew > 1")
        request.archivesRows = true
        let result = try both.dynamic.execute(request) as? NSBatchDeleteResult
        let ships = FetchDescriptor<Ship>()
        #expect(try both.typed.fetchCount(ships) == 1)
        try both.coordinator.restore(try #require(result?.deletionToken))
        #expect(try both.typed.fetchCount(ships) == 3)
        let again = try #require(try both.typed.fetch(FetchDescriptor<Harbor>()).first)
        #expect(Set(again.ships.map(\.name)) == ["S1", "S2", "S3"])
        #expect(try both.ship("S2").routes.map(\.name) == ["north"])
    }

    @Test("If both change one row, the later save has the conflict; SwiftData merges, Core Data applies its policy")
    func conflicts() throws {
        let both = try BothFaces()
        let model = try both.ship("S1")
        let object = try #require(try both.objects("Ship", "name == 'S1'").first)
        object.setValue("renamed", forKey: "name")
        model.crew = 9
        try both.typed.save()
        #expect(throws: CocoaError.self) { try both.dynamic.save() }
        both.dynamic.mergePolicy = .mergeByPropertyObjectTrump
        try both.dynamic.save()
        #expect(object.value(forKey: "crew") as? Int == 9)
        model.crew = 10
        try both.typed.save()
        #expect(model.name == "renamed")
        #expect(try both.objects("Ship", "name == 'renamed' AND crew == 10").count == 1)
    }

    @Test("Neither face assigns a key or accepts a unique name that the other one has used")
    func keysAndNames() throws {
        let both = try BothFaces()
        for round in 0..<4 {
            let new = NSEntityDescription.insertNewObject(forEntityName: "Ship", into: both.dynamic)
            new.setValuesForKeys(["name": "d\(round)", "crew": 0])
            try both.dynamic.save()
            both.typed.insert(Ship("t\(round)"))
            try both.typed.save()
        }
        #expect(try both.objects("Ship").count == 11)
        #expect(Set(try both.objects("Ship").map(\.objectID)).count == 11)
        let twin = NSEntityDescription.insertNewObject(forEntityName: "Harbor", into: both.dynamic)
        twin.setValue("Oslo", forKey: "name")
        #expect(throws: CocoaError.self) { try both.dynamic.save() }
        both.dynamic.rollback()
        both.typed.insert(Harbor(name: "Oslo"))
        try both.typed.save()
        #expect(try both.objects("Harbor").count == 1)
    }

    @Test("The main context of SwiftData merges Core Data's saves by itself")
    @MainActor
    func wakes() async throws {
        let both = try BothFaces()
        let ship = try #require(
            try both.container.mainContext.fetch(FetchDescriptor<Ship>(predicate: #Predicate { $0.name == "S1" })).first
        )
        let object = try #require(try both.objects("Ship", "name == 'S1'").first)
        object.setValue(66, forKey: "crew")
        try both.dynamic.save()
        for _ in 0..<1000 where ship.crew != 66 { await Task.yield() }
        #expect(ship.crew == 66)
        try both.dynamic.execute(both.requestForAll("Harbor", "TRUEPREDICATE"))
        for _ in 0..<1000 where ship.modelContext != nil { await Task.yield() }
        #expect(ship.modelContext == nil)
    }

    @Test("A context pinned to a generation still sees rows that SwiftData deletes")
    func generations() throws {
        let both = try BothFaces()
        try both.dynamic.setQueryGenerationFrom(.current)
        #expect(try both.objects("Ship").count == 3)
        try both.typed.delete(model: Ship.self)
        try both.typed.save()
        #expect(try both.objects("Ship").count == 3)
        try both.dynamic.setQueryGenerationFrom(nil)
        #expect(try both.objects("Ship").isEmpty)
    }

    @Test("Concurrent saves of both from several threads lose nothing")
    func concurrency() async throws {
        let both = try BothFaces()
        let (container, coordinator) = (both.container, both.coordinator)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    let context = ModelContext(container)
                    for number in 0..<10 {
                        context.insert(Ship("t\(worker)-\(number)"))
                        try context.save()
                    }
                }
                group.addTask {
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    try await context.perform {
                        for number in 0..<10 {
                            let new = NSEntityDescription.insertNewObject(forEntityName: "Ship", into: context)
                            new.setValuesForKeys(["name": "d\(worker)-\(number)", "crew": 1])
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try both.objects("Ship").count == 63)
        #expect(try both.typed.fetchCount(FetchDescriptor<Ship>()) == 63)
        #expect(try both.container.check().isEmpty)
    }
}
