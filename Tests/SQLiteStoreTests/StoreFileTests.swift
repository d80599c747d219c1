import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

/// Files created, opened again, refused, or left unchanged.
@Suite("Store files")
struct StoreFileTests {
    private func open(
        _ url: URL, _ model: Model, isReadOnly: Bool = false
    ) throws -> SQLiteStore {
        try SQLiteStore(model: model, location: .file(url), isReadOnly: isReadOnly)
    }

    @Test("a new file has Apple's tables, header and metadata, and contains everything when opened again")
    func newFile() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        let animal = try zoo.insert("Animal", ["name": .text("Ida")])
        #expect(try zoo.rows("PRAGMA page_size") == [[.integer(4096)]])
        #expect(try zoo.rows("PRAGMA auto_vacuum") == [[.integer(2)]])
        #expect(try zoo.rows("PRAGMA journal_mode") == [[.text("wal")]])
        let tables = try zoo.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map { $0[0] }
        for name in ["ZANIMAL", "ZPERSON", "Z_2TAGS", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE"] {
            #expect(tables.contains(.text(name)), "\(name)")
        }
        #expect(!tables.contains(.text("ZKEEPER")))
        let again = try open(url, zoo.model)
        #expect(again.identifier == zoo.store.identifier)
        #expect(again.identifier == again.identifier.uppercased())
        #expect(try again.snapshots(of: [animal.id]) == [animal], "rows still in the log are read")
    }

    @Test("a read-only store reads and refuses to write")
    func readOnly() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        let animal = try zoo.insert("Animal", ["name": .text("Ida")])
        let reader = try open(url, zoo.model, isReadOnly: true)
        #expect(reader.isReadOnly)
        #expect(try reader.snapshots(of: [animal.id]) == [animal])
        var changes = ChangeSet()
        changes.deletions = [try zoo.deletion(animal)]
        #expect(throws: StoreAccessError.readOnly) { try reader.save(changes) }
        #expect(try zoo.fetch("Animal") == [animal])
        let absent = url.deletingLastPathComponent().appendingPathComponent("absent.store")
        #expect(throws: StoreOpeningError.noFile(absent.path)) { try open(absent, zoo.model, isReadOnly: true) }
        #expect(!FileManager.default.fileExists(atPath: absent.path))
    }

    @Test("a file of another model, or no store at all, is refused and byte for byte unchanged")
    func refusedFiles() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        do {
            let store = try open(url, try Zoo.model())
            try store.pool.withWriter { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        let before = try Data(contentsOf: url)
        let date = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
        let other = try Model(Zoo.descriptions.filter { $0.name != "Album" && $0.name != "Photo" })
        #expect(throws: IncompatibleStoreError.self) { try open(url, other) }
        #expect(try Data(contentsOf: url) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date == date)

        let plain = folder.appendingPathComponent("plain.sqlite")
        do { try Connection(.file(plain), access: .create).execute("CREATE TABLE t (a)") }
        let plainBefore = try Data(contentsOf: plain)
        #expect(throws: StoreOpeningError.notAStore) { try open(plain, other) }
        #expect(try Data(contentsOf: plain) == plainBefore)

        let text = folder.appendingPathComponent("text.store")
        try Data(repeating: 0x41, count: 5000).write(to: text)
        let error = #expect(throws: SQLiteError.self) { try open(text, other) }
        #expect(error?.isNotADatabase == true)
        #expect(try Data(contentsOf: text) == Data(repeating: 0x41, count: 5000))
    }

    @Test("an empty file becomes a store; unknown tables and columns are unchanged")
    func emptyAndForeign() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        try Data().write(to: url)
        let model = try Zoo.model()
        do {
            let store = try open(url, model)
            try store.pool.withWriter {
                try $0.execute("CREATE TABLE ANSCKTHING (a)")
                try $0.execute("INSERT INTO ANSCKTHING VALUES (7)")
                try $0.execute("ALTER TABLE ZTAG ADD COLUMN ZFUTURE INTEGER")
            }
        }
        let store = try open(url, model)
        let tag = try #require(model.entity(named: "Tag"))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Tag"), entityIndex: tag.index, values: [.text("x")])
        ]
        _ = try store.save(changes)
        let kept = try store.pool.withReader {
            try $0.withStatement("SELECT a FROM ANSCKTHING") { try $0.step() ? $0.integer(at: 0) : 0 }
        }
        #expect(kept == 7)
        #expect(try store.count(Query(entityIndex: tag.index)) == 1)
    }

    @Test("a store in a folder that cannot be written is read without touching it")
    func immutableFolder() throws {
        let folder = try TemporaryFolder()
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            folder.remove()
        }
        let url = folder.appendingPathComponent("zoo.store")
        let model = try Zoo.model()
        do { _ = try open(url, model) }
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let store = try open(url, model, isReadOnly: true)
        #expect(try store.count(Query(entityIndex: 0)) == 0)
    }

    @Test("two stores on one file see each other's saves, and conflicts between them")
    func twoStores() throws {
        let zoo = try ZooStore(.file)
        let other = try open(try #require(zoo.url), zoo.model)
        let animal = try zoo.insert("Animal", ["name": .text("Ida")])
        #expect(try other.snapshots(of: [animal.id]) == [animal])
        var changes = ChangeSet()
        changes.updates = [try zoo.update(animal, ["age": .integer(1)])]
        guard case .saved = try other.save(changes) else {
            Issue.record("the first save conflicts")
            return
        }
        guard case .conflicts(let conflicts) = try zoo.store.save(changes) else {
            Issue.record("the second save went through")
            return
        }
        #expect(conflicts.map(\.stored?.version) == [2])
    }

    @Test("saves and fetches from many threads have the same result as in sequence")
    func threads() async throws {
        let zoo = try ZooStore(.file)
        let store = zoo.store
        let tag = try zoo.entity("Tag")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 {
                group.addTask {
                    var changes = ChangeSet()
                    changes.insertions = [
                        ChangeSet.Insertion(
                            id: .temporary(entityName: "Tag"), entityIndex: tag.index, values: [.text("\(index)")])
                    ]
                    guard case .saved(let rows) = try store.save(changes), let id = rows.inserted.first?.id else {
                        Issue.record("conflict")
                        return
                    }
                    #expect(try store.snapshots(of: [id]).first?.values == [.text("\(index)")])
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.fetchIDs(Query(entityIndex: tag.index)).map(\.key) == Array(1...60))
    }
}

@Suite("Damaged stores")
struct DamagedStoreTests {
    @Test("a counter at its maximum, an invalid entity number and a query for no entity are errors, not traps")
    func damage() throws {
        let zoo = try ZooStore(.file)
        try zoo.insert("Tag", [:])
        _ = try zoo.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME = 'Tag'")
        #expect(throws: ChangeSetError.keysExhausted(table: "ZTAG")) { try zoo.insert("Tag", [:]) }
        #expect(throws: UntranslatableExpression.self) { try zoo.store.fetch(Query(entityIndex: 999)) }
        _ = try zoo.rows("UPDATE Z_PRIMARYKEY SET Z_ENT = \(Int64.max) WHERE Z_NAME = 'Passport'")
        let url = try #require(zoo.url)
        #expect(throws: StoreOpeningError.unusableEntityNumber(Int.max)) {
            try SQLiteStore(model: zoo.model, location: .file(url))
        }
    }

    @Test("a cell of the wrong storage class is an error that names the type and the place")
    func wrongCell() throws {
        let zoo = try ZooStore()
        try zoo.insert("Everything", [:])
        _ = try zoo.rows("UPDATE ZEVERYTHING SET ZLARGE = 'many'")
        let error = #expect(throws: CellError.self) { try zoo.fetch("Everything") }
        #expect(error?.type == .integer64)
        #expect(error?.place == "Everything/p1, column ZLARGE")
        _ = try zoo.rows("UPDATE ZEVERYTHING SET ZLARGE = NULL, ZPICTURE = x'07'")
        #expect(throws: ExternalDataError.self) { try zoo.fetch("Everything") }
    }
}
