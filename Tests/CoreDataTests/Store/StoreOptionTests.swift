import CoreData
import SQLiteStore
import Testing

/// Options that a store is opened with.
@Suite struct StoreOptionTests {
    private func pragma(_ name: String, _ url: URL) throws -> String {
        let connection = try Connection(.file(url), access: .readOnly)
        return try connection.withStatement("PRAGMA \(name)") { try $0.step() ? $0.text(at: 0) : "" }
    }

    @Test("SQLite has the settings of the options")
    func pragmas() throws {
        let options: [String: Any] = [
            NSSQLitePragmasOption: ["journal_mode": "DELETE", "synchronous": "FULL", "cache_size": "-500"]
        ]
        let stack = try TestStack(.file, options: options)
        stack.insert("Tag", ["label": "a"])
        try stack.context.save()
        #expect(try pragma("journal_mode", stack.fileURL()) == "delete")
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path) == ["zoo.sqlite"])
        #expect(try stack.count("Tag") == 1)
        try stack.context.setQueryGenerationFrom(.current)
        #expect(stack.context.queryGenerationToken == nil)

        let other = try TestStack(addsStore: false)
        let description = NSPersistentStoreDescription(url: stack.fileURL())
        description.setValue(NSString(string: "wal"), forPragmaNamed: "journal_mode")
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        other.coordinator.addPersistentStore(with: description) { _, error in #expect(error == nil) }
        #expect(try pragma("journal_mode", stack.fileURL()) == "wal")
        #expect(try other.count("Tag") == 1)
    }

    @Test(
        "Harmful settings and invalid values are refused before the file is created",
        arguments: [
            ["writable_schema": "1"], ["journal_mode": "off"], ["cache_size": "1; DROP TABLE ZTAG"],
            ["synchronous": "5"],
        ])
    func refusedPragmas(pragmas: [String: String]) throws {
        let stack = try TestStack(addsStore: false)
        #expect(code { try stack.add(.file, options: [NSSQLitePragmasOption: pragmas]) } == 134080)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).isEmpty)
    }

    @Test("A file is analysed and vacuumed as it is opened, if requested")
    func tidying() throws {
        let stack = try TestStack(.file)
        for number in 0..<2000 { stack.insert("Tag", ["label": String(repeating: "x", count: 500) + "\(number)"]) }
        try stack.context.save()
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        func size() throws -> Int { try Data(contentsOf: stack.fileURL()).count }
        let before = try size()
        try stack.add(.file, options: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        #expect(try size() < before / 2)
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        let connection = try Connection(.file(stack.fileURL()), access: .readOnly)
        let found = try connection.withStatement("SELECT count(*) FROM sqlite_stat1") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
        #expect(found > 0)
        try stack.add(.file, options: [NSPersistentStoreFileProtectionKey: "complete"])
        #expect(try stack.count("Tag") == 0)
    }

    private func storedMetadata(_ stack: TestStack, _ name: String = "zoo") throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.fileURL(name))
    }

    @Test("Metadata are written with a save; if it fails, they are written with the next one")
    func metadataOfFailedSave() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        try stack.saveFamily("Mammals")
        stack.coordinator.setMetadata(["owner": "me"], for: store)
        let category = stack.insert("Category", ["name": "Mammals"])
        #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(try storedMetadata(stack)["owner"] == nil)
        #expect(store.metadata["owner"] as? String == "me")
        category.setValue("Birds", forKey: "name")
        try stack.context.save()
        #expect(try storedMetadata(stack)["owner"] as? String == "me")
    }

    @Test("With several stores, the metadata of each are written with the save of all, or of none")
    func metadataOfSeveralStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let stores = stack.coordinator.persistentStores
        let tags = stores.map { store in
            let tag = stack.insert("Tag")
            stack.context.assign(tag, to: store)
            return tag
        }
        try stack.context.save()
        for store in stores { stack.coordinator.setMetadata(["owner": store === second ? "two" : "one"], for: store) }
        // In the store that is written last, whichever that is, the row has another version.
        let other = stack.newContext()
        for tag in tags {
            try other.existingObject(with: tag.objectID).setValue("other", forKey: "label")
            tag.setValue("mine", forKey: "label")
        }
        try other.save()
        // The other context's save has written them, too.
        #expect(try storedMetadata(stack)["owner"] as? String == "one")
        for store in stores { stack.coordinator.setMetadata(["owner": "nobody"], for: store) }
        #expect(code { try stack.context.save() } == 133020)
        #expect(try storedMetadata(stack)["owner"] as? String == "one")
        #expect(try storedMetadata(stack, "second")["owner"] as? String == "two")
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(try storedMetadata(stack)["owner"] as? String == "nobody")
        #expect(try storedMetadata(stack, "second")["owner"] as? String == "nobody")
    }

    @Test("Metadata are read from the file, and changed ones are written with the next save")
    func metadata() throws {
        let stack = try TestStack(.file)
        let store = try #require(stack.coordinator.persistentStores.first)
        var metadata = stack.coordinator.metadata(for: store)
        metadata["owner"] = "me"
        metadata["list"] = ["a", 1] as [Any]
        metadata[NSStoreUUIDKey] = "forged"
        stack.coordinator.setMetadata(metadata, for: store)
        #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
        func stored() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.fileURL())
        }
        #expect(try stored()["owner"] == nil)
        stack.insert("Tag")
        try stack.context.save()
        #expect(try stored()["owner"] as? String == "me")
        #expect((try stored()["list"] as? [Any])?.count == 2)
        #expect(try stored()[NSStoreUUIDKey] as? String == store.identifier)
        let again = try TestStack(addsStore: false)
        let twin = try again.coordinator.addPersistentStore(type: .sqlite, at: stack.fileURL())
        #expect(twin.metadata["owner"] as? String == "me")
        #expect(try stored()["NSStoreModelVersionHashesDigest"] != nil)
        metadata["owner"] = nil
        stack.coordinator.setMetadata(metadata, for: store)
        stack.insert("Tag")
        try stack.context.save()
        #expect(try stored()["owner"] == nil)
        #expect(try stored()["list"] != nil)
    }
}
