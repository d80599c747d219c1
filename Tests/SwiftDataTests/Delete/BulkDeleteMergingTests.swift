import Foundation
import SwiftData
import Testing

@Suite("Bulk deletes: observers, notifications, undo, autosave")
struct BulkDeleteMergingTests {
    /// Observed models of a context.
    private struct Watched {
        let region: Park.Region
        let visit: Park.Visit
        let keeper: Park.Keeper
        let goner: Park.Site
        let survivor: Park.Site
        let watches: [Watch]

        /// Observes a survivor's to-one relationship, two arrays, and a deleted model; then an unaffected model and relationship,
        /// and an unaffected property of an affected survivor.
        init(_ context: ModelContext) throws {
            region = try Park.region("R0", context)
            visit = try Park.visit("R0-1x", context)
            keeper = try Park.keeper("A", context)
            goner = try Park.site("R0-1", context)
            survivor = try Park.site("R1-1", context)
            let other = try Park.visit("R1-1x", context)
            let otherRegion = try Park.region("R1", context)
            watches = [
                Watch { [visit] in _ = visit.site }, Watch { [keeper] in _ = keeper.sites.count },
                Watch { [region] in _ = region.sites.count }, Watch { [goner] in _ = goner.size },
                Watch { [survivor] in _ = (survivor.code, survivor.region, survivor.visits, survivor.keepers) },
                Watch { _ = other.site }, Watch { _ = otherRegion.sites.count }, Watch { [visit] in _ = visit.note },
            ]
        }

        var counts: [Int] { watches.map(\.count) }
    }

    private func filled() throws -> ModelContainer {
        let container = try Park.container()
        try Park.fill(container)
        return container
    }

    @Test("In another context, each affected property is notified once, and no other")
    func otherContext() throws {
        let container = try filled()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let watched = try Watched(other)
        try context.delete(model: Park.Site.self, where: #Predicate { $0.size == 1 && $0.code == "R0-1" })
        #expect(watched.counts == [0, 0, 0, 0, 0, 0, 0, 0])
        try context.save()
        other.processPendingChanges()
        #expect(watched.counts == [1, 1, 1, 1, 0, 0, 0, 0])
        #expect(watched.visit.site == nil)
        #expect(watched.keeper.sites.count == 5)
        #expect(watched.region.sites.map(\.code).sorted() == ["R0-0", "R0-2"])
        #expect(watched.goner.modelContext == nil)
        #expect(watched.goner.size == 1)
        #expect(watched.survivor.region?.name == "R1")
        other.processPendingChanges()
        _ = try Park.contents(other)
        #expect(watched.counts == [1, 1, 1, 1, 0, 0, 0, 0])
        #expect(!other.hasChanges)
    }

    @Test("In the same context, observers are notified at the call, and not again at the save")
    func sameContext() throws {
        let container = try filled()
        let context = ModelContext(container)
        let watched = try Watched(context)
        try context.delete(model: Park.Site.self, where: #Predicate { $0.code == "R0-1" })
        #expect(watched.counts == [1, 1, 1, 0, 0, 0, 0, 0])
        #expect(watched.visit.site == nil)
        #expect(watched.keeper.sites.count == 5)
        #expect(watched.goner.isDeleted)
        try context.save()
        #expect(watched.counts == [1, 1, 1, 0, 0, 0, 0, 0])
        #expect(watched.goner.modelContext == nil)
        _ = try Park.contents(context)
        #expect(watched.counts == [1, 1, 1, 0, 0, 0, 0, 0])
    }

    @Test("A plan executed outside of contexts notifies each context once")
    func plan() throws {
        let container = try filled()
        let contexts = [ModelContext(container), ModelContext(container)]
        let watched = try contexts.map(Watched.init)
        try contexts[0].deletionPlan(for: Park.Site.self, where: #Predicate { $0.code == "R0-1" }).execute()
        for (context, watched) in zip(contexts, watched) {
            context.processPendingChanges()
            #expect(watched.counts == [1, 1, 1, 1, 0, 0, 0, 0])
            #expect(watched.visit.site == nil)
        }
    }

    // MARK: Notifications

    private final class SaveLog: @unchecked Sendable {  // … Posted on the test's thread, as the context saves there.
        private(set) var saves: [[String: [PersistentIdentifier]]] = []
        private var observer: (any NSObjectProtocol)?

        /// Saves of one context.
        convenience init(_ context: ModelContext) { self.init(context) { _ in true } }

        /// Saves of any context of a container.
        convenience init(_ container: ModelContainer) {
            self.init(nil) { $0.container == container }
        }

        private init(_ context: ModelContext?, _ isWanted: @escaping @Sendable (ModelContext) -> Bool) {
            observer = NotificationCenter.default.addObserver(
                forName: ModelContext.didSave, object: context, queue: nil
            ) { [unowned self] note in
                guard let sender = note.object as? ModelContext, isWanted(sender) else { return }
                saves.append(note.userInfo as? [String: [PersistentIdentifier]] ?? [:])
            }
        }

        deinit { observer.map(NotificationCenter.default.removeObserver) }
    }

    @Test("didSave is posted for changes outside of contexts: plans, restores, erase")
    func pastContexts() throws {
        let container = try filled()
        let context = ModelContext(container)
        let site = try Park.site("R0-0", context).persistentModelID
        let log = SaveLog(container)
        let plan = try context.deletionPlan(for: Park.Site.self, where: #Predicate { $0.code == "R0-0" })
        let token = try #require(try plan.executeAndArchive())
        #expect(log.saves.count == 1)
        #expect(log.saves[0]["deleted"] == [site] && log.saves[0]["inserted"] == [])
        #expect(log.saves[0]["updated"]?.isEmpty == false)
        #expect(log.saves[0]["invalidatedAll"] == nil)
        try container.restore(token)
        #expect(log.saves.count == 2)
        #expect(log.saves[1]["inserted"] == [site] && log.saves[1]["deleted"] == [])
        let all = try Park.contents(container).count
        try container.erase()
        #expect(log.saves.count == 3)
        #expect(log.saves[2]["deleted"]?.count == all)
        // An erase of an empty store posts nothing.
        try container.erase()
        #expect(log.saves.count == 3)
    }

    @Test("DV63 For too many models to list, didSave contains only the key for invalidated models")
    func many() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        for number in 0..<10_001 { context.insert(Tag(label: "\(number)")) }
        try context.save()
        let log = SaveLog(container)
        try context.deletionPlan(for: Tag.self).execute()
        #expect(log.saves.count == 1)
        #expect(log.saves.first == ["inserted": [], "updated": [], "deleted": [], "invalidatedAll": []])
    }

    @Test(
        "DV39 didSave of a save lists registered models; for large bulk deletes it has the key for invalidated models")
    func manyInSave() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        for number in 0..<10_002 { context.insert(Tag(label: "\(number)")) }
        let kept = Tag(label: "kept")
        context.insert(kept)
        let log = SaveLog(context)
        try context.save()
        #expect(log.saves.last?["inserted"]?.count == 10_003)
        try context.delete(model: Tag.self, where: #Predicate { $0.label == "0" })
        try context.save()
        #expect(log.saves.last?["deleted"]?.count == 1)
        #expect(log.saves.last?["invalidatedAll"] == nil)
        try context.delete(model: Tag.self, where: #Predicate { $0.label != "kept" })
        let new = Tag(label: "new")
        context.insert(new)
        try context.save()
        #expect(log.saves.last?["deleted"] == [])
        #expect(log.saves.last?["inserted"] == [new.persistentModelID])
        #expect(log.saves.last?["invalidatedAll"] == [])
        #expect(kept.modelContext === context)
    }

    @Test("didSave is posted once: it lists cascaded models as deleted, and survivors once as updated")
    func notification() throws {
        let container = try filled()
        let context = ModelContext(container)
        let region = try Park.region("R0", context)
        let sites = region.sites
        let visits = sites.flatMap(\.visits)
        let keepers = try context.fetch(FetchDescriptor<Park.Keeper>())
        let edited = try #require(visits.first)
        let expectedDeleted = Set([region.persistentModelID] + sites.map(\.persistentModelID))
        let visitIDs = Set(visits.map(\.persistentModelID))
        let log = SaveLog(context)
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        edited.note = "edited"
        let new = Park.Keeper(name: "C")
        context.insert(new)
        try context.save()
        let save = try #require(log.saves.first)
        #expect(log.saves.count == 1)
        let deleted = try #require(save["deleted"])
        #expect(deleted.count == 4)
        #expect(Set(deleted) == expectedDeleted)
        let updated = try #require(save["updated"])
        #expect(updated.count == Set(updated).count)
        #expect(Set(updated).isSuperset(of: visitIDs))
        #expect(Set(updated).subtracting(visitIDs).isSubset(of: Set(keepers.map(\.persistentModelID))))
        #expect(save["inserted"] == [new.persistentModelID])
        try context.save()
        #expect(log.saves.count == 1)
    }

    @Test("didSave of a bulk delete equals that of deletes of single models")
    func notificationAgrees() throws {
        func log(_ delete: (ModelContext) throws -> Void) throws -> [String: [String]] {
            let container = try filled()
            let context = ModelContext(container)
            let names = try Park.contents(container)
            let log = SaveLog(context)
            try delete(context)
            try context.save()
            #expect(log.saves.count == 1)
            return try #require(log.saves.first).mapValues { $0.map { names[$0] ?? "?" }.sorted() }
        }
        let bulk = try log { try $0.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" }) }
        let single = try log { $0.delete(try Park.region("R0", $0)) }
        #expect(bulk["deleted"] == single["deleted"])
        #expect(bulk["updated"] == single["updated"])
        #expect(bulk["inserted"] == single["inserted"])
    }

    // MARK: Undo

    @Test("Undo before the save, and redo, update fetches, links and arrays")
    func undo() throws {
        let container = try filled()
        let context = ModelContext(container)
        let manager = UndoManager()
        context.undoManager = manager
        let before = try Park.contents(context)
        let region = try Park.region("R0", context)
        let visit = try Park.visit("R0-1x", context)
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        let after = try Park.contents(context)
        #expect(after.count == before.count - 4)
        #expect(visit.site == nil)
        manager.undo()
        #expect(try Park.contents(context) == before)
        #expect(visit.site?.code == "R0-1")
        #expect(!region.isDeleted)
        #expect(region.sites.count == 3)
        #expect(!context.hasChanges)
        manager.redo()
        #expect(try Park.contents(context) == after)
        #expect(region.isDeleted)
        #expect(visit.site == nil)
        try context.save()
        #expect(try Park.contents(container) == after)
    }

    @Test("Undo also reverts edits made in the same step; edits of other steps stay")
    func undoWithEdits() throws {
        let container = try filled()
        let context = ModelContext(container)
        let manager = UndoManager()
        context.undoManager = manager
        let visit = try Park.visit("R0-1x", context)
        visit.note = "first"
        context.processPendingChanges()
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        visit.note = "second"
        context.processPendingChanges()
        manager.undo()
        #expect(visit.note == "first")
        #expect(visit.site?.code == "R0-1")
        #expect(try Park.codes(context).count == 6)
        try context.save()
        let other = ModelContext(container)
        let stored = try Park.visit("first", other)
        #expect(stored.site?.code == "R0-1")
    }

    @Test("A saved bulk delete cannot be undone, and trying has no effect")
    func undoAfterSave() throws {
        let container = try filled()
        let context = ModelContext(container)
        let manager = UndoManager()
        context.undoManager = manager
        try context.delete(model: Park.Site.self, where: #Predicate { $0.code == "R0-0" })
        context.processPendingChanges()
        try context.delete(model: Park.Site.self, where: #Predicate { $0.code == "R0-1" })
        try context.save()
        let after = try Park.contents(container)
        while manager.canUndo {
            manager.undo()
            #expect(!context.hasChanges)
        }
        #expect(try Park.contents(context) == after)
        while manager.canRedo {
            manager.redo()
            #expect(!context.hasChanges)
        }
        #expect(try Park.contents(context) == after)
        try context.save()
        #expect(try Park.contents(container) == after)
        #expect(!context.hasChanges)
    }

    // MARK: Autosave

    @Test("The main context autosaves a bulk delete, and merges those of others by itself")
    @MainActor
    func autosave() async throws {
        let container = try filled()
        let main = container.mainContext
        let visit = try Park.visit("R0-1x", main)
        #expect(visit.site != nil)
        try main.delete(model: Park.Site.self, where: #Predicate { $0.code == "R0-1" })
        #expect(visit.site == nil)
        for _ in 0..<1000 where main.hasChanges { await Task.yield() }
        #expect(!main.hasChanges)
        #expect(try Park.codes(ModelContext(container)).count == 5)
        let other = try Park.visit("R1-1x", main)
        let watch = Watch { _ = other.site }
        let context = ModelContext(container)
        try context.delete(model: Park.Region.self)
        try context.save()
        for _ in 0..<1000 where watch.count == 0 { await Task.yield() }
        #expect(watch.count == 1)
        #expect(other.site == nil)
        #expect(!main.hasChanges)
    }
}
