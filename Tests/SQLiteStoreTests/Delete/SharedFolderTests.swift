import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Stores whose names differ only in the extension share one folder of large values, as in Apple's layout.
@Suite("Stores that share a folder of large values")
struct SharedFolderTests {
    private static let big = Data(repeating: 5, count: 200_000)

    enum Way: CaseIterable { case save, plan, job, update, batch }

    /// A store with a large value, and a copy of it under the same name with another extension.
    private struct Pair {
        let zoo: ZooStore
        let row: Snapshot
        let url: URL
        let copy: URL

        init() throws {
            zoo = try ZooStore(.file)
            row = try zoo.insert("Everything", ["picture": .bytes(SharedFolderTests.big)])
            url = try #require(zoo.url)
            copy = url.deletingPathExtension().appendingPathExtension("bak")
            try StoreFiles.copy(from: url, to: copy)
        }

        func opened() throws -> SQLiteStore { try SQLiteStore(model: zoo.model, location: .file(copy)) }

        func files() throws -> Set<String> { try ExternalData(storeURL: url).storedFileNames() }

        /// The copy's value of the row's large attribute.
        func picture() throws -> Value? {
            let snapshot = try #require(try opened().snapshots(of: [row.id]).first)
            return try zoo.value(snapshot, "picture")
        }

        func giveUp(_ way: Way) throws {
            switch way {
            case .save: try zoo.save { $0.deletions = [try zoo.deletion(row)] }
            case .plan: _ = try zoo.store.delete(DeleteRequest(.rows(RowSet([row.id]))))
            case .job:
                let job = try zoo.store.startJob(DeleteRequest(.rows(RowSet([row.id]))))
                while try job.step().phase != .finished {}
            case .update: try zoo.save { $0.updates = [try zoo.update(row, ["picture": .null])] }
            case .batch:
                let entity = try zoo.entity("Everything")
                let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == "picture" })
                var batch = BatchUpdate(Query(entityIndex: entity.index))
                batch.assignments = [BatchUpdate.Assignment(slot: slot, value: .literal(.null))]
                _ = try zoo.store.update(batch)
            }
        }
    }

    @Test(
        "a file that one store drops stays while the other refers to it, and is removed with the last reference",
        arguments: Way.allCases)
    func copies(way: Way) throws {
        let pair = try Pair()
        try pair.giveUp(way)
        #expect(try pair.picture() == .bytes(Self.big))
        do {
            let other = try pair.opened()
            _ = try other.delete(DeleteRequest(.rows(RowSet([pair.row.id]))))
        }
        #expect(try pair.files() == [])
    }

    @Test("a file that an archived deletion of the other store needs stays")
    func archived() throws {
        let pair = try Pair()
        let token = RecoveryToken()
        do {
            let other = try pair.opened()
            var request = DeleteRequest(.rows(RowSet([pair.row.id])))
            request.recovery = .archived(token)
            _ = try other.delete(request)
            try pair.giveUp(.save)
            #expect(try pair.files().count == 1)
            _ = try other.restore(token, .strict, author: nil) {}
        }
        #expect(try pair.picture() == .bytes(Self.big))
    }

    @Test("no file is removed while the other store cannot be read")
    func unreadable() throws {
        let pair = try Pair()
        let size = try #require(FileStamp(pair.copy)?.size)
        let handle = try FileHandle(forUpdating: pair.copy)
        try handle.truncate(atOffset: UInt64(size / 2))
        try handle.close()
        try pair.giveUp(.plan)
        #expect(try pair.files().count == 1)
    }

    @Test("a neighbouring file that is no store keeps no files")
    func noStore() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        let row = try zoo.insert("Everything", ["picture": .bytes(Self.big)])
        try Data("notes".utf8).write(to: url.deletingPathExtension().appendingPathExtension("txt"))
        try zoo.save { $0.deletions = [try zoo.deletion(row)] }
        #expect(try ExternalData(storeURL: url).storedFileNames() == [])
    }

    @Test("a migration that makes new files for all values leaves the other store's files")
    func migrated() throws {
        let pair = try Pair()
        do {
            let working = try WorkingCopy(of: pair.copy)
            // As an object-by-object migration leaves it: rows without the former files.
            let connection = try Connection(.file(working.url), access: .readWrite)
            try connection.execute("UPDATE ZEVERYTHING SET ZPICTURE = NULL")
            try connection.emptyLog()
            let own = ExternalData(storeURL: working.url)
            own.remove(try own.storedFileNames())
            try working.replaceOriginal()
        }
        #expect(try pair.picture() == .null)
        #expect(try pair.zoo.value(pair.zoo.snapshot(pair.row.id), "picture") == .bytes(Self.big))
    }
}
