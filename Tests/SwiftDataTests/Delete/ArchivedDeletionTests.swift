import Foundation
import SQLiteStore
import SwiftData
import Testing

@Suite("Archived deletions: discarding, tokens, stores")
struct ArchivedDeletionTests {
    /// Deletes one region after the other, with archives.
    private func deleteRegions(_ container: ModelContainer) throws -> [DeletionToken] {
        let context = ModelContext(container)
        let names = try context.fetch(FetchDescriptor<Park.Region>(sortBy: [SortDescriptor(\.name)])).map(\.name)
        return try names.map { name in
            let token = try context.deleteAndArchive(model: Park.Region.self, where: #Predicate { $0.name == name })
            try context.save()
            return try #require(token)
        }
    }

    private func regions(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Park.Region>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test("Archived deletions are discarded by token, date, size, or all; the others can still be restored")
    func purging() throws {
        let container = try Park.container()
        try Park.fill(container, regions: 5, sites: 1)
        let start = Date()
        let tokens = try deleteRegions(container)
        #expect(try container.archivedDeletions().map(\.token) == tokens)
        try container.discard(tokens[1])
        #expect(throws: DeletionError.unknownToken) { try container.restore(tokens[1]) }
        #expect(try container.archivedDeletions().map(\.token) == [tokens[0], tokens[2], tokens[3], tokens[4]])
        try container.discardArchivedDeletions(before: start.addingTimeInterval(-3600))
        #expect(try container.archivedDeletions().count == 4)
        // The oldest are discarded first.
        let last = try #require(try container.archivedDeletions().last)
        try container.discardArchivedDeletions(downToByteCount: last.byteCount)
        #expect(try container.archivedDeletions().map(\.token) == [tokens[4]])
        try container.restore(tokens[4])
        #expect(try regions(container) == ["R4"])
        let again = try deleteRegions(container)
        try container.discardArchivedDeletions(before: Date().addingTimeInterval(3600))
        #expect(try container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try container.restore(again[0]) }
        #expect(try regions(container) == [])
        // Discarding from an empty archive is no error.
        try container.discard(again[0])
        try container.discardArchivedDeletions()
        try container.discardArchivedDeletions(downToByteCount: 0)
    }

    @Test("Discarding all archived deletions leaves the tables of a store that never had any")
    func noTrace() throws {
        let folder = try ParkFolder()
        let container = try folder.container()
        try Park.fill(container, regions: 2, sites: 1)
        func tables() throws -> [String] {
            try Connection(.file(folder.store), access: .readOnly).withStatement(
                "SELECT name FROM sqlite_master ORDER BY name"
            ) { statement in
                var names: [String] = []
                while try statement.step() { names.append(statement.text(at: 0)) }
                return names
            }
        }
        let before = try tables()
        let tokens = try deleteRegions(container)
        #expect(try tables() != before)
        try container.discardArchivedDeletions()
        #expect(try tables() == before)
        #expect(try container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try container.restore(tokens[0]) }
        #expect(throws: DeletionError.unknownToken) { try container.conflicts(restoring: tokens[0]) }
    }

    @Test("A token can be encoded as text, and used once after the container was closed and opened again")
    func codable() throws {
        let folder = try ParkFolder()
        let (data, before): (Data, [PersistentIdentifier: String])
        do {
            let container = try folder.container()
            try Park.fill(container)
            before = try Park.contents(container)
            let context = ModelContext(container)
            context.author = "me"
            let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
            try context.save()
            data = try JSONEncoder().encode(token)
            #expect(try JSONDecoder().decode(DeletionToken.self, from: data) == token)
        }
        let container = try folder.container()
        let token = try JSONDecoder().decode(DeletionToken.self, from: data)
        let kept = try #require(try container.archivedDeletions().first)
        #expect(kept.token == token)
        #expect(kept.author == "me")
        try container.restore(token)
        #expect(try Park.contents(container) == before)
        #expect(throws: DeletionError.unknownToken) { try container.restore(token) }
        #expect(throws: DeletionError.unknownToken) { try container.restoreSkippingConflicts(token) }
        #expect(try Park.contents(container) == before)
    }

    @Test("A token of another store is unknown, and nothing changes; errors have descriptions")
    func unknown() throws {
        let (one, two) = (try Park.container(), try Park.container())
        try Park.fill(one)
        try Park.fill(two)
        let token = try #require(try deleteRegions(one).first)
        let before = try Park.contents(two)
        #expect(throws: DeletionError.unknownToken) { try two.restore(token) }
        #expect(try Park.contents(two) == before)
        #expect(!DeletionError.unknownToken.description.isEmpty)
        #expect(DeletionError.conflicts(["x"]).localizedDescription.contains("x"))
    }

    @Test("Another container on the file sees deleted and restored models, even if it fetches only afterwards")
    func neighbours() throws {
        let folder = try ParkFolder()
        let container = try folder.container()
        try Park.fill(container)
        let before = try Park.contents(container)
        let watching = ModelContext(try folder.container())
        let late = ModelContext(try folder.container())
        let visit = try Park.visit("R0-0x", watching)
        let lateVisit = try Park.visit("R0-0x", late)
        let lateSite = try Park.site("R0-0", late)
        #expect(visit.site?.code == "R0-0")
        #expect(lateVisit.site == lateSite)
        let token = try #require(try deleteRegions(container).first)
        watching.processPendingChanges()
        #expect(visit.site == nil)
        try container.restore(token)
        try container.restore(try #require(try container.archivedDeletions().first).token)
        watching.processPendingChanges()
        #expect(visit.site?.code == "R0-0")
        late.processPendingChanges()
        #expect(lateVisit.site?.code == "R0-0")
        #expect(try Park.site("R0-0", late).visits.contains(lateVisit))
        #expect(try Park.contents(watching) == before)
        #expect(try Park.contents(late) == before)
    }

    // MARK: Stores

    @Test("A delete over several stores has one token, and each model is restored to its store")
    func severalStores() throws {
        let folder = try ParkFolder()
        let container = try folder.twoStores()
        try Park.fill(container)
        let context = ModelContext(container)
        for name in ["Fish", "Birds"] {
            let category = AnimalCategory(name: name)
            context.insert(category)
            category.animals = [Animal(name: "of \(name)")]
        }
        try context.save()
        let before = try Park.contents(container)
        let one = try context.deleteAndArchive(model: Park.Region.self)
        let two = try context.deleteAndArchive(model: AnimalCategory.self, where: #Predicate { $0.name == "Fish" })
        #expect(one == two)
        try context.save()
        let token = try #require(one)
        #expect(try Park.codes(context) == [])
        #expect(try context.fetch(FetchDescriptor<Animal>()).map(\.name) == ["of Birds"])
        #expect(try container.archivedDeletions().map(\.token) == [token])
        #expect(try container.archivedDeletions().map(\.count) == [10])
        #expect(try container.conflicts(restoring: token) == [])
        // A conflict in one store keeps the other unchanged.
        let fish = AnimalCategory(name: "Fish")
        context.insert(fish)
        try context.save()
        #expect(throws: DeletionError.self) { try container.restore(token) }
        #expect(try Park.codes(context) == [])
        context.delete(fish)
        try context.save()
        try container.restore(token)
        #expect(try Park.contents(container) == before)
        let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        #expect(animals.map(\.name) == ["of Birds", "of Fish"])
        #expect(animals.map(\.category?.name) == ["Birds", "Fish"])
        #expect(try container.archivedDeletions().isEmpty)
    }

    @Test("Plans and archives work over several stores as well")
    func severalStoresPlans() throws {
        let folder = try ParkFolder()
        let container = try folder.twoStores()
        try Park.fill(container)
        let context = ModelContext(container)
        context.insert(Animal(name: "Fox"))
        try context.save()
        let ids =
            try context.fetchIdentifiers(FetchDescriptor<Animal>())
            + context.fetchIdentifiers(FetchDescriptor<Park.Region>())
        let token = try #require(try context.deletionPlan(for: ids).executeAndArchive())
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 0)
        #expect(try Park.codes(context) == [])
        try container.restore(token)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
        #expect(try Park.codes(context).count == 6)
        let second = try #require(try context.deletionPlan(for: ids).executeAndArchive())
        try container.discardArchivedDeletions(downToByteCount: 0)
        #expect(throws: DeletionError.unknownToken) { try container.restore(second) }
        #expect(try container.archivedDeletions().isEmpty)
    }

    @Test("A read-only container lists archived deletions, and refuses all writes with a save's error")
    func readOnly() throws {
        let folder = try ParkFolder()
        let token: DeletionToken
        do {
            let container = try folder.container()
            try Park.fill(container)
            token = try #require(try deleteRegions(container).first)
        }
        let container = try folder.container(allowsSave: false)
        let context = ModelContext(container)
        #expect(try container.archivedDeletions().count == 2)
        #expect(try container.conflicts(restoring: token) == [])
        let refused = CocoaError.Code.fileWriteNoPermission.rawValue
        func refusal(_ body: () throws -> Void) -> Int? {
            do {
                try body()
                return nil
            } catch let error as any CustomNSError {
                #expect(type(of: error).errorDomain == NSCocoaErrorDomain)
                return error.errorCode
            } catch {
                Issue.record("\(error)")
                return nil
            }
        }
        #expect(refusal { try container.restore(token) } == refused)
        #expect(refusal { try container.restoreSkippingConflicts(token) } == refused)
        #expect(refusal { try container.discard(token) } == refused)
        #expect(refusal { try container.discardArchivedDeletions() } == refused)
        #expect(refusal { try container.discardArchivedDeletions(before: Date()) } == refused)
        #expect(refusal { try container.discardArchivedDeletions(downToByteCount: 0) } == refused)
        let plan = try context.deletionPlan(for: Park.Site.self)
        #expect(refusal { _ = try plan.executeAndArchive() } == refused)
        #expect(refusal { _ = try context.deletionPlan(for: Park.Visit.self).start() } == refused)
        #expect(refusal { try container.erase() } == refused)
        _ = try context.deleteAndArchive(model: Park.Visit.self)
        #expect(refusal { try context.save() } == refused)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Park.Visit>()) == 12)
        #expect(try container.archivedDeletions().count == 2)
    }

    @Test("If one of several stores is read-only, deletes in the other are archived and restored")
    func partlyReadOnly() throws {
        let folder = try ParkFolder()
        try Park.fill(try folder.twoStores())
        let container = try folder.twoStores(zooSaves: false)
        let before = try Park.contents(container)
        let token = try #require(try deleteRegions(container).first)
        #expect(try regions(container) == [])
        try container.restore(token)
        #expect(try regions(container) == ["R0"])
        try container.restore(try #require(try container.archivedDeletions().first).token)
        #expect(try Park.contents(container) == before)
        try container.discardArchivedDeletions()
    }

    @Test("Erasing a container discards archived deletions and their files")
    func erasing() throws {
        let folder = try ParkFolder()
        let container = try folder.container()
        try Park.fill(container, photo: Data(repeating: 7, count: 200_000))
        let token = try #require(try deleteRegions(container).first)
        #expect(folder.externalFileCount() == 6)
        try container.erase()
        #expect(try container.archivedDeletions().isEmpty)
        #expect(folder.externalFileCount() == 0)
        #expect(throws: DeletionError.unknownToken) { try container.restore(token) }
        try Park.fill(container, regions: 1, sites: 1)
        #expect(try Park.contents(container).count == 6)
    }
}
