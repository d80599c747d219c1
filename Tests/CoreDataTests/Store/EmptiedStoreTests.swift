import CoreData
import Testing

@Suite("Destroyed stores, and files that are not stores")
struct EmptiedStoreTests {
    @Test("A destroyed store leaves an empty database, which can be removed or opened as a new store")
    func destroyed() throws {
        let stack = try TestStack(.file)
        stack.insert("Animal", ["name": "Fox"])
        try stack.context.save()
        let url = stack.fileURL()
        try stack.coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        #expect(stack.coordinator.persistentStores.isEmpty)
        #expect(try Data(contentsOf: url).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        // Contexts are notified on their queues.
        stack.context.performAndWait {}
        try stack.add(.file)
        #expect(try stack.count("Animal") == 0)
        stack.insert("Animal", ["name": "Owl"])
        try stack.context.save()
        #expect(try stack.count("Animal") == 1)
        try stack.coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        try FileManager.default.removeItem(at: url)
    }

    @Test("Destroying a store that does not exist creates no file")
    func nothing() throws {
        let stack = try TestStack(addsStore: false)
        try stack.coordinator.destroyPersistentStore(at: stack.fileURL(), ofType: NSSQLiteStoreType)
        #expect(!FileManager.default.fileExists(atPath: stack.fileURL().path))
    }

    @Test(
        "A file that is not a database fails as corrupt, with SQLite's code",
        arguments: ["short", String(repeating: "x", count: 5000)])
    func noDatabase(content: String) throws {
        let stack = try TestStack(addsStore: false)
        try Data(content.utf8).write(to: stack.fileURL())
        for body: () throws -> Void in [
            { try stack.add(.file) },
            {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: stack.fileURL())
            },
        ] {
            let error = try #require(throws: CocoaError.self) { try body() }
            #expect(error.code == .fileReadCorruptFile)
            #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 26)
        }
        #expect(try Data(contentsOf: stack.fileURL()) == Data(content.utf8))
    }

    @Test("Reading the metadata of a missing file fails with fileReadNoSuchFile")
    func missing() throws {
        let stack = try TestStack(addsStore: false)
        let error = try #require(throws: CocoaError.self) {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: stack.fileURL())
        }
        #expect(error.code == .fileReadNoSuchFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == stack.fileURL().path)
    }

    @Test("A file that cannot be created fails with SQLite's code")
    func unmakable() throws {
        let stack = try TestStack(addsStore: false)
        let error = try #require(throws: CocoaError.self) {
            try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil,
                at: stack.folder.appendingPathComponent("none/zoo.sqlite"))
        }
        #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 14)
    }
}
