import CoreData
import ObjectGraph
import SQLiteStore
import Testing

/// Stores as files.
@Suite struct StoreFileTests {
    @Test("A file's metadata can be read, and extended by custom entries")
    func metadata() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        let url = stack.fileURL()
        try NSPersistentStoreCoordinator.setMetadata(
            ["owner": "me", NSStoreUUIDKey: "x", "NSStoreModelVersionHashes": 1],
            forPersistentStoreOfType: NSSQLiteStoreType,
            at: url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata["owner"] as? String == "me")
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        #expect(Zoo.model().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(
            code {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    type: .sqlite, at: stack.fileURL("none"))
            } == 260)
    }

    @Test(
        "CD69 Destroying removes all content and closes the store here; a store open in another coordinator is refused")
    func destroying() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag")
        try stack.context.save()
        let other = try TestStack(addsStore: false)
        try other.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(), options: nil)
        #expect(code { try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), type: .sqlite) } == 134070)
        try other.coordinator.remove(try #require(other.coordinator.persistentStores.first))
        try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), type: .sqlite)
        #expect(stack.coordinator.persistentStores.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path) == ["zoo.sqlite"])
        try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), type: .sqlite)
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        try stack.add(.file)
        #expect(try stack.count("Tag") == 0)
    }

    @Test("Replacing puts a copy in another store's place")
    func replacing() throws {
        let source = try TestStack(.file)
        source.insert("Tag", ["label": "source"])
        try source.context.save()
        let target = try TestStack(.file)
        target.insert("Category", ["name": "old"])
        try target.context.save()
        try target.coordinator.replacePersistentStore(
            at: target.fileURL(), withPersistentStoreFrom: source.fileURL(), type: .sqlite)
        // Contexts are notified on their queues.
        target.context.performAndWait {}
        try target.add(.file)
        #expect(try target.count("Tag", NSPredicate(format: "label == 'source'")) == 1)
        #expect(try target.count("Category") == 0)
        #expect(try source.count("Tag") == 1)
        #expect(
            code {
                try target.coordinator.replacePersistentStore(
                    at: target.fileURL(), withPersistentStoreFrom: source.fileURL("none"), type: .sqlite)
            } == 260)
        #expect(try target.count("Tag") == 1)
    }

    @Test("Files of large values move with their store, also to a place without a store")
    func largeValues() throws {
        func model() throws -> NSManagedObjectModel {
            let model = Zoo.model()
            let picture = Zoo.attribute("picture", .binaryDataAttributeType)
            picture.allowsExternalBinaryDataStorage = true
            try #require(model.entitiesByName["Tag"]).properties.append(picture)
            return model
        }
        let picture = Data(repeating: 7, count: 1_000_000)
        let source = try TestStack(.file, model: model())
        source.insert("Tag", ["picture": picture])
        try source.context.save()
        let target = try TestStack(.file, model: model(), addsStore: false)
        try target.coordinator.replacePersistentStore(
            at: target.fileURL(), withPersistentStoreFrom: source.fileURL(), type: .sqlite)
        try target.add(.file)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        #expect(try target.context.fetch(request).first?.value(forKey: "picture") as? Data == picture)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder.path).count > 1)
        try target.coordinator.destroyPersistentStore(at: target.fileURL(), type: .sqlite)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder.path) == ["zoo.sqlite"])
        #expect(try source.newContext().fetch(request).first?.value(forKey: "picture") as? Data == picture)
    }

    @Test("A store that is open elsewhere is destroyed only with the force option; in-memory stores are not destroyed")
    func forcing() throws {
        let stack = try TestStack(.file)
        let other = try TestStack(addsStore: false)
        try other.coordinator.addPersistentStore(type: .sqlite, at: stack.fileURL())
        #expect(
            code {
                try stack.coordinator.replacePersistentStore(
                    at: stack.fileURL(), withPersistentStoreFrom: stack.fileURL(), type: .sqlite)
            } == 134070)
        try stack.coordinator.destroyPersistentStore(
            at: stack.fileURL(), type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(FileManager.default.contents(atPath: stack.fileURL().path) == Data())
        let memory = try TestStack(.memorySQLite)
        memory.insert("Tag")
        try memory.context.save()
        try memory.coordinator.destroyPersistentStore(at: URL(fileURLWithPath: "/dev/null"), type: .sqlite)
        #expect(try memory.count("Tag") == 1)
        #expect(code { try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), ofType: "XML") } == 134000)
    }

    @Test(
        "A file of another format is reported as such, and is unchanged",
        arguments: ["<?xml version='1.0'?><database>", "bplist00"])
    func otherFormats(beginning: String) throws {
        let stack = try TestStack(addsStore: false)
        let bytes = Data((beginning + String(repeating: "x", count: 5000)).utf8)
        try bytes.write(to: stack.fileURL())
        do {
            try stack.add(.file)
            Issue.record("The file was opened.")
        } catch let error as CocoaError {
            #expect(error.errorCode == 259)
            #expect(error.localizedDescription.contains("not a database"))
        }
        #expect(try Data(contentsOf: stack.fileURL()) == bytes)
    }

    @Test("A store can be migrated to another file; objects keep their identifiers")
    func migrating() throws {
        let stack = try TestStack(.file)
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let moved = try stack.coordinator.migratePersistentStore(store, to: stack.fileURL("moved"), type: .sqlite)
        #expect(stack.coordinator.persistentStores == [moved])
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        #expect(try stack.newContext().existingObject(with: tag.objectID).value(forKey: "label") as? String == "x")
        tag.setValue("y", forKey: "label")
        try stack.context.save()
        #expect(try stack.count("Tag", NSPredicate(format: "label == 'y'")) == 1)
        #expect(FileManager.default.fileExists(atPath: stack.fileURL().path))
    }

    @Test("A store that cannot be replaced is unchanged, with nothing left beside it; a store cannot replace itself")
    func refusedReplacement() throws {
        let (source, target) = (try TestStack(.file), try TestStack(.file))
        for (stack, label) in [(source, "new"), (target, "old")] {
            stack.insert("Tag", ["label": label])
            try stack.context.save()
        }
        let third = NSPersistentStoreCoordinator(managedObjectModel: Zoo.model())
        let files = try FileManager.default.contentsOfDirectory(atPath: target.folder.path).sorted()
        let replace = { (url: URL) in
            try third.replacePersistentStore(at: url, withPersistentStoreFrom: source.fileURL(), type: .sqlite)
        }
        #expect(code { try replace(target.fileURL()) } == 134070)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder.path).sorted() == files)
        #expect(try target.count("Tag", NSPredicate(format: "label == 'old'")) == 1)
        try source.coordinator.remove(try #require(source.coordinator.persistentStores.first))
        #expect(code { try replace(source.fileURL()) } == 134070)
        try target.coordinator.remove(try #require(target.coordinator.persistentStores.first))
        try replace(target.fileURL())
        try target.add(.file)
        #expect(try target.count("Tag", NSPredicate(format: "label == 'new'")) == 1)
    }

    @Test("A coordinator adds a store only once")
    func sameStoreTwice() throws {
        let stack = try TestStack(.file)
        #expect(code { try stack.add(.file) } == 134080)
        #expect(stack.coordinator.persistentStores.count == 1)
    }

    /// An open container of SwiftData on a file.
    private final class Holder: OpenStoreObserver {
        let openFile: OpenFile

        init(_ url: URL) { openFile = OpenFile(OpenStoreRegistry.name(of: url)) }

        func noticeSaves(in files: Set<String>) {}
    }

    @Test("A store that a SwiftData container has open is neither destroyed nor replaced")
    func containers() throws {
        let stack = try TestStack(.file)
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        let holder = Holder(stack.fileURL())
        OpenStoreRegistry.add(holder.openFile, of: holder)
        let source = try TestStack(.file)
        withExtendedLifetime(holder) {
            #expect(code { try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), type: .sqlite) } == 134070)
            #expect(
                code {
                    try stack.coordinator.replacePersistentStore(
                        at: stack.fileURL(), withPersistentStoreFrom: source.fileURL(), type: .sqlite)
                } == 134070)
        }
        #expect(FileManager.default.fileExists(atPath: stack.fileURL().path))
    }

    @Test("A store with a write in progress is not destroyed, and stays open")
    func busy() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        let writer = try Connection(.file(stack.fileURL()), access: .readWrite)
        try writer.inTransaction(.immediate) {
            #expect(code { try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), type: .sqlite) } == 134090)
        }
        #expect(stack.coordinator.persistentStores == [store])
        stack.insert("Tag")
        try stack.context.save()
    }

    @Test("Metadata that no property list can contain are refused; integers of every size and decimals are written")
    func unwritableMetadata() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        let (large, price) = (UInt64.max, try #require(Decimal(string: "1.5")))
        store.metadata["owner"] = "me"
        store.metadata["large"] = large
        store.metadata["price"] = price
        for strange in [UUID(), NSNull(), ["a", UUID()], ["b": NSNull()]] as [Any] {
            store.metadata["owner"] = strange
            #expect(store.metadata["owner"] as? String == "me")
            store.metadata["strange"] = strange
            #expect(store.metadata["strange"] == nil)
        }
        try stack.context.save()
        stack.insert("Tag")
        try stack.context.save()
        let url = stack.fileURL()
        let typed = NSPersistentStoreCoordinator.self
        #expect(
            code { try typed.setMetadata(["owner": "you", "since": UUID()], type: .sqlite, at: url) } == 134030)
        let read = try typed.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(read["owner"] as? String == "me")
        #expect((read["large"] as? NSNumber)?.uint64Value == large)
        #expect((read["price"] as? NSNumber)?.doubleValue == 1.5)
        #expect(read["strange"] == nil && read["since"] == nil)
    }
}
