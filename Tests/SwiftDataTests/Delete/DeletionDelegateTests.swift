import Foundation
import SwiftData
import Testing

@Suite("Deletion delegates")
struct DeletionDelegateTests {
    private func filled() throws -> (ModelContainer, ModelContext, Announcements) {
        let container = try Park.container()
        try Park.fill(container)
        let announcements = Announcements()
        container.deletionDelegate = announcements
        return (container, ModelContext(container), announcements)
    }

    private static let region = ["Region", "Site", "Site", "Site"]

    @Test("A bulk delete is announced at the save, with cascaded models, each model once")
    func saves() throws {
        let (container, context, announcements) = try filled()
        #expect(container.deletionDelegate === announcements)
        let id = try Park.region("R0", context).persistentModelID
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        #expect(announcements.pages.isEmpty)
        try context.save()
        #expect(announcements.names == Self.region)
        #expect(announcements.identifiers.contains(id))
        // In pages of one class each.
        #expect(announcements.pages.allSatisfy { Set($0.map(\.entityName)).count == 1 })
        try context.save()
        #expect(announcements.names.count == 4)
    }

    @Test("A bulk delete executed on single models because of unsaved changes is announced, too")
    func savesWithUnsavedChanges() throws {
        let (_, context, announcements) = try filled()
        let site = try Park.site("R1-0", context)
        site.size = 500
        try context.delete(model: Park.Site.self, where: #Predicate { $0.size == 500 })
        try context.save()
        #expect(try Park.codes(context).count == 5)
        #expect(announcements.names == ["Site"])
        // Includes cascaded models; models that were never saved are left out.
        context.insert(Park.Site(code: "New", region: try Park.region("R0", context)))
        try context.delete(model: Park.Region.self, where: #Predicate { $0.sites.count == 4 })
        context.delete(try Park.keeper("A", context))
        #expect(announcements.names == ["Site"])
        try context.save()
        #expect(announcements.names == ["Region", "Site", "Site", "Site", "Site"])
        #expect(try Park.codes(context).count == 2)
        // After a rollback, nothing is announced later.
        context.insert(Park.Visit(note: "New"))
        try context.delete(model: Park.Visit.self, where: #Predicate { $0.note == "R1-1x" })
        context.rollback()
        context.delete(try Park.visit("R1-1x", context))
        try context.save()
        #expect(announcements.names.count == 5)
    }

    @Test("An error of the delegate also reverts a delete executed on single models")
    func refusedWithUnsavedChanges() throws {
        let (container, context, _) = try filled()
        let refusing = Announcements(refusesAtPage: 0)
        container.deletionDelegate = refusing
        let before = try Park.contents(container)
        context.insert(Park.Site(code: "New", region: try Park.region("R0", context)))
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        #expect(throws: Announcements.Refusal.self) { try context.save() }
        #expect(try Park.contents(container) == before)
        #expect(context.hasChanges)
        refusing.allow()
        try context.save()
        #expect(refusing.names == Self.region)
        #expect(try Park.contents(context) == Park.contents(container))
    }

    @Test("A model that was inserted again is not announced; the others are, each once")
    func takenBack() throws {
        let (_, context, announcements) = try filled()
        let site = try Park.site("R0-0", context)
        try context.delete(model: Park.Site.self)
        context.insert(site)
        try context.save()
        #expect(announcements.names.count == 5)
        #expect(!announcements.identifiers.contains(site.persistentModelID))
        #expect(try Park.codes(context) == ["R0-0"])
    }

    @Test("Plans, archived ones too, long deletes and erase are announced")
    func others() async throws {
        let (container, context, announcements) = try filled()
        try context.deletionPlan(for: Park.Site.self, where: #Predicate { $0.code == "R0-0" }).execute()
        #expect(announcements.names == ["Site"])
        _ = try context.deletionPlan(for: Park.Keeper.self, where: #Predicate { $0.name == "A" }).executeAndArchive()
        #expect(announcements.names == ["Keeper", "Site"])
        _ = try context.deleteAndArchive(model: Park.Visit.self, where: #Predicate { $0.note == "R0-0x" })
        try context.save()
        #expect(announcements.names == ["Keeper", "Site", "Visit"])
        let options = DeletionOptions.chunks(of: 1)
        let plan = try context.deletionPlan(for: Park.Region.self, where: #Predicate { $0.name == "R0" })
        try await plan.start(options: options).run()
        #expect(announcements.names == ["Keeper", "Region", "Site", "Site", "Site", "Visit"])
        #expect(announcements.pages.count == 6)
        let left = try Park.contents(container)
        let before = announcements.identifiers
        try container.erase()
        #expect(announcements.identifiers.subtracting(before) == Set(left.keys))
    }

    @Test("Deletes of single models are not announced, nor are planning, fetching and restoring")
    func notAnnounced() throws {
        let (container, context, announcements) = try filled()
        context.delete(try Park.region("R0", context))
        try context.save()
        #expect(announcements.pages.isEmpty)
        _ = try context.deletionPlan(for: Park.Region.self)
        try context.delete(model: Park.Region.self)
        context.rollback()
        try context.save()
        #expect(announcements.pages.isEmpty)
        let token = try #require(try context.deletionPlan(for: Park.Region.self).executeAndArchive())
        let count = announcements.pages.count
        try container.restore(token)
        #expect(announcements.pages.count == count)
    }

    @Test("A save with both kinds of deletes announces only the bulk-deleted models")
    func mixed() throws {
        let (_, context, announcements) = try filled()
        let keeper = try Park.keeper("A", context)
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        context.delete(keeper)
        try context.save()
        #expect(announcements.names == Self.region)
        #expect(try Park.codes(context).count == 3)
    }

    @Test("An error of the delegate rolls back the whole save, and the unsaved changes are kept", arguments: [0, 1])
    func refusedSave(_ page: Int) throws {
        let (container, context, _) = try filled()
        let refusing = Announcements(refusesAtPage: page)
        container.deletionDelegate = refusing
        let before = try Park.contents(container)
        let token = try context.deleteAndArchive(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        let keeper = try Park.keeper("A", context)
        keeper.name = "edited"
        context.insert(Park.Region(name: "New"))
        #expect(throws: Announcements.Refusal.self) { try context.save() }
        #expect(try Park.contents(container) == before)
        #expect(try container.archivedDeletions().isEmpty)
        #expect(context.hasChanges)
        #expect(keeper.name == "edited")
        #expect(try Park.codes(context) == ["R1-0", "R1-1", "R1-2"])
        let regions = try context.fetch(FetchDescriptor<Park.Region>(sortBy: [SortDescriptor(\.name)]))
        #expect(regions.map(\.name) == ["New", "R1"])
        refusing.allow()
        try context.save()
        #expect(refusing.identifiers.count == 4)
        #expect(try Park.contents(container) == Park.contents(context))
        #expect(try Park.keeper("edited", context).sites.count == 3)
        #expect(try container.archivedDeletions().map(\.token) == [try #require(token)])
        #expect(!context.hasChanges)
    }

    @Test("An error of the delegate rolls back plans and erase, and stops a long delete, which can be resumed")
    func refusedOthers() async throws {
        let (container, context, _) = try filled()
        let refusing = Announcements(refusesAtPage: 1)
        container.deletionDelegate = refusing
        let before = try Park.contents(container)
        let plan = try context.deletionPlan(for: Park.Region.self)
        #expect(throws: Announcements.Refusal.self) { try plan.execute() }
        #expect(throws: Announcements.Refusal.self) { try plan.executeAndArchive() }
        #expect(throws: Announcements.Refusal.self) { try container.erase() }
        #expect(try Park.contents(container) == before)
        #expect(try container.archivedDeletions().isEmpty)
        container.deletionDelegate = nil
        let stopping = Announcements(refusesAtPage: 2)
        container.deletionDelegate = stopping
        let options = DeletionOptions.chunks(of: 2)
        let deletion = try plan.start(options: options)
        await #expect(throws: Announcements.Refusal.self) { try await deletion.run() }
        #expect(deletion.state.done == 4)
        #expect(try Park.codes(ModelContext(container)).count == 2)
        #expect(try container.unfinishedDeletions().map(\.done) == [4])
        stopping.allow()
        try await deletion.run()
        #expect(try Park.contents(container).count == 14)
        #expect(stopping.identifiers.count == 8)
    }

    @Test("With several stores all models are announced, and a refusal rolls back all stores")
    func severalStores() throws {
        let folder = try ParkFolder()
        let container = try folder.twoStores()
        try Park.fill(container)
        let context = ModelContext(container)
        context.insert(Animal(name: "Fox"))
        try context.save()
        let refusing = Announcements(refusesAtPage: 1)
        container.deletionDelegate = refusing
        try context.delete(model: Animal.self)
        try context.delete(model: Park.Keeper.self)
        #expect(throws: Announcements.Refusal.self) { try context.save() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Park.Keeper>()) == 2)
        let all = Announcements()
        container.deletionDelegate = all
        try context.save()
        #expect(all.names == ["Animal", "Keeper", "Keeper"])
        try container.erase()
        #expect(all.names.count == 3 + 20)
    }

    @Test("A delegate can read the store's former state, and is held weakly")
    func reading() throws {
        let folder = try ParkFolder()
        let container = try folder.container()
        try Park.fill(container)
        let context = ModelContext(container)
        var reader: Reader? = Reader(container)
        weak let weakReader = reader
        container.deletionDelegate = reader
        try context.delete(model: Park.Region.self)
        try context.save()
        #expect(reader?.counts == [6, 6])
        reader = nil
        #expect(weakReader == nil)
        #expect(container.deletionDelegate == nil)
        try context.delete(model: Park.Visit.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Park.Visit>()) == 0)
    }

    /// Counts the existing sites during the announcement.
    private final class Reader: DeletionDelegate, @unchecked Sendable {  // … Called on the test's thread only.
        private let container: ModelContainer
        private(set) var counts: [Int] = []

        init(_ container: ModelContainer) { self.container = container }

        func willDelete(_ rows: [RowIdentifier]) throws {
            counts.append(try ModelContext(container).fetchCount(FetchDescriptor<Park.Site>()))
        }
    }
}
