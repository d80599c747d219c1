import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Files copied, replaced and removed while stores have them open.
@Suite("Copying, replacing and removing stores")
struct StoreFilesTests {
    private static let big = Data(repeating: 5, count: 200_000)

    #if os(Linux)
    /// This process's locks on a file. The system's list may miss some while other tests lock and unlock, so it is read several
    /// times.
    private func locks(on url: URL) throws -> Set<Substring> {
        let inode = try #require(FileStamp(url)?.inode)
        return try (0..<10).reduce(into: []) { found, _ in
            let list = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            let own = list.split(separator: "\n").filter {
                $0.contains(" \(ProcessInfo.processInfo.processIdentifier) ") && $0.contains(":\(inode) ")
            }
            found.formUnion(own.map { $0.drop { $0 != " " } })
        }
    }

    @Test("copying a store that is open here leaves its locks unchanged")
    func locksStay() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        try zoo.insert("Animal", ["name": .text("Ida")])
        let before = try locks(on: url)
        try #require(!before.isEmpty)
        let copy = url.deletingLastPathComponent().appendingPathComponent("copy.store")
        try StoreFiles.copy(from: url, to: copy)
        #expect(try locks(on: url) == before)
        let copied = try SQLiteStore(model: zoo.model, location: .file(copy))
        #expect(try copied.fetch(Query(entityIndex: try zoo.entity("Animal").index)).count == 1)
    }
    #endif

    @Test("a copy has every large value that its rows refer to, despite concurrent writes")
    func copyOfOneMoment() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        let id = try zoo.insert("Everything", ["picture": .bytes(Self.big)]).id
        let (store, entity) = (zoo.store, try zoo.entity("Everything"))
        let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == "picture" })
        let isDone = Locked(false)
        let writer = Thread {
            for round in 0..<200 where !isDone.withLock({ $0 }) {
                guard let row = try? store.snapshots(of: [id]).first else { continue }
                var values = row.values
                values[slot] = .bytes(Data(repeating: UInt8(round), count: 140_000))
                var changes = ChangeSet()
                changes.updates = [
                    ChangeSet.Update(
                        id: id, entityIndex: entity.index, expectedVersion: row.version, values: values,
                        changedSlots: [slot], changedToMany: [])
                ]
                _ = try? store.save(changes)
            }
        }
        writer.start()
        defer { isDone.withLock { $0 = true } }
        for round in 0..<5 {
            let copy = url.deletingLastPathComponent().appendingPathComponent("copy\(round).store")
            try StoreFiles.copy(from: url, to: copy)
            let copied = try SQLiteStore(model: zoo.model, location: .file(copy))
            #expect(try copied.check().filter { $0.kind == .missingFile } == [])
        }
        isDone.withLock { $0 = true }
        while !writer.isFinished { usleep(1000) }
    }

    @Test("a failed copy leaves nothing")
    func failedCopy() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = folder.appendingPathComponent("text.store")
        try Data(repeating: 0x41, count: 5000).write(to: text)
        #expect(throws: SQLiteError.self) {
            try StoreFiles.copy(from: text, to: folder.appendingPathComponent("copy.store"))
        }
        #expect(throws: CocoaError.self) { try StoreFiles.copy(from: text, to: text) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["text.store"])
        #expect(try Data(contentsOf: text).count == 5000)
    }

    @Test(
        "a store replaces another in one transaction, with its large values; stores that have it open can no longer write"
    )
    func replacing() throws {
        let (source, target) = (try ZooStore(.file), try ZooStore(.file))
        let (from, to) = (try #require(source.url), try #require(target.url))
        try source.insert("Everything", ["title": .text("new"), "picture": .bytes(Self.big)])
        try target.insert("Everything", ["title": .text("old"), "picture": .bytes(Self.big)])
        let former = try ExternalData(storeURL: to).storedFileNames()
        struct Stop: Error {}
        #expect(throws: Stop.self) { try StoreFiles.replace(to, byCopyOf: from) { throw Stop() } }
        #expect(try target.names("Everything", .constant(true), property: "title") == ["old"])
        try StoreFiles.replace(to, byCopyOf: from) {}
        let replaced = try SQLiteStore(model: source.model, location: .file(to))
        #expect(replaced.identifier == source.store.identifier)
        #expect(try replaced.check() == [])
        #expect(try ExternalData(storeURL: to).storedFileNames().isDisjoint(with: former))
        #expect(throws: StoreAccessError.otherModel) { try target.insert("Tag", ["label": .text("late")]) }
        let names = try FileManager.default.contentsOfDirectory(atPath: to.deletingLastPathComponent().path)
        #expect(!names.contains { $0.contains("replacing") })
    }

    @Test("a file that is no database can be replaced by a copy")
    func replacingText() throws {
        let source = try ZooStore(.file)
        let url = try #require(source.url)
        try source.insert("Everything", ["picture": .bytes(Self.big)])
        let text = url.deletingLastPathComponent().appendingPathComponent("text.store")
        try Data(repeating: 0x41, count: 5000).write(to: text)
        try StoreFiles.replace(text, byCopyOf: url) {}
        #expect(try SQLiteStore(model: source.model, location: .file(text)).check() == [])
    }

    @Test("removing a store that shares its folder of large values with a neighbour keeps the neighbour's files")
    func sharedFolder() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        try zoo.insert("Everything", ["picture": .bytes(Self.big)])
        let neighbour = url.deletingPathExtension().appendingPathExtension("bak")
        try Data("no store".utf8).write(to: url.deletingPathExtension().appendingPathExtension("txt"))
        #expect(StoreFiles.neighbours(of: url) == [])
        try StoreFiles.copy(from: url, to: neighbour)
        #expect(StoreFiles.neighbours(of: url).map(\.lastPathComponent) == ["zoo.bak"])
        do {
            let other = try SQLiteStore(model: zoo.model, location: .file(neighbour))
            let data = ExternalData(storeURL: url)
            try Self.big.write(to: data.folder.appendingPathComponent(UUID().uuidString))
            let plan = try other.repairPlan()
            #expect(plan.steps == [])
            #expect(plan.unrepairable.map(\.reason) == [.folderShared])
        }
        let names = try ExternalData(storeURL: url).storedFileNames()
        try StoreFiles.remove(at: neighbour)
        #expect(try ExternalData(storeURL: url).storedFileNames() == names)
        #expect(!FileManager.default.fileExists(atPath: neighbour.path))
    }
}
