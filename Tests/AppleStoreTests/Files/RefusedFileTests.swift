import Foundation
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// The resource classes as a later version of the app might have them.
private enum LaterResources {
    @Model
    final class Item {
        @Attribute(.unique) var name: String
        var weight: Double = 0
        var craftingRecipe: CraftingRecipe?

        init(name: String) { self.name = name }
    }

    @Model
    final class CraftingRecipe {
        var producedItem: Item?
        var producedItemCount: Int
        var requiredComponents: [Component]

        init() {
            producedItemCount = 1
            requiredComponents = []
        }
    }

    @Model
    final class Component {
        var id = UUID()
        var item: Item?
        var craftingRecipe: CraftingRecipe?

        init() {}
    }
}

@Suite("Files that cannot be opened")
struct RefusedFileTests {
    /// Everything in the folder by path, to detect added, removed and changed files.
    private func folderContents(_ url: URL) -> [String: Data] {
        let folder = url.deletingLastPathComponent().path
        var contents: [String: Data] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] where !name.hasSuffix("-shm") {
            contents[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        }
        // An empty log is left behind whenever the file is read.
        return contents.filter { !($0.key.hasSuffix("-wal") && $0.value.isEmpty) }
    }

    private func refused(
        _ schema: Schema, _ url: URL, allowsSave: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let before = folderContents(url)
        let error = try #require(throws: SwiftDataError.self, sourceLocation: sourceLocation) {
            _ = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
        }
        #expect(error == .loadIssueModelContainer, sourceLocation: sourceLocation)
        #expect(folderContents(url) == before, sourceLocation: sourceLocation)
        return error.description
    }

    @Test(
        "A later version of the classes is refused, naming the differences",
        arguments: StoreUnderTest.of(ResourceFamily.self))
    func laterVersion(store: StoreUnderTest) throws {
        try store.withPendingLog { url in
            let later = Schema([LaterResources.Item.self])
            let migrating = try refused(later, url)
            #expect(!hasModel(url) || migrating.contains("CraftingRecipe.producedItemCount"))
            let text = try refused(later, url, allowsSave: false)
            for entity in ["Item", "CraftingRecipe", "Component"] { #expect(text.contains(entity)) }
            if hasModel(url) {
                #expect(text.contains("Item (+weight)"))
                #expect(text.contains("CraftingRecipe (~producedItemCount)"))
                #expect(text.contains("Component (-count)"))
            }
            try store.expectAgreement(url)
        }
    }

    @Test("An additional and a missing entity are refused", arguments: StoreUnderTest.of(CarFamily1.self))
    func otherEntities(store: StoreUnderTest) throws {
        try store.withFile { url in
            let text = try refused(CarFamily2.schema, url, allowsSave: false)
            #expect(text.contains("LuxuryCar") && text.contains("ExpensiveSportCar"))
            try #require(hasModel(url))
            #expect(text.contains("Person (-id)") && text.contains("Car (-color)"))
        }
    }

    @Test("A file of another app is refused", arguments: StoreUnderTest.of(CocktailFamily.self))
    func otherApp(store: StoreUnderTest) throws {
        try store.withFile { url in
            let text = try refused(ResourceFamily.schema, url, allowsSave: false)
            #expect(text.contains("Cocktail") && text.contains("CraftingRecipe"))
            #expect(try !hasModel(url) || refused(ResourceFamily.schema, url).contains("None of the file's entities"))
        }
    }

    private func hasModel(_ url: URL) -> Bool {
        (try? ModelCache.model(try Connection(.file(url), access: .readOnly))) != nil
    }

    @Test("A file that is no database, and a database that is no store, are refused")
    func noStore() throws {
        try withTemporaryFolder { folder in
            let text = folder.appendingPathComponent("text.store")
            let letter = "This is a letter to my aunt, and not a database at all. "
            try Data(letter.utf8).write(to: text)
            #expect(try refused(ResourceFamily.schema, text).contains("too short"))
            try Data(String(repeating: letter, count: 100).utf8).write(to: text)
            #expect(try refused(ResourceFamily.schema, text).contains("not a SQLite database"))

            let other = folder.appendingPathComponent("other.store")
            try Connection(.file(other), access: .create).execute("CREATE TABLE T (A); INSERT INTO T VALUES (1)")
            #expect(try refused(ResourceFamily.schema, other).contains("no SwiftData or Core Data store"))
        }
    }

    @Test(
        "A truncated file, at any length, is refused or cannot be read, and never traps",
        arguments: StoreUnderTest.all)
    func truncated(store: StoreUnderTest) throws {
        try store.withFile { url in
            try Connection(.file(url), access: .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try? FileManager.default.removeItem(atPath: url.path + "-wal")
            let whole = try Data(contentsOf: url)
            for length in [1, 99, 100, 512, 4096, 4097, 8192, whole.count / 2, whole.count - 4096, whole.count - 1] {
                for suffix in ["-shm", "-wal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
                let cut = Data(whole.prefix(length))
                try cut.write(to: url)
                do {
                    try store.withContext(url) { context in
                        try store.family.expectReadable(context)
                    }
                    #expect(length >= 4096, "\(length) bytes passed for a store")
                } catch let error as SwiftDataError {
                    #expect(error == .loadIssueModelContainer, "\(length)")
                    #expect(error.description.contains("damaged") || error.description.contains("not a"), "\(error)")
                } catch {
                    #expect(String(describing: error).contains("damaged"), "\(length): \(error)")
                }
                #expect(try Data(contentsOf: url) == cut, "\(length)")
            }
        }
    }

    @Test("A damaged page is an error that says so", arguments: StoreUnderTest.all)
    func damagedMetadata(store: StoreUnderTest) throws {
        try store.withFile { url in
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute("UPDATE Z_METADATA SET Z_PLIST = x'62706C6973743030FFFF'")
            #expect(try refused(store.family.schema, url).contains("metadata"))
            try connection.execute("DELETE FROM Z_METADATA")
            #expect(try refused(store.family.schema, url).contains("metadata"))
            try connection.execute("DROP TABLE Z_METADATA")
            #expect(try refused(store.family.schema, url).contains("no SwiftData or Core Data store"))
        }
    }

    @Test("A missing table or column is named", arguments: StoreUnderTest.of(ResourceFamily.self))
    func missingParts(store: StoreUnderTest) throws {
        try store.withFile { url in
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute("ALTER TABLE ZCOMPONENT RENAME COLUMN ZCOUNT TO ZGONE")
            let column = try refused(store.family.schema, url)
            #expect(column.contains("ZCOMPONENT.ZCOUNT") && column.contains("Component.count"))
            try connection.execute("ALTER TABLE ZCOMPONENT RENAME COLUMN ZGONE TO ZCOUNT")
            try connection.execute("ALTER TABLE ZITEM RENAME TO ZGONE")
            #expect(try refused(store.family.schema, url).contains("table ZITEM of entity 'Item'"))
            try connection.execute("ALTER TABLE ZGONE RENAME TO ZITEM")
            try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'")
            #expect(try refused(store.family.schema, url).contains("'Item'"))
        }
    }

    @Test("An empty file becomes a store, but not for a read-only container")
    func zeroBytes() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("empty.store")
            try Data().write(to: url)
            #expect(!(try refused(ResourceFamily.schema, url, allowsSave: false)).isEmpty)
            _ = try ModelContainer(for: ResourceFamily.schema, configurations: ModelConfiguration(url: url))
            try expectSoundFile(url)
        }
    }

    @Test("A directory, a missing file opened read-only, and a missing folder opened read-only are refused")
    func paths() throws {
        try withTemporaryFolder { folder in
            let directory = folder.appendingPathComponent("folder.store")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            for allowsSave in [true, false] {
                #expect(try refused(ResourceFamily.schema, directory, allowsSave: allowsSave).contains("folder.store"))
            }
            let missing = folder.appendingPathComponent("missing.store")
            #expect(try refused(ResourceFamily.schema, missing, allowsSave: false).contains("missing.store"))
            let deep = folder.appendingPathComponent("a/b/missing.store")
            #expect(try refused(ResourceFamily.schema, deep, allowsSave: false).contains("missing.store"))
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("a").path))
        }
    }

    @Test("A file in place of a folder is refused")
    func fileAsFolder() throws {
        try withTemporaryFolder { folder in
            try Data("x".utf8).write(to: folder.appendingPathComponent("file"))
            let url = folder.appendingPathComponent("file/default.store")
            let error = try #require(throws: SwiftDataError.self) {
                _ = try ModelContainer(for: ResourceFamily.schema, configurations: ModelConfiguration(url: url))
            }
            #expect(error == .loadIssueModelContainer)
        }
    }

    @Test(
        "A file without permission is refused", .enabled(if: getuid() != 0, "permissions do not bind the superuser"),
        arguments: StoreUnderTest.own)
    func permissions(store: StoreUnderTest) throws {
        try store.withFile { url in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path) }
            let error = try #require(throws: SwiftDataError.self) { _ = try store.container(url) }
            #expect(error == .loadIssueModelContainer)
            #expect(error.description.contains("permission") || error.description.contains("may be read"))
        }
    }
}

extension StoreFamily {
    /// Reads all models of all classes, with their destinations.
    static func expectReadable(_ context: ModelContext) throws {
        for type in context.container.modelTypes.compactMap({ $0?.type }) { try read(type, context) }
    }

    private static func read<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws {
        _ = try context.fetch(FetchDescriptor<Model>()).map(\.key)
    }
}
