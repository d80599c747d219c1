import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Remote changes of a store")
struct RemoteChangeDetectorTests {
    /// Another store on the same file, like another process.
    private func other(_ zoo: ZooStore, isReadOnly: Bool = false) throws -> SQLiteStore {
        try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: isReadOnly)
    }

    @discardableResult
    private func save(_ store: SQLiteStore, _ edit: (inout ChangeSet) throws -> Void) throws -> SavedRows {
        var changes = ChangeSet()
        try edit(&changes)
        guard case .saved(let rows) = try store.save(changes) else {
            Issue.record("unexpected conflicts")
            return SavedRows()
        }
        return rows
    }

    @discardableResult
    private func insertTag(_ store: SQLiteStore, _ zoo: ZooStore) throws -> ObjectID {
        try #require(try save(store) { $0.insertions = [try zoo.insertion("Tag", [:])] }.inserted.first).id
    }

    @Test("another store's saves are reported exactly once, own saves never")
    func exactlyOnce() throws {
        let zoo = try ZooStore(.file)
        let first = try zoo.insert("Tag", ["label": .text("first")])
        let second = try zoo.insert("Tag", ["label": .text("second")])
        let other = try other(zoo)
        #expect(try other.changesByOthers().isEmpty, "what was there when it was opened")
        #expect(try zoo.store.changesByOthers().isEmpty)

        let third = try insertTag(other, zoo)
        try save(other) {
            $0.updates = [try zoo.update(first, ["label": .text("changed")])]
            $0.deletions = [try zoo.deletion(second)]
        }
        let changes = try zoo.store.changesByOthers()
        #expect(changes.inserted == [third])
        #expect(changes.updatedIDs == [first.id])
        #expect(changes.deleted == [second.id])
        #expect(changes.updated.isEmpty && !changes.isOverflow)
        #expect(try zoo.store.changesByOthers().isEmpty)
        #expect(try other.changesByOthers().isEmpty)

        let fourth = try zoo.insert("Tag", [:]).id
        #expect(try zoo.store.changesByOthers().isEmpty)
        #expect(try other.changesByOthers().inserted == [fourth])
        #expect(try other.changesByOthers().isEmpty)
    }

    @Test("rows that the store has restored or deleted since are reported as they are")
    func ownLaterSaves() throws {
        let zoo = try ZooStore(.file)
        let restored = try zoo.insert("Tag", [:])
        let other = try other(zoo)
        var request = DeleteRequest(.rows(RowSet([restored.id])))
        let token = RecoveryToken()
        request.recovery = .archived(token)
        _ = try other.delete(request)
        let inserted = try insertTag(other, zoo)
        _ = try zoo.store.restore(token, .strict)
        try save(zoo.store) {
            $0.deletions = [try zoo.deletion(try #require(zoo.store.snapshots(of: [inserted]).first))]
        }
        let changes = try zoo.store.changesByOthers()
        #expect(changes.inserted.isEmpty)
        #expect(changes.updatedIDs == [restored.id])
        #expect(changes.deleted == [inserted])
    }

    @Test("alternating saves are distinguished")
    func alternating() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        var (own, others): ([ObjectID], [ObjectID]) = ([], [])
        for round in 0..<12 {
            if round % 3 == 0 { others.append(try insertTag(other, zoo)) }
            own.append(try insertTag(zoo.store, zoo))
            if round % 4 == 1 { others.append(try insertTag(other, zoo)) }
        }
        #expect(try zoo.store.changesByOthers().inserted == others)
        #expect(try zoo.store.changesByOthers().isEmpty)
        #expect(try other.changesByOthers().inserted == own)
        #expect(try other.changesByOthers().isEmpty)
    }

    @Test("asking costs one statement if there was no save, two after an own save, six after another's")
    func statements() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        func ask() throws -> [String] {
            zoo.log.clear()
            _ = try zoo.store.changesByOthers()
            return zoo.log.statements
        }
        #expect(try ask().count == 2, "the first time there is nothing to compare with")
        #expect(try ask() == ["PRAGMA data_version"])
        try zoo.insert("Tag", [:])
        #expect(try ask().count == 2)
        #expect(try ask().count == 1)
        for _ in 0..<20 { try insertTag(other, zoo) }
        #expect(try ask().count == 6)
        #expect(try ask().count == 1)
    }

    @Test("without history, asking during an own write reports nothing, and the changes are reported afterwards")
    func askingWhileWriting() throws {
        let zoo = try ZooStore(.file, history: .without)
        var options = SQLiteStore.Options()
        options.history = .without
        let other = try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), options: options)
        _ = try zoo.store.changesByOthers()
        try insertTag(other, zoo)
        #expect(try zoo.store.pool.withWriter { _ in try zoo.store.changesByOthers() }.isEmpty)
        #expect(try zoo.store.changesByOthers().isOverflow)
        #expect(try zoo.store.changesByOthers().isEmpty)
        try insertTag(zoo.store, zoo)
        #expect(try zoo.store.pool.withWriter { _ in try zoo.store.changesByOthers() }.isEmpty)
        #expect(try zoo.store.changesByOthers().isEmpty, "its own save")
    }

    @Test("a failed save leaves its number to another writer, whose save is reported")
    func failedSave() throws {
        struct Refusal: Error {}
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        var changes = ChangeSet()
        changes.insertions = [try zoo.insertion("Tag", [:])]
        #expect(throws: Refusal.self) { try zoo.store.save(changes) { throw Refusal() } }
        let theirs = try insertTag(other, zoo)
        #expect(try other.history(after: nil).map(\.number) == [1])
        #expect(try zoo.store.changesByOthers().inserted == [theirs])
        let stale = Snapshot(id: theirs, version: 7, values: try zoo.snapshot(theirs).values)
        changes = ChangeSet()
        changes.updates = [try zoo.update(stale, ["label": .text("x")])]
        guard case .conflicts = try zoo.store.save(changes) else {
            Issue.record("no conflict")
            return
        }
        let next = try insertTag(other, zoo)
        #expect(try zoo.store.changesByOthers().inserted == [next])
    }

    @Test("asking during an own save reports earlier changes, and afterwards later ones")
    func duringSave() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        let before = try insertTag(other, zoo)
        var changes = ChangeSet()
        changes.insertions = [try zoo.insertion("Tag", [:])]
        _ = try zoo.store.save(changes) { () throws in
            #expect(try zoo.store.changesByOthers().inserted == [before])
            #expect(try zoo.store.changesByOthers().isEmpty)
        }
        #expect(try zoo.store.changesByOthers().isEmpty)
        let after = try insertTag(other, zoo)
        #expect(try zoo.store.changesByOthers().inserted == [after])
    }

    @Test("asking between an own commit and its registration leaves later changes for the next time")
    func betweenCommitAndNotice() throws {
        let zoo = try ZooStore(.file)
        let location = zoo.store.location
        let other = try other(zoo)
        let watcher = RemoteChangeDetector(reader: zoo.store.history, newest: 0, writerVersion: nil) {
            try Connection(location, access: .readOnly)
        }
        func ask() throws -> SavedChanges { try watcher.changesByOthers { .noWriter } }
        let before = try insertTag(other, zoo)
        let after = try watcher.recordingSave { willCommit in
            willCommit(2)
            try insertTag(zoo.store, zoo)
            let after = try insertTag(other, zoo)
            #expect(try ask().inserted == [before])
            #expect(try ask().isEmpty)
            return after
        }
        #expect(try ask().inserted == [after], "without another commit since the last call")
        #expect(try ask().isEmpty)
    }

    @Test("a file that went back to an older state reports an overflow, and is watched from there")
    func olderState() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        for _ in 0..<3 { try insertTag(other, zoo) }
        #expect(try zoo.store.changesByOthers().inserted.count == 3)
        _ = try other.pool.withWriter { connection in
            try connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK > 1")
            try connection.execute("DELETE FROM ACHANGE WHERE ZTRANSACTIONID > 1")
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT IN (16001, 16002)")
        }
        #expect(try zoo.store.changesByOthers().isOverflow)
        let next = try insertTag(other, zoo)
        #expect(try zoo.store.changesByOthers().inserted == [next])
    }

    @Test("history pruned before it was read, and too many changes, are reported as an overflow")
    func overflow() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        for _ in 0..<3 { try insertTag(other, zoo) }
        try other.pruneHistory(before: .number(3))
        #expect(try zoo.store.changesByOthers().isOverflow)
        #expect(try zoo.store.changesByOthers().isEmpty)
        try other.pruneHistory(before: .number(.max))
        #expect(try zoo.store.changesByOthers().isEmpty, "pruning changes no row")
        try save(other) { changes in
            changes.insertions = try (0..<10_001).map { _ in try zoo.insertion("Tag", [:]) }
        }
        #expect(try zoo.store.changesByOthers().isOverflow)
        let last = try insertTag(other, zoo)
        #expect(try zoo.store.changesByOthers().inserted == [last])
    }

    @Test("without history every change is an overflow, unless only the store itself saved")
    func withoutHistory() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var options = SQLiteStore.Options()
        options.history = .without
        let model = try Zoo.model()
        let location = Connection.Location.file(folder.appendingPathComponent("plain.store"))
        let store = try SQLiteStore(model: model, location: location, options: options)
        let zoo = try ZooStore()
        let other = try SQLiteStore(model: model, location: location)
        let reading = try SQLiteStore(model: model, location: location, isReadOnly: true)
        #expect(try store.changesByOthers().isEmpty)
        #expect(try reading.changesByOthers().isOverflow, "it cannot know")
        #expect(try reading.changesByOthers().isEmpty)
        try insertTag(store, zoo)
        #expect(try store.changesByOthers().isEmpty)
        #expect(try other.changesByOthers().isOverflow)
        #expect(try other.changesByOthers().isEmpty)
        #expect(try reading.changesByOthers().isOverflow)
        try insertTag(other, zoo)
        try insertTag(store, zoo)
        #expect(try store.changesByOthers().isOverflow)
        #expect(try store.changesByOthers().isEmpty)
    }

    @Test("a read-only store detects changes too; an in-memory store has none")
    func otherPlaces() throws {
        let zoo = try ZooStore(.file)
        let reading = try other(zoo, isReadOnly: true)
        #expect(try reading.changesByOthers().isEmpty)
        let tag = try zoo.insert("Tag", [:])
        #expect(try reading.changesByOthers().inserted == [tag.id])
        #expect(try reading.changesByOthers().isEmpty)
        let memory = try ZooStore()
        try memory.insert("Tag", [:])
        #expect(try memory.store.changesByOthers().isEmpty)
    }

    @Test("the last store to close leaves no log behind, even if it was watching")
    func closing() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("zoo.store")
        let zoo = try ZooStore()
        do {
            let store = try SQLiteStore(model: zoo.model, location: .file(url))
            try insertTag(store, zoo)
            #expect(try store.changesByOthers().isEmpty)
            #expect(try store.history(after: nil).count == 1)
        }
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        #expect((size ?? 0) > 4096)
    }

    @Test("two stores that save and ask from several threads report everything once")
    func threads() async throws {
        let zoo = try ZooStore(.file)
        let model = zoo.model
        let tag = try #require(model.entity(named: "Tag"))
        let stores = [zoo.store, try other(zoo)]
        let reported = [Locked<[ObjectID]>([]), Locked<[ObjectID]>([])]
        let saved = [Locked<[ObjectID]>([]), Locked<[ObjectID]>([])]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for _ in 0..<60 {
                        var changes = ChangeSet()
                        changes.insertions = [
                            ChangeSet.Insertion(
                                id: .temporary(entityName: "Tag"), entityIndex: tag.index, values: [.null])
                        ]
                        guard case .saved(let rows) = try store.save(changes) else {
                            Issue.record("conflict")
                            return
                        }
                        saved[index].withLock { $0 += rows.inserted.map(\.id) }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<150 {
                            let changes = try store.changesByOthers()
                            #expect(!changes.isOverflow)
                            reported[index].withLock { $0 += changes.inserted }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for (index, store) in stores.enumerated() {
            let rest = try store.changesByOthers().inserted
            let all = reported[index].withLock { $0 } + rest
            #expect(all.sorted() == saved[1 - index].withLock { $0.sorted() })
            #expect(try store.changesByOthers().isEmpty)
        }
    }

    private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("another process is detected", .enabled(if: shell != nil, "there is no sqlite3 to be another process"))
    func otherProcess() throws {
        let zoo = try ZooStore(.file)
        let tag = try zoo.insert("Tag", ["label": .text("red")])
        #expect(try zoo.store.changesByOthers().isEmpty)
        let number = zoo.store.map.entities[try zoo.entity("Tag").index].entityNumber
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.shell))
        process.arguments = [
            try #require(zoo.url).path,
            """
            BEGIN IMMEDIATE;
            UPDATE ZTAG SET ZLABEL = 'blue', Z_OPT = Z_OPT + 1 WHERE Z_PK = \(tag.id.key);
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (2, 16002, 1);
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            VALUES (2, 16001, 1, \(number), \(tag.id.key), 2);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT IN (16001, 16002);
            COMMIT;
            """,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try zoo.store.changesByOthers().updatedIDs == [tag.id])
        #expect(try zoo.store.changesByOthers().isEmpty)
        #expect(try zoo.value(zoo.snapshot(tag.id), "label") == .text("blue"))
    }
}
