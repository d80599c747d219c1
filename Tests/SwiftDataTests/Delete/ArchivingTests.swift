import Foundation
import SwiftData
import Testing

@Suite("Deletions that are archived and restored")
struct ArchivingTests {
    private func filled() throws -> ModelContext {
        let container = try Park.container()
        try Park.fill(container)
        return ModelContext(container)
    }

    @Test("A restored delete by predicate restores identifiers and both ends of links")
    func byPredicate() throws {
        let context = try filled()
        let before = try Park.contents(context.container)
        let token = try #require(
            try context.deleteAndArchive(model: Park.Region.self, where: #Predicate { $0.name == "R0" }))
        #expect(try Park.codes(context) == ["R1-0", "R1-1", "R1-2"])
        try context.save()
        let after = try Park.contents(context.container)
        #expect(after.count == before.count - 4)
        #expect(after.values.filter { $0.hasSuffix("to -") }.count == 6)
        try context.container.restore(token)
        #expect(try Park.contents(context.container) == before)
        #expect(try Park.contents(context) == before)
        #expect(try context.container.archivedDeletions().isEmpty)
    }

    @Test(
        "Restoring the delete of one model restores links, and the deleting context gets a model of the same identity")
    func byModel() throws {
        let context = try filled()
        let before = try Park.contents(context.container)
        let site = try Park.site("R1-0", context)
        let keeper = try #require(site.keepers.first)
        let id = site.persistentModelID
        let token = try #require(try context.deleteAndArchive(site))
        #expect(site.isDeleted)
        #expect(!keeper.sites.contains(site))
        try context.save()
        #expect(site.modelContext == nil)
        #expect(site.code == "R1-0")
        try context.container.restore(token)
        #expect(try Park.contents(context) == before)
        let back = try Park.site("R1-0", context)
        #expect(back.persistentModelID == id)
        #expect(back.keepers.contains(keeper))
        #expect(keeper.sites.contains(back))
    }

    @Test("DV7 A model of another context is not deleted, with or without unsaved changes here")
    func otherContext() throws {
        let context = try filled()
        let before = try Park.contents(context.container)
        let other = ModelContext(context.container)
        let site = try Park.site("R1-0", other)
        #expect(try context.deleteAndArchive(site) == nil)
        context.insert(Park.Keeper(name: "New"))
        #expect(try context.deleteAndArchive(site) == nil)
        #expect(try context.deleteAndArchive(Park.Keeper(name: "Lone")) == nil)
        #expect(!site.isDeleted && context.deletedModelsArray.isEmpty)
        context.rollback()
        #expect(!context.hasChanges && !other.hasChanges)
        #expect(try Park.contents(context.container) == before)
    }

    @Test("A restore has its own author in the history")
    func author() throws {
        let folder = try TestFolder()
        let container = try ModelContainer(for: Animal.self, configurations: ModelConfiguration(url: folder.file()))
        let context = ModelContext(container)
        for name in ["Fox", "Owl"] { context.insert(Animal(name: name)) }
        try context.save()
        for (name, author) in [("Fox", "admin"), ("Owl", nil)] {
            let plan = try context.deletionPlan(for: Animal.self, where: #Predicate { $0.name == name })
            try container.restore(try #require(try plan.executeAndArchive()), author: author)
        }
        let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(history.map(\.author) == [nil, nil, "admin", nil, nil])
    }

    @Test("A plan executed with an archive can be restored, too")
    func byPlan() throws {
        let context = try filled()
        let before = try Park.contents(context.container)
        let plan = try context.deletionPlan(for: Park.Site.self, where: #Predicate { $0.size == 1 })
        let token = try #require(try plan.executeAndArchive())
        #expect(try Park.codes(context) == ["R0-0", "R0-2", "R1-0", "R1-2"])
        try context.container.restore(token)
        #expect(try Park.contents(context) == before)
        let empty = try context.deletionPlan(for: Park.Site.self, where: #Predicate { $0.size == 99 })
        #expect(try empty.executeAndArchive() == nil)
        #expect(try context.container.archivedDeletions().isEmpty)
    }

    @Test("Restored arrays have the former order")
    func order() throws {
        let context = try filled()
        let reader = ModelContext(context.container)
        let before = try Park.region("R0", reader).sites.map(\.code)
        let keepers = try Park.keeper("A", reader).sites.map(\.code)
        let token = try #require(
            try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.size == 1 }))
        try context.save()
        try context.container.restore(token)
        let again = ModelContext(context.container)
        #expect(try Park.region("R0", again).sites.map(\.code) == before)
        #expect(try Park.keeper("A", again).sites.map(\.code) == keepers)
    }

    @Test("Nothing is archived before the save, if nothing matches, or for a model that was never saved")
    func notYet() throws {
        let context = try filled()
        let container = context.container
        #expect(try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "none" }) == nil)
        #expect(!context.hasChanges)
        let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
        #expect(try container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try container.restore(token) }
        #expect(throws: DeletionError.unknownToken) { try container.conflicts(restoring: token) }
        try context.save()
        let kept = try #require(try container.archivedDeletions().first)
        #expect(kept.token == token)
        #expect(kept.count == 8)
        #expect(kept.byteCount > 0)
        #expect(kept.summary.contains("Region"))
        #expect(abs(kept.date.timeIntervalSinceNow) < 3600)
        let unsaved = Park.Keeper(name: "New")
        context.insert(unsaved)
        #expect(try context.deleteAndArchive(unsaved) == nil)
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Park.Keeper>()) == 2)
    }

    @Test("Rollback or undo before the save archives nothing; redo archives again")
    func rollback() throws {
        let context = try filled()
        let container = context.container
        let before = try Park.contents(container)
        let first = try #require(try context.deleteAndArchive(model: Park.Region.self))
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try Park.contents(context) == before)
        try context.save()
        #expect(throws: DeletionError.unknownToken) { try container.restore(first) }
        let manager = UndoManager()
        context.undoManager = manager
        let second = try #require(try context.deleteAndArchive(model: Park.Region.self))
        #expect(second != first)
        manager.undo()
        #expect(try Park.contents(context) == before)
        try context.save()
        #expect(try container.archivedDeletions().isEmpty)
        let third = try #require(try context.deleteAndArchive(model: Park.Region.self))
        manager.undo()
        manager.redo()
        #expect(try Park.codes(context) == [])
        try context.save()
        #expect(try container.archivedDeletions().map(\.token) == [third])
        try container.restore(third)
        #expect(try Park.contents(container) == before)
    }

    @Test("Archived deletes of one save share a token and are restored together; those of two saves separately")
    func together() throws {
        let context = try filled()
        let container = context.container
        let before = try Park.contents(container)
        let one = try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "R0-0" })
        let two = try context.deleteAndArchive(model: Park.Keeper.self)
        #expect(one == two)
        try context.save()
        let middle = try Park.contents(container)
        let three = try #require(
            try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "R0-1" }))
        #expect(three != one)
        try context.save()
        #expect(try container.archivedDeletions().count == 2)
        #expect(try container.archivedDeletions().map(\.count) == [3, 1])
        try container.restore(three)
        #expect(try Park.contents(container) == middle)
        try container.restore(try #require(one))
        #expect(try Park.contents(container) == before)
    }

    @Test("Live contexts merge a restore: new models, links of registered ones, and observers are notified")
    func liveContexts() throws {
        let context = try filled()
        let other = ModelContext(context.container)
        let region = try Park.region("R0", other)
        let visit = try Park.visit("R0-0x", other)
        let keeper = try Park.keeper("A", other)
        let elsewhere = try Park.visit("R1-0x", other)
        #expect(region.sites.count == 3)
        #expect(visit.site?.code == "R0-0")
        #expect(keeper.sites.count == 6)
        #expect(elsewhere.site?.code == "R1-0")
        let gone = try Park.site("R0-0", other)
        let token = try #require(
            try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "R0-0" }))
        try context.save()
        other.processPendingChanges()
        #expect(gone.modelContext == nil)
        #expect(visit.site == nil)
        #expect(keeper.sites.count == 5)
        let owner = Watch { _ = region.sites.count }
        let toOne = Watch { _ = visit.site }
        let joined = Watch { _ = keeper.sites.count }
        let unconcerned = Watch { _ = elsewhere.site }
        try context.container.restore(token)
        other.processPendingChanges()
        #expect([owner, toOne, joined, unconcerned].map(\.count) == [1, 1, 1, 0])
        let back = try Park.site("R0-0", other)
        #expect(visit.site == back)
        #expect(region.sites.contains(back))
        #expect(keeper.sites.contains(back))
        #expect(back.persistentModelID == gone.persistentModelID)
    }

    @Test("A survivor with unsaved edits has its link again when it is saved, and keeps the edits")
    func editedSurvivor() throws {
        let context = try filled()
        let other = ModelContext(context.container)
        let visit = try Park.visit("R0-0x", other)
        #expect(visit.site?.code == "R0-0")
        visit.note = "edited"
        let token = try #require(
            try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.code == "R0-0" }))
        try context.save()
        other.processPendingChanges()
        #expect(visit.site == nil)
        try context.container.restore(token)
        try other.save()
        #expect(visit.site?.code == "R0-0")
        #expect(try Park.visit("edited", context).site?.code == "R0-0")
        #expect(try Park.site("R0-0", context).visits.count == 2)
    }

    @Test("A large value in a file of its own is restored; discarding the deletion deletes the file")
    func externalStorage() throws {
        let folder = try ParkFolder()
        let container = try folder.container()
        let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try Park.fill(container, regions: 1, sites: 2, photo: photo)
        #expect(folder.externalFileCount() == 2)
        let context = ModelContext(container)
        let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
        try context.save()
        let kept = try #require(try container.archivedDeletions().first)
        #expect(kept.byteCount > 600_000)
        #expect(folder.externalFileCount() == 2)
        try container.restore(token)
        #expect(try Park.site("R0-1", ModelContext(container)).photo == photo)
        let again = try #require(try context.deleteAndArchive(model: Park.Region.self))
        try context.save()
        try container.discard(again)
        #expect(folder.externalFileCount() == 0)
        #expect(try Park.codes(context) == [])
    }

    // MARK: Conflicts and refusals

    @Test("A unique value taken meanwhile refuses the restore; with conflicts skipped, the other models are restored")
    func conflicts() throws {
        let context = try filled()
        let container = context.container
        let token = try #require(try context.deleteAndArchive(model: Park.Site.self))
        try context.save()
        #expect(try container.conflicts(restoring: token) == [])
        context.insert(Park.Site(code: "R0-1", size: 100))
        try context.save()
        let between = try Park.contents(container)
        let conflicts = try container.conflicts(restoring: token)
        // The value, and the links of visits and keepers to the skipped model.
        #expect(conflicts.count == 3)
        #expect(conflicts.first?.contains("code") == true)
        #expect(throws: DeletionError.conflicts(conflicts)) { try container.restore(token) }
        #expect(try Park.contents(container) == between)
        let restored = try container.restoreSkippingConflicts(token)
        #expect(restored.count == 5)
        #expect(!restored.skipped.isEmpty)
        #expect(try Park.codes(context) == ["R0-0", "R0-1", "R0-2", "R1-0", "R1-1", "R1-2"])
        #expect(try Park.visit("R0-0x", context).site?.code == "R0-0")
        #expect(try Park.visit("R0-1x", context).site == nil)
        #expect(try container.archivedDeletions().map(\.count) == [1])
        // Once the conflicting model is deleted, the rest is restored.
        context.delete(try Park.site("R0-1", context))
        try context.save()
        try container.restore(token)
        #expect(try Park.site("R0-1", context).size == 1)
        #expect(try Park.visit("R0-1x", context).site?.code == "R0-1")
        #expect(try container.archivedDeletions().isEmpty)
    }

    @Test("An archived delete that depends on unsaved changes or evaluation in memory is refused, and deletes nothing")
    func cannotBePlanned() throws {
        let context = try filled()
        let site = try Park.site("R0-0", context)
        site.size = 50
        let refused = #expect(throws: DeletionError.self) {
            try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.size == 50 })
        }
        #expect(refused?.saysThatNoPlanCanBe == true)
        #expect(context.deletedModelsArray.isEmpty)
        #expect(throws: DeletionError.self) { try context.deleteAndArchive(site) }
        #expect(!site.isDeleted)
        try context.save()
        #expect(try context.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.size == 50 }) != nil)
        try context.save()
        #expect(try Park.codes(context).count == 5)
    }

    @Test("Unrelated unsaved changes stay, and are saved with the delete")
    func besideOtherWork() throws {
        let context = ModelContext(try Park.withZoo())
        context.insert(Park.Region(name: "R"))
        try context.save()
        context.insert(Animal(name: "Fox"))
        let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<Park.Region>()) == 0)
        try context.container.restore(token)
        #expect(try context.fetchCount(FetchDescriptor<Park.Region>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("A refused save archives nothing")
    func refusedSave() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Crew.self, Post.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(Post(title: "Lookout", crew: Crew(name: "Alpha")))
        try context.save()
        let token = try #require(try context.deleteAndArchive(model: Crew.self))
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1570)
        #expect(try context.container.archivedDeletions().isEmpty)
        try context.delete(model: Post.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 0)
        try context.container.restore(token)
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 1)
    }

    @Test("A model deleted by cascade with an archived delete cannot be inserted again: the archive would lack it")
    func insertedCascade() throws {
        let context = try filled()
        let container = context.container
        let before = try Park.contents(container)
        let site = try Park.site("R0-0", context)
        let token = try #require(try context.deleteAndArchive(model: Park.Region.self))
        context.insert(site)
        #expect(site.isDeleted)
        #expect(try Park.codes(context) == [])
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        context.delete(site)
        try context.save()
        try container.restore(token)
        #expect(try Park.contents(container) == before)
    }

    @Test("A deleted model that is inserted again stays, and the rest of the delete can still be restored")
    func insertedAgain() throws {
        let context = try filled()
        let container = context.container
        let before = try Park.contents(container)
        let site = try Park.site("R0-0", context)
        let token = try #require(try context.deleteAndArchive(model: Park.Site.self))
        context.insert(site)
        #expect(try Park.codes(context) == ["R0-0"])
        try context.save()
        #expect(try Park.codes(ModelContext(container)) == ["R0-0"])
        try container.restore(token)
        #expect(try Park.contents(container) == before)
    }
}
