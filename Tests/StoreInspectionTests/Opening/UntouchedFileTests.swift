import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

@Suite("Files opened without leaving a trace")
struct UntouchedFileTests {
    private func model() throws -> Model {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string), Attribute("picture", .binary, optional: true)]
        item.attributes[1].allowsExternalStorage = true
        return try Model([item], versionIdentifiers: ["1.0.0"])
    }

    private func make(_ url: URL, picture: Data? = nil) throws -> SQLiteStore {
        let model = try model()
        let store = try SQLiteStore(model: model, location: .file(url))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(
                id: .temporary(entityName: "Item"), entityIndex: 0,
                values: [.text("one"), picture.map(Value.bytes) ?? .null])
        ]
        _ = try store.save(changes)
        return store
    }

    @Test("A file at rest is read in place; no file is created beside it")
    func inPlace() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            _ = try make(url)
            let before = FileStamp(url)
            let file = try InspectedFile(url)
            #expect(file.untouched.way == .inPlace && file.notes.isEmpty)
            #expect(try file.store().count(Query(entityIndex: 0)) == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.store"])
            #expect(FileStamp(url) == before)
            try file.checkUnchanged()
        }
    }

    private func expectCutOff(_ url: URL) {
        #expect {
            _ = try InspectedFile(url)
        } throws: {
            "\($0)".contains("is damaged (it is cut off: ")
        }
    }

    @Test("A file whose last page is incomplete is damaged, though SQLite reads zeros in its place")
    func cutOff() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            _ = try make(url)
            let whole = try Data(contentsOf: url)
            for length in [whole.count - 1, whole.count - 4095, whole.count - 4096] {
                try whole.prefix(length).write(to: url)
                expectCutOff(url)
                #expect(throws: InspectionError.self) {
                    try WritableStore.open(url, others: .refuse, backup: .none)
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.store"])
            }
            try whole.write(to: url)
            #expect(try InspectedFile(url).store().count(Query(entityIndex: 0)) == 1)
        }
    }

    @Test("Missing pages of the database are read from the log, if it has them")
    func cutOffWithLog() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            let store = try make(url)
            #expect(try store.checkpoint())
            let old = try Data(contentsOf: url)
            // Enough rows for pages of their own.
            var changes = ChangeSet()
            changes.insertions = (0..<2_000).map {
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Item"), entityIndex: 0, values: [.text("item \($0)"), .null])
            }
            _ = try store.save(changes)
            let copy = folder.appendingPathComponent("b.store")
            let log = try Data(contentsOf: folder.appendingPathComponent("a.store-wal"))
            try log.write(to: folder.appendingPathComponent("b.store-wal"))
            try old.write(to: copy)
            func count() throws -> Int {
                let file = try InspectedFile(copy)
                defer { file.close() }
                return try file.store().count(Query(entityIndex: 0))
            }
            #expect(try count() == 2_001)
            // The metadata is not written by a save, so its page is not in the log.
            try old.prefix(4_096 + 100).write(to: copy)
            expectCutOff(copy)
            // A truncated log has no commit of those rows.
            try old.write(to: copy)
            try log.prefix(log.count / 2).write(to: folder.appendingPathComponent("b.store-wal"))
            #expect(try count() == 1)
            withExtendedLifetime(store) {}
        }
    }

    @Test(
        "Commits in the log are counted from the time it was last written from its beginning; unfinished ones are not")
    func logCommits() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            let log = folder.appendingPathComponent("a.store-wal")
            let store = try make(url)
            func commits() throws -> LogCommits {
                let file = try UntouchedFile(url)
                defer { file.close() }
                return try #require(file.logCommits)
            }
            func save(_ count: Int) throws {
                for _ in 0..<count {
                    var changes = ChangeSet()
                    changes.insert("Item", ["name": .text("new")], in: store.model)
                    _ = try store.save(changes)
                }
            }
            let first = try commits()
            try save(3)
            let second = try commits()
            #expect(second.count(since: first) == 3 && second.count(since: second) == 0)
            #expect(first.count(since: second) == nil)
            try save(1)
            // SQLite ignores a frame whose content is not as its checksum says.
            let whole = try Data(contentsOf: log)
            var damaged = whole
            damaged[damaged.count - 1] ^= 1
            try damaged.write(to: log)
            #expect(try commits() == second)
            try whole.prefix(whole.count - 1).write(to: log)
            #expect(try commits() == second)
            try whole.write(to: log)
            #expect(try commits().count(since: second) == 1)
            #expect(try store.checkpoint())
            try save(1)
            #expect(try commits().count(since: second) == nil)
            withExtendedLifetime(store) {}
        }
    }

    @Test("A file that is written while it is read in place is reported")
    func changed() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            _ = try make(url)
            let file = try InspectedFile(url)
            try Data([0]).write(to: folder.appendingPathComponent("a.store-wal"))
            #expect(throws: DatabaseFileError.changed(url.path)) { try file.checkUnchanged() }
        }
    }

    @Test("An open file is read from a private copy, which is removed; large values are found in their place")
    func inUse() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            let picture = Data(repeating: 7, count: 300_000)
            let store = try make(url, picture: picture)
            let file = try InspectedFile(url)
            #expect(file.untouched.way == .privateCopy && file.notes.count == 1)
            guard case .file(let copy) = file.untouched.location else {
                Issue.record("the copy is no file")
                return
            }
            #expect(copy != url && FileManager.default.fileExists(atPath: copy.path))
            let row = try #require(try file.store().fetch(Query(entityIndex: 0)).first)
            #expect(row.values == [.text("one"), .bytes(picture)])
            file.untouched.close()
            #expect(!FileManager.default.fileExists(atPath: copy.path))
            #expect(try store.fetch(Query(entityIndex: 0)).first?.values[1] == .bytes(picture))
        }
    }

    @Test("If only the log grew, only the log is copied again; the earlier copy does not change")
    func copiedAgain() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            let store = try make(url)
            let longAgo = Date(timeIntervalSinceNow: -3600)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: url.path)
            func inode(_ file: InspectedFile) -> UInt64? {
                guard case .file(let copy) = file.untouched.location else { return nil }
                return FileStamp(copy)?.inode
            }
            let first = try InspectedFile(url)
            #expect(first.untouched.way == .privateCopy)
            var changes = ChangeSet()
            changes.insertions = [
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Item"), entityIndex: 0, values: [.text("two"), .null])
            ]
            _ = try store.save(changes)
            let second = try InspectedFile(url, reusing: first)
            #expect(inode(second) == inode(first))
            #expect(try second.store().count(Query(entityIndex: 0)) == 2)
            #expect(try first.store().count(Query(entityIndex: 0)) == 1)
            // The log is checkpointed, which changes the database.
            #expect(try store.checkpoint())
            _ = try store.save(changes)
            let third = try InspectedFile(url, reusing: second)
            #expect(inode(third) != inode(second))
            #expect(try third.store().count(Query(entityIndex: 0)) == 3)
        }
    }

    @Test("A backup is one complete file with its large values, and leaves the store unchanged")
    func backup() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            let picture = Data(repeating: 9, count: 300_000)
            _ = try make(url, picture: picture)
            let opened = try WritableStore.open(url, others: .refuse, backup: .make)
            let backup = try #require(opened.backup)
            let row = try #require(try InspectedFile(backup).store().fetch(Query(entityIndex: 0)).first)
            #expect(row.values == [.text("one"), .bytes(picture)])
            #expect(!FileManager.default.fileExists(atPath: backup.path + "-wal"))
            #expect(throws: InspectionError.inUse(url.path)) {
                try WritableStore.open(url, others: .refuse, backup: .none)
            }
            withExtendedLifetime(opened) {}
        }
    }

    @Test("Typed SQL can only read one file")
    func readOnlySQL() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.store")
            _ = try make(url)
            let connection = try InspectedFile(url).connection()
            func run(_ sql: String) throws -> [[Cell]] {
                var rows: [[Cell]] = []
                try connection.runReadOnly(sql) { _ in
                } row: {
                    rows.append($0)
                }
                return rows
            }
            #expect(try run("SELECT 1, 'a', NULL -- remark\n;;  ") == [[.integer(1), .text("a"), .null]])
            #expect(try run("WITH x AS (SELECT 2 AS y) SELECT y FROM x") == [[.integer(2)]])
            for sql in ["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE ZITEM"] {
                #expect(throws: ReadOnlySQLError.severalStatements) { try run(sql) }
            }
            for sql in ["DELETE FROM ZITEM", "CREATE TABLE x (y)", "UPDATE ZITEM SET ZNAME = 'x'", "VACUUM"] {
                #expect(throws: (any Error).self) { try run(sql) }
            }
            let other = folder.appendingPathComponent("other.db").path
            #expect(throws: ReadOnlySQLError.otherFile) { try run("ATTACH '\(other)' AS other") }
            #expect(throws: (any Error).self) { try run("VACUUM INTO '\(other)'") }
            #expect(throws: SQLTextError.self) { try run("SELECT nothing FROM nowhere") }
            #expect(throws: (any Error).self) { try run("") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.store"])
        }
    }
}
