import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// Files written by Apple's frameworks, read and written through the complete store. Skipped if they are missing.
@Suite("Stores on Apple's files", .enabled(if: AppleFiles.folder != nil, "the folder of Apple's files is absent"))
struct AppleFileStoreTests {
    @Test("every row is read with the file's own model", arguments: AppleFiles.stores)
    func readEverything(path: String) throws {
        let copy = try AppleFileCopy(path)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        for entity in copy.model.entities {
            var query = Query(entityIndex: entity.index)
            let rows = try store.fetch(query)
            #expect(try store.count(query) == rows.count)
            #expect(try store.fetchIDs(query) == rows.map(\.id))
            #expect(Set(try store.snapshots(of: rows.map(\.id))) == Set(rows))
            var oneByOne: [Snapshot] = []
            try store.forEachRow(of: query) { oneByOne.append($0) }
            #expect(oneByOne == rows)
            query.includesSubentities = false
            #expect(try store.fetch(query).allSatisfy { $0.id.entityName == entity.name })
            for relationship in entity.relationships where !relationship.isToOne {
                let members = try store.members(
                    of: relationship.index, entityIndex: entity.index, owners: rows.map(\.id))
                #expect(members.count <= rows.count)
            }
        }
        let total = try copy.model.entities.filter(\.isRoot).reduce(0) {
            try $0 + store.count(Query(entityIndex: $1.index))
        }
        #expect(total > 0)
    }

    @Test("bit sets of Apple's updates have the same length as ours", arguments: AppleFiles.stores)
    func changedColumnLengths(path: String) throws {
        let copy = try AppleFileCopy(path)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        guard let layout = store.saveRunner.history else { return }
        typealias Change = HistoryTables.Change
        let sql =
            "SELECT DISTINCT \(Change.entity), length(\(Change.columns)) FROM \(Change.table) "
            + "WHERE \(Change.changeType) = 1"
        try store.pool.withReader { connection in
            try connection.withStatement(sql) { statement in
                while try statement.step() {
                    let number = Int(statement.integer(at: 0))
                    let index = try #require(store.map.entityIndexByNumber[number])
                    let expected = (layout.changedColumns[index].bitCount + 7) / 8
                    #expect(Int(statement.integer(at: 1)) == expected, "\(copy.model[index].name)")
                }
            }
        }
    }

    @Test(
        "an update and a deletion are written, with history, and the file stays consistent",
        arguments: AppleFiles.stores)
    func writeBack(path: String) throws {
        let copy = try AppleFileCopy(path)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        for entity in copy.model.entities where !entity.isAbstract && !entity.hasSubentities {
            guard let row = try store.fetch(Query(entityIndex: entity.index)).first else { continue }
            var changes = ChangeSet()
            changes.updates = [
                ChangeSet.Update(
                    id: row.id, entityIndex: entity.index, expectedVersion: row.version, values: row.values,
                    changedSlots: Array(entity.slots.indices), changedToMany: [])
            ]
            guard case .saved(let saved) = try store.save(changes) else {
                Issue.record("conflict in \(entity.name)")
                continue
            }
            let now = try #require(try store.snapshots(of: [row.id]).first)
            #expect(now.values == row.values, "\(entity.name) is written as it was read")
            #expect(now.version == row.version + 1)
            #expect((saved.transactionNumber != nil) == (store.saveRunner.history != nil))
            changes = ChangeSet()
            changes.deletions = [
                ChangeSet.Deletion(id: row.id, entityIndex: entity.index, expectedVersion: now.version)
            ]
            let others: [Conflict]
            switch try store.save(changes) {
            case .saved: others = []
            case .conflicts(let conflicts): others = conflicts
            }
            // The graph, not the store, finds the rows that delete rules affect.
            #expect(others.filter { !$0.leadsToDeleted }.isEmpty, "conflict in \(entity.name)")
            #expect(try store.snapshots(of: [row.id]).isEmpty == others.isEmpty)
        }
        let check = try store.pool.withWriter { connection in
            try connection.withStatement("PRAGMA integrity_check") { try $0.step() ? $0.text(at: 0) : "" }
        }
        #expect(check == "ok")
    }
}

enum AppleFiles {
    static let folder: URL? = {
        let variable = ProcessInfo.processInfo.environment["OPENSWIFTDATA_STORES"].map { URL(fileURLWithPath: $0) }
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/stores")
        return [variable, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static let stores = [
        "coredataplus/SampleModel_V1.sqlite", "coredataplus/SampleModel_V2.sqlite",
        "coredataplus/SampleModel2_V1.sqlite", "coredataplus/SampleModel2_V2.sqlite", "cocktails/Cocktails.store",
        "resources/A/default.store", "resources/B/default.store", "wire/store2-24-1.wiredatabase",
        "wire/store2-5.wiredatabase", "notes/NoteStore-macOS-26.sqlite",
    ]
}

/// A copy of one of Apple's files with its log, in a folder of its own, with the model in the file.
final class AppleFileCopy {
    let folder: URL
    let url: URL
    let model: Model

    init(_ path: String) throws {
        let original = try #require(AppleFiles.folder).appendingPathComponent(path)
        folder = try ZooStore.makeFolder()
        url = folder.appendingPathComponent(original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            let data = try Data(contentsOf: URL(fileURLWithPath: original.path + suffix))
            try data.write(to: URL(fileURLWithPath: url.path + suffix))
        }
        let connection = try Connection(.file(url), access: .readOnly)
        model = try #require(try ModelCache.model(connection))
        if path.hasPrefix("wire/") { try fillIn(connection) }
    }

    /// A value's file was lost before the store was published; another value has to do.
    private func fillIn(_ connection: Connection) throws {
        let sql = "SELECT ZIMAGEMEDIUMDATA FROM ZUSER WHERE substr(ZIMAGEMEDIUMDATA, 1, 1) = x'02'"
        let cells = try connection.withStatement(sql) { statement in
            var cells: [Data] = []
            while try statement.step() { cells.append(statement.bytes(at: 0)) }
            return cells
        }
        let files = ExternalData(storeURL: url).folder
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for name in cells.compactMap(ExternalData.fileName) {
            try Data("a stand-in".utf8).write(to: files.appendingPathComponent(name))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
