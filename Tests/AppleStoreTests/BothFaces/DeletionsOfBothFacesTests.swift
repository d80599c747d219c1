import CoreData
import Foundation
import SwiftData
import Synchronization
import Testing

/// Uses the deletion API of both faces as one program would; compiles only if both have the same types.
@Suite("Deletions in files that import both faces")
struct DeletionsOfBothFacesTests {
    @Test("plans of both faces are one type, list the same rows, and identify both kinds of objects")
    func plans() throws {
        let both = try BothFaces()
        let plans: [DeletionPlan] = [
            try both.typed.deletionPlan(for: Harbor.self),
            try both.dynamic.deletionPlan(for: both.requestForAll("Harbor", "TRUEPREDICATE")),
        ]
        let rows = plans.map { $0.rows.sorted() }
        #expect(rows[0].map(\.entityName) == ["Harbor", "Ship", "Ship", "Ship"])
        #expect(rows[0] == rows[1])
        #expect(plans[0].paths == plans[1].paths)
        #expect(plans[0].clearedLinks == plans[1].clearedLinks)
        #expect(plans[0].deleted == plans[1].deleted)
        #expect(plans[0].requestedCount == 1 && plans[0].count == 4)
        #expect(plans[0].description == plans[1].description)
        #expect(try plans[0].cost() == plans[1].cost())
        for row in rows[0] {
            let identifier = PersistentIdentifier(row)
            let objectID = try #require(both.coordinator.managedObjectID(for: row))
            #expect(identifier.entityName == objectID.entity.name)
            #expect(RowIdentifier(identifier) == row && RowIdentifier(objectID) == row)
            #expect(row.uriRepresentation() == objectID.uriRepresentation())
            #expect(row.uriRepresentation() == identifier.uriRepresentation())
            #expect(RowIdentifier(uriRepresentation: row.uriRepresentation()) == row)
            #expect(try JSONDecoder().decode(RowIdentifier.self, from: JSONEncoder().encode(row)) == row)
        }
        #expect(RowIdentifier(Ship("unsaved").persistentModelID) == nil)
        #expect(try BothFaces().coordinator.managedObjectID(for: rows[0][0]) == nil)
    }

    @Test("an archived deletion of one face is listed, restored and discarded by the other")
    func archives() throws {
        let both = try BothFaces()
        let typedToken = try #require(try both.typed.deletionPlan(for: Harbor.self).executeAndArchive())
        #expect(try both.objects("Ship").isEmpty)
        #expect(try both.coordinator.archivedDeletions() == both.container.archivedDeletions())
        let restored = try both.coordinator.restore(typedToken, author: "core data")
        #expect(restored.count == 4)
        #expect(restored.relinked.map(\.entityName) == ["Route"])
        #expect(try both.typed.fetchCount(FetchDescriptor<Ship>()) == 3)

        let request = both.requestForAll("Ship", "crew > 1")
        let objectToken = try #require(try both.dynamic.deletionPlan(for: request).executeAndArchive())
        #expect(try both.container.archivedDeletions().map(\.token) == [objectToken])
        #expect(try both.container.restore(objectToken, author: "swift data").count == 2)
        let authors = try both.typed.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author)
        #expect(authors.compactMap { $0 } == ["core data", "swift data"])
        let stores: [any StoreDeleting] = [both.container, both.coordinator]
        for store in stores {
            #expect(throws: DeletionError.unknownToken) { try store.restore(objectToken) }
            #expect(throws: DeletionError.unknownToken) { try store.conflicts(restoring: typedToken) }
        }
        let last = try #require(try both.typed.deletionPlan(for: Ship.self).executeAndArchive())
        try both.coordinator.discard(last)
        #expect(try both.container.archivedDeletions().isEmpty)
    }

    @Test("a long deletion that one face started is resumed or abandoned by the other")
    func longDeletions() async throws {
        let both = try BothFaces()
        var options = DeletionOptions()
        options.rowsPerChunk = 1
        options.archivesRows = true
        let started: LongDeletion = try both.typed.deletionPlan(for: Harbor.self).start(options: options)
        #expect(try both.coordinator.unfinishedDeletions() == both.container.unfinishedDeletions())
        let resumed = try both.coordinator.resumeDeletion(started.id)
        var last: DeletionState?
        for try await state in resumed.updates { last = state }
        #expect(last?.phase == .finished && last?.done == 4)
        #expect(try both.typed.fetchCount(FetchDescriptor<Ship>()) == 0)
        try both.container.restore(try #require(resumed.token))
        #expect(try both.objects("Ship").count == 3)

        let request = both.requestForAll("Ship", "crew > 1")
        let other = try both.dynamic.deletionPlan(for: request).start()
        try both.container.abandonDeletion(other.id)
        #expect(throws: DeletionError.unknownDeletion(other.id)) { try both.coordinator.resumeDeletion(other.id) }
        await #expect(throws: DeletionError.unknownDeletion(other.id)) { try await other.run() }
    }

    @Test("one delegate serves both faces")
    func delegates() throws {
        let both = try BothFaces()
        let index = SearchIndex()
        both.container.deletionDelegate = index
        both.coordinator.deletionDelegate = index
        try both.typed.delete(model: Ship.self, where: #Predicate { $0.crew == 1 })
        try both.typed.save()
        try both.dynamic.execute(both.requestForAll("Ship", "crew == 2"))
        try both.typed.deletionPlan(for: Harbor.self).execute()
        #expect(index.entityNames == ["Ship", "Ship", "Harbor", "Ship"])
    }

    @Test("a delete that the rules refuse throws the same error, with Apple's code, in both faces")
    func refusals() throws {
        let both = try BothFaces(Captain.self, Boat.self, Dock.self) { context in
            context.insert(Boat(captain: Captain(), dock: Dock()))
        }
        for (entity, code, key) in [("Captain", 1570, "captain"), ("Dock", 1600, "boats")] {
            let typed =
                try entity == "Dock"
                ? both.typed.deletionPlan(for: Dock.self) : both.typed.deletionPlan(for: Captain.self)
            let dynamic = try both.dynamic.deletionPlan(for: both.requestForAll(entity, "TRUEPREDICATE"))
            #expect(typed.obstacles == dynamic.obstacles && !typed.isPossible)
            for plan in [typed, dynamic] {
                let error = #expect(throws: DeletionError.refused(typed.obstacles)) { try plan.execute() }
                #expect(error?.errorCode == code)
                #expect(error?.errorUserInfo[NSValidationKeyErrorKey] as? String == key)
                #expect((error?.errorUserInfo[NSAffectedObjectsErrorKey] as? [RowIdentifier])?.count == 1)
                #expect(throws: DeletionError.refused(typed.obstacles)) { try plan.start() }
            }
        }
        #expect(DeletionError.errorDomain == NSCocoaErrorDomain)
        let several = DeletionError.refused(
            try [both.typed.deletionPlan(for: Dock.self), both.typed.deletionPlan(for: Captain.self)]
                .flatMap(\.obstacles))
        #expect(several.errorCode == 1560)
        let details = try #require(several.errorUserInfo[NSDetailedErrorsKey] as? [DeletionError])
        #expect(details.map(\.errorCode) == [1600, 1570])
    }

    @Test("consumers of both faces read the same history, which is kept for both")
    func consumers() throws {
        let both = try BothFaces()
        let typed = try HistoryConsumer("typed", of: both.container, from: .beginning)
        let dynamic = try HistoryConsumer("dynamic", of: both.coordinator, from: .beginning)
        var typedCount = 0
        try typed.consume { typedCount += $0.reduce(0) { $0 + $1.changes.count } }
        #expect(typedCount == 5)
        let names = try HistoryConsumer.registrations(in: both.coordinator).map(\.name)
        #expect(names == ["dynamic", "typed"])
        #expect(try HistoryConsumer.registrations(in: both.container).map(\.name) == names)
        var changeCount = 0
        try dynamic.consume(mergingInto: [both.dynamic]) {
            changeCount += $0.reduce(0) { $0 + ($1.changes?.count ?? 0) }
        }
        #expect(changeCount == 5)
    }
}

private final class SearchIndex: DeletionDelegate {
    private let rows = Mutex<[RowIdentifier]>([])

    var entityNames: [String] { rows.withLock { $0.map(\.entityName) } }

    func willDelete(_ rows: [RowIdentifier]) { self.rows.withLock { $0 += rows } }
}

@Model
final class Captain {
    @Relationship(deleteRule: .nullify, inverse: \Boat.captain) var boats: [Boat] = []

    init() {}
}

@Model
final class Dock {
    @Relationship(deleteRule: .deny, inverse: \Boat.dock) var boats: [Boat] = []

    init() {}
}

@Model
final class Boat {
    var captain: Captain
    var dock: Dock?

    init(captain: Captain, dock: Dock) {
        self.captain = captain
        self.dock = dock
    }
}
