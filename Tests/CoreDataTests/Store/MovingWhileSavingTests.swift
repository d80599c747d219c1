import Foundation
import ObjectGraph
import Testing

@testable import CoreData
@testable import SQLiteStore

/// Saves by other threads while a store is migrated.
@Suite struct MovingWhileSavingTests {
    /// Saves on a thread of its own; the test waits until the save has ended or waits for the store.
    private final class Saver: @unchecked Sendable {
        // The result is under the lock, or read when the thread has ended.
        private let context: NSManagedObjectContext
        private let turn = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private let code = Locked<Int?>(nil)

        init(_ context: NSManagedObjectContext) { self.context = context }

        func start(waitingFor store: NSPersistentStore) throws {
            let pool = try #require(store.sqlite).pool
            pool.onWaiting { self.turn.signal() }
            let thread = Thread {
                do { try self.context.performAndWait { try self.context.save() } } catch let error as CocoaError {
                    self.code.withLock { $0 = error.code.rawValue }
                } catch {
                    self.code.withLock { $0 = -1 }
                }
                self.turn.signal()
                self.end.signal()
            }
            thread.start()
            turn.wait()
            pool.onWaiting(nil)
        }

        /// - Returns: the code of the save's error.
        func finish() -> Int? {
            end.wait()
            return code.withLock { $0 }
        }
    }

    private func unsaved(_ label: String, _ stack: TestStack) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.performAndWait { _ = stack.insert("Tag", ["label": label], in: context) }
        return context
    }

    private func labels(_ url: URL) throws -> [String] {
        let stack = try TestStack(addsStore: false)
        try stack.coordinator.addPersistentStore(type: .sqlite, at: url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "label") as? String }.sorted()
    }

    @Test("A save during a store's migration to another file is in that file")
    func migrated() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "before"])
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let saver = Saver(unsaved("meanwhile", stack))
        let url = stack.fileURL("moved")
        let moved = try stack.coordinator.migrate(store, to: url, nil, withType: NSSQLiteStoreType) {
            try saver.start(waitingFor: store)
        }
        #expect(saver.finish() == nil)
        #expect(stack.coordinator.persistentStores == [moved])
        #expect(try labels(url) == ["before", "meanwhile"])
        #expect(try labels(stack.fileURL()) == ["before"])
    }

    @Test("An edit of an object read before the migration is saved to the new file")
    func edited() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "before"])
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait {
            let tag = try #require(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            tag.setValue("edited", forKey: "label")
        }
        let saver = Saver(context)
        let url = stack.fileURL("moved")
        _ = try stack.coordinator.migrate(store, to: url, nil, withType: NSSQLiteStoreType) {
            try saver.start(waitingFor: store)
        }
        #expect(saver.finish() == nil)
        #expect(try labels(url) == ["edited"])
    }

    @Test("If a migration fails, a waiting save goes to the original store")
    func failed() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        let saver = Saver(unsaved("meanwhile", stack))
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try stack.coordinator.migrate(store, to: stack.fileURL("moved"), nil, withType: NSSQLiteStoreType) {
                try saver.start(waitingFor: store)
                throw Stop()
            }
        }
        #expect(saver.finish() == nil)
        #expect(!FileManager.default.fileExists(atPath: stack.fileURL("moved").path))
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'meanwhile'")) == 1)
    }

    @Test("A save during a migration to another store type is in the new store")
    func otherType() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "before"])
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let (inserting, editing) = (Saver(unsaved("meanwhile", stack)), stack.newContext())
        let tag = try #require(editing.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        tag.setValue("edited", forKey: "label")
        let nowhere = URL(fileURLWithPath: "/dev/null")
        _ = try stack.coordinator.migrate(store, to: nowhere, nil, withType: NSInMemoryStoreType) {
            try inserting.start(waitingFor: store)
        }
        #expect(inserting.finish() == nil)
        #expect(try stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 2)
        // Its object has another identifier there.
        #expect(code { try editing.save() } == 134070)
    }

    @Test("A save to a store that is closed meanwhile fails, and writes nothing to its file")
    func closed() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        let saver = Saver(unsaved("late", stack))
        try stack.coordinator.endWriting(to: store) {
            try saver.start(waitingFor: store)
            stack.coordinator.detach(store)
        }
        #expect(saver.finish() == 134070)
        #expect(try labels(stack.fileURL()) == [])
    }

    @Test("An observer of the notification before a store's removal can save, and the change moves along")
    func observed() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        stack.insert("Tag", ["label": "last"])
        let context = stack.context
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
        ) { _ in
            _ = try? context.save()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let url = stack.fileURL("moved")
        try stack.coordinator.migratePersistentStore(store, to: url, type: .sqlite)
        #expect(try labels(url) == ["last"])
    }

    @Test("Concurrent saves during repeated migrations of a store lose nothing")
    func toAndFro() throws {
        let stack = try TestStack(.file)
        let saved = Locked(0)
        let isDone = Locked(false)
        let threads = (0..<3).map { _ in
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = stack.coordinator
            let end = DispatchSemaphore(value: 0)
            let thread = Thread {
                while !isDone.withLock({ $0 }) {
                    context.performAndWait {
                        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                        guard (try? context.save()) != nil else { return context.rollback() }
                        saved.withLock { $0 += 1 }
                    }
                }
                end.signal()
            }
            thread.start()
            return end
        }
        for round in 0..<10 {
            let store = try #require(stack.coordinator.persistentStores.first)
            try stack.coordinator.migratePersistentStore(store, to: stack.fileURL("round\(round)"), type: .sqlite)
        }
        isDone.withLock { $0 = true }
        for end in threads { end.wait() }
        #expect(saved.withLock { $0 } > 0)
        #expect(try stack.count("Tag") == saved.withLock { $0 })
    }
}
