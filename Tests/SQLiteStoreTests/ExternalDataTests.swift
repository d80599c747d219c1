import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("External data")
struct ExternalDataTests {
    private static let big = Data(repeating: 5, count: 200_000)
    private static let other = Data(repeating: 6, count: 200_000)

    private func files(_ zoo: ZooStore) throws -> [String] {
        let folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// One entity whose rows have a unique name and a large value.
    private func pictures() throws -> ZooStore {
        var data = Attribute("data", .binary, optional: true)
        data.allowsExternalStorage = true
        var picture = EntityDescription("Picture")
        picture.attributes = [Attribute("name", .string, optional: true), data]
        picture.uniquenessConstraints = [["name"]]
        return try ZooStore(.file, model: try Model([picture]))
    }

    @Test("a save that drops files is synced to disk before they are removed; other saves are not")
    func durableBeforeRemoval() throws {
        let zoo = try ZooStore(.file)
        let row = try zoo.insert("Everything", ["picture": .bytes(Self.big)])
        let isDurable = { zoo.log.statements.first == "PRAGMA synchronous = FULL" }
        #expect(!isDurable())
        zoo.log.clear()
        try zoo.save { $0.updates = [try zoo.update(row, ["title": .text("x")])] }
        #expect(!zoo.log.statements.contains { $0.hasPrefix("PRAGMA synchronous") })
        let second = try zoo.snapshot(row.id)
        zoo.log.clear()
        try zoo.save { $0.updates = [try zoo.update(second, ["picture": .bytes(Self.other)])] }
        #expect(isDurable())
        #expect(try zoo.rows("PRAGMA synchronous") == [[.integer(1)]])
        let third = try zoo.snapshot(row.id)
        zoo.log.clear()
        try zoo.save { $0.deletions = [try zoo.deletion(third)] }
        #expect(isDurable())
        #expect(Array(zoo.log.statements.suffix(2)) == ["COMMIT", "PRAGMA synchronous = NORMAL"])
        #expect(try files(zoo).isEmpty)
    }

    @Test("a reader whose file is removed meanwhile reads again; a missing file is an error")
    func rereading() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        let row = try zoo.insert("Everything", ["picture": .bytes(Self.big)])
        let tag = try zoo.insert("Tag", ["label": .text("t")])
        // When the second table is about to be read, the transaction's view of the store is already fixed.
        let replacement = Locked<ChangeSet?>(nil)
        var changes = ChangeSet()
        changes.updates = [try zoo.update(row, ["picture": .bytes(Self.other)])]
        replacement.withLock { $0 = changes }
        let writer = try SQLiteStore(model: zoo.model, location: .file(url))
        let outcome = Locked<SaveResult?>(nil)
        var options = SQLiteStore.Options()
        options.onStatement = { text in
            guard text.contains("FROM ZEVERYTHING"), let changes = replacement.withLock({ $0 }) else { return }
            replacement.withLock { $0 = nil }
            let result = try? writer.save(changes)
            outcome.withLock { $0 = result }
        }
        let reader = try SQLiteStore(model: zoo.model, location: .file(url), options: options)
        let read = try reader.snapshots(of: [tag.id, row.id])
        guard case .saved? = outcome.withLock({ $0 }) else {
            Issue.record("the writer did not save in between")
            return
        }
        #expect(read.count == 2)
        #expect(try zoo.value(try #require(read.last), "picture") == .bytes(Self.other))

        let folder = ExternalData(storeURL: url).folder
        for name in try files(zoo) { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
        #expect(throws: ExternalDataError.self) { try reader.snapshots(of: [row.id]) }
        #expect(throws: ExternalDataError.self) { try zoo.fetch("Everything") }
    }

    @Test(
        "if the folder for large values cannot be created, nothing is saved, and the error names the file"
    )
    func folderInTheWay() throws {
        let zoo = try ZooStore(.file)
        let support = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT")
        try Data().write(to: support)
        do {
            _ = try zoo.insert("Everything", ["picture": .bytes(Self.big)])
            Issue.record("saved without a file")
        } catch ExternalDataError.unwritableFile {
            #expect(try zoo.fetch("Everything").isEmpty)
        }
        try FileManager.default.removeItem(at: support)
        let row = try zoo.insert("Everything", ["picture": .bytes(Self.big)])
        #expect(try zoo.value(row, "picture") == .bytes(Self.big))
        #expect(try files(zoo).count == 1)
    }

    @Test("updates that had to be retried leave one file each")
    func blockedUpdates() throws {
        let zoo = try pictures()
        let rows = try ["a", "b", "c"].map {
            try zoo.insert("Picture", ["name": .text($0), "data": .bytes(Self.big)])
        }
        #expect(try files(zoo).count == 3)
        try zoo.save {
            $0.updates = try zip(rows, ["b", "a", "d"]).map {
                try zoo.update($0, ["name": .text($1), "data": .bytes(Self.other)])
            }
        }
        #expect(try zoo.names("Picture", .constant(true)) == ["b", "a", "d"])
        for row in try zoo.fetch("Picture") { #expect(try zoo.value(row, "data") == .bytes(Self.other)) }
        #expect(try files(zoo).count == 3)
    }

    @Test("an insertion that replaces a row removes the row's old file")
    func replacedRow() throws {
        let zoo = try pictures()
        try zoo.insert("Picture", ["name": .text("a"), "data": .bytes(Self.big)])
        let before = try files(zoo)
        zoo.log.clear()
        let row = try zoo.insert("Picture", ["name": .text("a"), "data": .bytes(Self.other)])
        #expect(try zoo.value(row, "data") == .bytes(Self.other))
        #expect(try files(zoo).count == 1)
        #expect(try files(zoo) != before)
        #expect(zoo.log.statements.first == "PRAGMA synchronous = FULL")
    }

    @Test("a batch row that matches two rows by different constraints removes the file of the one it updates")
    func batchMeetsTwo() throws {
        var photo = Attribute("photo", .binary, optional: true)
        photo.allowsExternalStorage = true
        var person = EntityDescription("Person")
        person.attributes = [
            Attribute("code", .string, optional: true), Attribute("email", .string, optional: true), photo,
        ]
        person.uniquenessConstraints = [["code"], ["email"]]
        let zoo = try ZooStore(.file, model: try Model([person]))
        try zoo.insert("Person", ["code": .text("A"), "email": .text("a@x"), "photo": .bytes(Self.big)])
        try zoo.insert("Person", ["code": .text("X"), "email": .text("b@x"), "photo": .bytes(Self.big)])
        var batch = BatchInsert(entityIndex: 0)
        batch.duplicates = .update
        let entity = try zoo.entity("Person")
        let values = try zoo.values(
            "Person", ["code": .text("X"), "email": .text("a@x"), "photo": .bytes(Self.other)])
        let given = entity.slots.indices.filter { entity.propertyName(ofSlot: $0) != "code" }
        var isFirst = true
        _ = try zoo.store.insert(batch) { row in
            defer { isFirst = false }
            row = BatchInsert.Row(values: Array(values), given: given)
            return isFirst
        }
        #expect(try zoo.fetch("Person").count == 2)
        #expect(try zoo.store.check() == [])
        #expect(try files(zoo).count == 2)
    }
}
