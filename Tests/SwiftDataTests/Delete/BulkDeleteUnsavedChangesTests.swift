import Foundation
import SwiftData
import Testing

@Suite("Bulk deletes and unsaved changes")
struct BulkDeleteUnsavedChangesTests {
    private func filled() throws -> ModelContainer {
        let container = try Park.container()
        try Park.fill(container)
        return container
    }

    @Test("Unsaved edits of models that a plan deletes are discarded, links to them are dropped, the rest is saved")
    func planBesideEdits() throws {
        let container = try filled()
        let context = ModelContext(container)
        let site = try Park.site("R0-0", context)
        let visit = try Park.visit("R1-0x", context)
        let region = try Park.region("R0", context)
        site.size = 500
        visit.site = site
        visit.note = "edited"
        let new = Park.Site(code: "New", region: region)
        context.insert(new)
        try ModelContext(container).deletionPlan(for: Park.Region.self, where: #Predicate { $0.name == "R0" }).execute()
        try context.save()
        #expect(site.modelContext == nil)
        #expect(region.modelContext == nil)
        #expect(new.region == nil)
        #expect(visit.site == nil)
        let other = ModelContext(container)
        #expect(try Park.codes(other) == ["New", "R1-0", "R1-1", "R1-2"])
        #expect(try Park.visit("edited", other).site == nil)
        #expect(try Park.site("New", other).region == nil)
        #expect(try Park.contents(context) == Park.contents(container))
        #expect(!context.hasChanges)
    }

    @Test("Unsaved edits of models that a long delete deletes chunk by chunk are discarded")
    func longDeleteBesideEdits() async throws {
        let container = try filled()
        let editor = ParkEditor(modelContainer: container)
        try await editor.edit()
        let options = DeletionOptions.chunks(of: 1)
        let plan = try ModelContext(container).deletionPlan(
            for: Park.Region.self, where: #Predicate { $0.name == "R0" })
        try await plan.start(options: options).run()
        try await editor.save()
        let other = ModelContext(container)
        #expect(try Park.codes(other) == ["New", "R1-0", "R1-1", "R1-2"])
        #expect(try Park.visit("edited", other).site == nil)
        #expect(try Park.site("New", other).region == nil)
        #expect(try await editor.agreesWithStore())
    }

    @Test("In the same context, edits of deleted models are discarded, and new links to them are dropped")
    func sameContext() throws {
        let container = try filled()
        let context = ModelContext(container)
        let site = try Park.site("R0-0", context)
        let visit = try Park.visit("R1-0x", context)
        let region = try Park.region("R0", context)
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        site.size = 500
        visit.site = site
        let new = Park.Site(code: "New", region: region)
        context.insert(new)
        #expect(visit.site == nil || visit.site?.code == "R1-0")
        #expect(new.region == nil)
        try context.save()
        #expect(try Park.codes(context) == ["New", "R1-0", "R1-1", "R1-2"])
        #expect(try Park.contents(context) == Park.contents(container))
    }

    @Test("One save can combine bulk deletes with deletes of single, related models")
    func mixed() throws {
        let container = try filled()
        let context = ModelContext(container)
        let single = try Park.region("R1", context)
        let keeper = try Park.keeper("A", context)
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        context.delete(single)
        context.delete(keeper)
        #expect(try Park.codes(context) == [])
        try context.save()
        #expect(try Park.contents(container).count == 13)
        #expect(try Park.contents(context) == Park.contents(container))
        #expect(try Park.keeper("B", context).sites.isEmpty)
    }

    @Test("Restored models are visible to a context with pending deletes, which do not delete them")
    func restoredBeside() throws {
        let container = try filled()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let token = try #require(
            try other.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "R0-0" }))
        try other.save()
        try context.delete(model: Park.Site.self)
        #expect(try Park.codes(context) == [])
        try container.restore(token)
        #expect(try Park.codes(context) == ["R0-0"])
        try context.save()
        #expect(try Park.codes(context) == ["R0-0"])
        #expect(try Park.contents(context) == Park.contents(container))
        #expect(try Park.visit("R0-0x", context).site?.code == "R0-0")
    }

    @Test("An undo after the save does not mark restored models as deleted again")
    func undoAndRestore() throws {
        let container = try filled()
        let context = ModelContext(container)
        let manager = UndoManager()
        context.undoManager = manager
        let before = try Park.contents(container)
        let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
        context.processPendingChanges()
        _ = try context.deleteAndArchive(model: Park.Keeper.self)
        try context.save()
        manager.undo()
        #expect(!context.hasChanges)
        try container.restore(token)
        try context.save()
        #expect(try Park.contents(context) == before)
        #expect(try Park.contents(container) == before)
        #expect(try container.archivedDeletions().isEmpty)
    }

    @Test("Two concurrent long deletes of the same models both finish")
    func twoLongDeletes() async throws {
        let container = try Park.container()
        try Park.fill(container, regions: 2, sites: 8)
        let context = ModelContext(container)
        let options = DeletionOptions.chunks(of: 2)
        let one = try context.deletionPlan(for: Park.Region.self).start(options: options)
        let two = try context.deletionPlan(for: Park.Site.self).start(options: options)
        async let first: Void = one.run()
        async let second: Void = two.run()
        try await first
        try await second
        #expect(one.state.done + two.state.done == 18)
        #expect([one, two].allSatisfy { $0.state.phase == .finished })
        #expect(try Park.contents(container).count == 34)
        #expect(try container.unfinishedDeletions().isEmpty)
    }

    @Test("An autosave that a delegate refuses deletes nothing, keeps the changes, and is not retried endlessly")
    @MainActor
    func refusedAutosave() async throws {
        let container = try filled()
        let refusing = Announcements(refusesAtPage: 1)
        container.deletionDelegate = refusing
        let main = container.mainContext
        try main.delete(model: Park.Region.self)
        for _ in 0..<200 { await Task.yield() }
        #expect(main.hasChanges)
        #expect(refusing.pages.count == 1)
        #expect(try Park.codes(ModelContext(container)).count == 6)
        #expect(try Park.codes(main) == [])
        refusing.allow()
        try main.save()
        #expect(!main.hasChanges)
        #expect(try Park.codes(ModelContext(container)) == [])
    }
}
