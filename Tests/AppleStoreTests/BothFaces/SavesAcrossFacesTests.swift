import CoreData
import Foundation
import SwiftData
import Testing

/// `CoexistenceTests` has the other direction, and contexts that fetch.
@Suite("Saves of SwiftData reach contexts of Core Data that are open on the same file", .timeLimit(.minutes(1)))
struct SavesAcrossFacesTests {
    private func crew(_ object: NSManagedObject) -> Int? { object.value(forKey: "crew") as? Int }

    /// Runs the block once the context has merged the earlier saves.
    private func after<Result>(_ both: BothFaces, _ body: () throws -> Result) rethrows -> Result {
        both.dynamic.performAndWait {}
        return try body()
    }

    /// Ships with values, and their harbor with its list of ships.
    private func held(_ both: BothFaces) throws -> (ships: [NSManagedObject], harbor: NSManagedObject) {
        let ships = try both.objects("Ship")
        #expect(ships.map(crew) == [1, 2, 3])
        let harbor = try #require(try both.objects("Harbor").first)
        #expect((harbor.value(forKey: "ships") as? NSSet)?.count == 3)
        return (ships, harbor)
    }

    @Test("values, links, new and deleted objects of one save are merged, and its notification is posted")
    func save() throws {
        let both = try BothFaces()
        both.dynamic.automaticallyMergesChangesFromParent = true
        let (ships, harbor) = try held(both)
        let changes = ObjectChanges(of: both.dynamic)
        try both.ship("S1").crew = 77
        both.typed.delete(try both.ship("S2"))
        both.typed.insert(Ship("S4", harbor: try both.typed.fetch(FetchDescriptor<Harbor>()).first))
        try both.typed.save()
        after(both) {
            #expect(crew(ships[0]) == 77)
            #expect(ships.map(\.isDeleted) == [false, true, false])
            let names = (harbor.value(forKey: "ships") as? Set<NSManagedObject>)?
                .compactMap { $0.value(forKey: "name") as? String }
            #expect(names?.sorted() == ["S1", "S3", "S4"])
            #expect(changes.names(NSRefreshedObjectsKey).contains("S1"))
            #expect(changes.names(NSDeletedObjectsKey) == ["S2"])
            #expect(changes.names(NSInsertedObjectsKey) == ["S4"])
        }
        try both.dynamic.save()
        #expect(!both.dynamic.hasChanges)
    }

    @Test("bulk deletes and their cascades are merged")
    func deleteByPredicate() throws {
        let both = try BothFaces()
        both.dynamic.automaticallyMergesChangesFromParent = true
        let (ships, harbor) = try held(both)
        try both.typed.delete(model: Ship.self, where: #Predicate { $0.crew > 1 })
        try both.typed.save()
        after(both) {
            #expect(ships.map(\.isDeleted) == [false, true, true])
            #expect((harbor.value(forKey: "ships") as? NSSet)?.count == 1)
        }
        try both.typed.delete(model: Harbor.self)
        try both.typed.save()
        after(both) {
            #expect(harbor.isDeleted)
            #expect(ships.map(\.isDeleted) == [true, true, true])
        }
    }

    @Test("executed plans and restored archived deletions are merged")
    func restore() throws {
        let both = try BothFaces()
        both.dynamic.automaticallyMergesChangesFromParent = true
        let (ships, harbor) = try held(both)
        let token = try #require(try both.typed.deletionPlan(for: Harbor.self).executeAndArchive())
        after(both) {
            #expect(harbor.isDeleted)
            #expect(ships.map(\.isDeleted) == [true, true, true])
        }
        try both.container.restore(token)
        after(both) {
            #expect(!harbor.isDeleted)
            #expect(ships.map(\.isDeleted) == [false, false, false])
            #expect((harbor.value(forKey: "ships") as? NSSet)?.count == 3)
            #expect(!both.dynamic.hasChanges)
        }
    }

    @Test("unsaved edits stay, other properties get the saved values")
    func unsavedEdits() throws {
        let both = try BothFaces()
        both.dynamic.automaticallyMergesChangesFromParent = true
        let ship = try held(both).ships[0]
        ship.setValue("mine", forKey: "name")
        try both.ship("S1").crew = 77
        try both.typed.save()
        after(both) {
            #expect(ship.value(forKey: "name") as? String == "mine")
            #expect(crew(ship) == 77)
        }
        try both.dynamic.save()
        both.typed.processPendingChanges()
        #expect(try both.ship("mine").crew == 77)
    }

    @Test("a context without automatic merging keeps its values until it is refreshed")
    func withoutMerging() throws {
        let both = try BothFaces()
        let (ships, _) = try held(both)
        let changes = ObjectChanges(of: both.dynamic)
        try both.ship("S1").crew = 77
        both.typed.delete(try both.ship("S2"))
        try both.typed.save()
        after(both) {
            #expect(ships.map(crew) == [1, 2, 3])
            #expect(!ships[1].isDeleted)
            #expect(changes.count == 0)
        }
        both.dynamic.refresh(ships[0], mergeChanges: true)
        #expect(crew(ships[0]) == 77)
    }

    @Test("a main-queue context, and a child of it, merge as well")
    @MainActor
    func mainQueue() async throws {
        let both = try BothFaces()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = both.coordinator
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        for merging in [context, child] { merging.automaticallyMergesChangesFromParent = true }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Ship")
        request.predicate = NSPredicate(format: "name == 'S1'")
        let ships = try [context, child].map { try #require(try $0.fetch(request).first) }
        #expect(ships.map(crew) == [1, 1])
        let edited = try both.ship("S1")
        edited.crew = 77
        try both.typed.save()
        for _ in 0..<1000 where ships.map(crew) != [77, 77] { await Task.yield() }
        #expect(ships.map(crew) == [77, 77])
    }

    @Test("a coordinator with remote change notifications posts each save once")
    func remoteChanges() async throws {
        let both = try BothFaces()
        try both.coordinator.remove(try #require(both.coordinator.persistentStores.first))
        let options = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
        try both.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: both.storeURL, options: options)
        let (stream, posted) = AsyncStream.makeStream(of: NSPersistentHistoryToken?.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: both.coordinator, queue: nil
        ) { notification in
            posted.yield(notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }
        var notifications = stream.makeAsyncIterator()
        for number in 4...6 {
            both.typed.insert(Ship("S\(number)"))
            try both.typed.save()
            // The store's timer may detect the save before it is reported, and post on a thread of its own.
            let token = await notifications.next()
            #expect(token != nil)
        }
        try both.typed.delete(model: Ship.self, where: #Predicate { $0.crew == 1 })
        try both.typed.save()
        let last = await notifications.next()
        #expect(last == both.coordinator.currentPersistentHistoryToken(fromStores: nil))
        NotificationCenter.default.removeObserver(observer)
        posted.finish()
        let more = await notifications.next()
        #expect(more == nil, "none was posted twice")
    }

    @Test("a coordinator that removed the store is not notified; the container keeps it from being destroyed")
    func removedStore() throws {
        let both = try BothFaces()
        both.dynamic.automaticallyMergesChangesFromParent = true
        let (ships, _) = try held(both)
        let changes = ObjectChanges(of: both.dynamic)
        try both.coordinator.remove(try #require(both.coordinator.persistentStores.first))
        let before = after(both) { changes.count }
        try both.ship("S1").crew = 77
        try both.typed.save()
        after(both) {
            #expect(changes.count == before)
            #expect(ships[0].isFault)
        }
        let other = NSPersistentStoreCoordinator(managedObjectModel: both.coordinator.managedObjectModel)
        #expect(throws: CocoaError.self) { try other.destroyPersistentStore(at: both.storeURL, type: .sqlite) }
    }
}

/// Names of the objects that a context posted, by the keys of the notifications.
private final class ObjectChanges: @unchecked Sendable {
    // The recorded names, on any posting thread, are under the lock; the token is set once.
    private let lock = NSLock()
    private var noted: [[String: [String]]] = []
    private var token: (any NSObjectProtocol)?

    init(of context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [weak self] in
            self?.note($0)
        }
    }

    private func note(_ notification: Notification) {
        var names: [String: [String]] = [:]
        for key in [NSInsertedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey] {
            let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
            names[key] = objects.compactMap { $0.value(forKey: "name") as? String }
        }
        lock.withLock { noted.append(names) }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    var count: Int { lock.withLock { noted.count } }

    func names(_ key: String) -> Set<String> { Set(lock.withLock { noted.flatMap { $0[key] ?? [] } }) }
}
