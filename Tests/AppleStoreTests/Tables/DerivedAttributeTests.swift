import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// A model that classes cannot declare (derived attributes, an abstract entity, fetched properties): the file is opened with its
/// own model.
@Suite("Files with Apple's triggers", .realFiles)
struct DerivedAttributeTests {
    private static let files = ["coredataplus/SampleModel2_V1.sqlite", "coredataplus/SampleModel2_V2.sqlite"]
        .map { RealFile($0) }

    private func withStore(_ file: RealFile, _ body: (SQLiteStore, URL) throws -> Void) throws {
        try file.withCopiedFile { url in
            let model = try #require(try ModelCache.model(try Connection(.file(url), access: .readOnly)))
            try body(try SQLiteStore(model: model, location: .file(url)), url)
        }
    }

    private func fetch(_ store: SQLiteStore, _ name: String) throws -> [Snapshot] {
        try store.fetch(Query(entityIndex: try #require(store.model.entity(named: name)).index))
    }

    private func entity(_ store: SQLiteStore, _ row: Snapshot) throws -> Entity {
        try #require(store.model.entity(named: row.id.entityName))
    }

    private func slot(_ entity: Entity, _ name: String) throws -> Int {
        if let attribute = entity.attribute(named: name) { return attribute.slots.lowerBound }
        return try #require(entity.relationship(named: name)?.slot)
    }

    private func value(_ store: SQLiteStore, _ row: Snapshot, _ name: String) throws -> Value {
        row.values[try slot(try entity(store, row), name)]
    }

    private func reference(_ store: SQLiteStore, _ row: Snapshot, _ name: String) throws -> ObjectID? {
        if case .reference(let id) = try value(store, row, name) { id } else { nil }
    }

    /// - Returns: `nil` for conflicts.
    private func save(_ changes: ChangeSet, _ store: SQLiteStore) throws -> SavedRows? {
        if case .saved(let rows) = try store.save(changes) { rows } else { nil }
    }

    @Test("Every row of every entity has the values of its cells", arguments: files)
    func everyRow(file: RealFile) throws {
        try withStore(file) { store, url in
            let contents = try StoreContents(url)
            for entity in store.model.entities where entity.isRoot {
                let rows = try fetch(store, entity.name)
                #expect(rows.map(\.id.key) == contents.rows("Z" + entity.name.uppercased()).keys.sorted())
                for row in rows { try expectCells(store, row, contents) }
            }
        }
    }

    private func expectCells(_ store: SQLiteStore, _ row: Snapshot, _ contents: StoreContents) throws {
        let entity = try entity(store, row)
        let storage = store.map.entities[entity.index]
        let cells = try #require(contents.rows(storage.table)[row.id.key])
        #expect(cells["Z_OPT"] == .integer(row.version))
        #expect(cells["Z_ENT"] == .integer(Int64(storage.entityNumber)))
        for (slot, column) in storage.columns.enumerated() {
            guard let column else { continue }
            let found = try #require(cells[column.name])
            if case .reference(let id) = row.values[slot] {
                #expect(found == .integer(id.key))
            } else {
                let value = try ColumnCodec.value(of: found, column.type)
                #expect(value == row.values[slot], "\(column.name) of \(row.id)")
            }
        }
    }

    @Test("After adding and removing a page, the triggers have counted without an error", arguments: files)
    func pages(file: RealFile) throws {
        try withStore(file) { store, url in
            let before = try StoreContents(url)
            let page = try #require(try fetch(store, "Page").first)
            let book = try #require(try reference(store, page, "book"))
            let count = try #require(before.cell("ZBOOK", book.key, "ZPAGESCOUNT")?.integer)
            var values = page.values
            values[try slot(try entity(store, page), "number")] = .integer(9999)
            var changes = ChangeSet()
            changes.insertions = (0..<2).map { _ in
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Page"), entityIndex: store.model.entity(named: "Page")?.index ?? 0,
                    values: values)
            }
            let saved = try #require(try save(changes, store))
            let more = try #require(try store.snapshots(of: [book]).first)
            #expect(try value(store, more, "pagesCount") == .integer(count + 2))
            #expect(more.version == before.cell("ZBOOK", book.key, "Z_OPT")?.integer, "a trigger raises no version")

            let new = try #require(saved.inserted.first?.id)
            var removal = ChangeSet()
            removal.deletions = [
                ChangeSet.Deletion(id: new, entityIndex: changes.insertions[0].entityIndex, expectedVersion: 1)
            ]
            _ = try store.save(removal)
            let after = try StoreContents(url)
            #expect(after.cell("ZBOOK", book.key, "ZPAGESCOUNT") == .integer(count + 1))
            #expect(after.schema == before.schema)
            let differences = after.differences(from: before)
            #expect(differences.updatedColumns("ZBOOK", book.key) == ["ZPAGESCOUNT"])
            #expect(differences["ZBOOK"]?.updated.count == 1)
            #expect(differences["ZPAGE"]?.inserted.count == 1 && differences["ZPAGE"]?.updated.isEmpty == true)
            let row = try #require(differences["ZPAGE"]?.inserted.values.first)
            #expect(row["ZNUMBER"] == .integer(9999))
            let number = book.entityName == "Book" ? 1 : 2
            #expect(row["Z1_BOOK"] == .integer(Int64(number)), "the key's entity number is the row's own")
            #expect(differences["Z_METADATA"] == nil && differences["Z_MODELCACHE"] == nil)
            try expectSoundFile(url)
        }
    }

    @Test("A new graphic novel has its own entity number, and its pages are counted", arguments: files)
    func novel(file: RealFile) throws {
        try withStore(file) { store, url in
            let before = try StoreContents(url)
            let novel = try #require(store.model.entity(named: "GraphicNovel"))
            let sample = try #require(try fetch(store, "Book").first)
            let page = try #require(try fetch(store, "Page").first)
            var values = novel.slots.map { _ in Value.null }
            let book = try #require(store.model.entity(named: "Book"))
            for slot in book.slots.indices { values[slot] = sample.values[slot] }
            values[try slot(novel, "uniqueID")] = .uuid(UUID())
            values[try slot(novel, "isBlackAndWhite")] = .integer(1)
            var changes = ChangeSet()
            let id = ObjectID.temporary(entityName: "GraphicNovel")
            changes.insertions = [ChangeSet.Insertion(id: id, entityIndex: novel.index, values: SlotValues(values))]
            var pageValues = page.values
            let pageEntity = try entity(store, page)
            pageValues[try slot(pageEntity, "book")] = .reference(id)
            changes.updates = [
                ChangeSet.Update(
                    id: page.id, entityIndex: pageEntity.index, expectedVersion: page.version, values: pageValues,
                    changedSlots: [try slot(pageEntity, "book")], changedToMany: [])
            ]
            let saved = try #require(try save(changes, store))
            let key = try #require(saved.inserted.first?.id.key)
            let after = try StoreContents(url)
            #expect(after.cell("ZBOOK", key, "Z_ENT") == .integer(2))
            #expect(after.cell("ZPAGE", page.id.key, "ZBOOK") == .integer(key))
            #expect(after.cell("ZPAGE", page.id.key, "Z1_BOOK") == .integer(2))
            let pages = after.keys("Z_PK", of: "ZPAGE", by: "ZBOOK")
            for (book, row) in after.rows("ZBOOK") {
                #expect(row["ZPAGESCOUNT"] == .integer(Int64(pages[book, default: []].count)), "book \(book)")
            }
            #expect(key == (before.cell("Z_PRIMARYKEY", 1, "Z_MAX")?.integer ?? 0) + 1)
            let history = try #require(after.differences(from: before)["ACHANGE"]).history
            #expect(history.contains(.insert(2, key)))
            // The key of a relationship to a hierarchy takes two bits; then three attributes.
            #expect(history.contains(.update(4, page.id.key, [0, 1], of: 5)))
        }
    }

    @Test(
        "Values computed by the file's triggers are not computed twice, and are correct after random writes",
        arguments: files)
    func randomPages(file: RealFile) throws {
        try withStore(file) { store, url in
            let temporary = try store.pool.withWriter { connection in
                try connection.withStatement("SELECT count(*) FROM sqlite_temp_master") { statement in
                    try statement.step() ? statement.integer(at: 0) : -1
                }
            }
            #expect(temporary == 0)
            var random = SeededGenerator(seed: 7)
            let books = try fetch(store, "Book").map(\.id)
            for _ in 0..<20 {
                var changes = ChangeSet()
                let pages = try fetch(store, "Page").shuffled(using: &random)
                for page in pages.prefix(5) {
                    let entity = try entity(store, page)
                    let slot = try slot(entity, "book")
                    var values = page.values
                    values[slot] = books.randomElement(using: &random).map(Value.reference) ?? .null
                    changes.updates.append(
                        ChangeSet.Update(
                            id: page.id, entityIndex: entity.index, expectedVersion: page.version, values: values,
                            changedSlots: [slot], changedToMany: []))
                }
                changes.deletions = try pages.dropFirst(5).prefix(2).map { page in
                    ChangeSet.Deletion(
                        id: page.id, entityIndex: try entity(store, page).index, expectedVersion: page.version)
                }
                _ = try #require(try save(changes, store))
            }
            #expect(try store.check().filter { $0.kind == .staleValue } == [])
            try expectSoundFile(url)
        }
    }

    @Test("Abstract entities have no rows of their own", arguments: files)
    func abstractEntity(file: RealFile) throws {
        try withStore(file) { store, url in
            let writer = try #require(store.model.entity(named: "Writer"))
            #expect(try fetch(store, "Writer").allSatisfy { $0.id.entityName == "Author" })
            let before = try StoreContents(url)
            var changes = ChangeSet()
            changes.insertions = [
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Writer"), entityIndex: writer.index,
                    values: SlotValues(nulls: writer.slots.count))
            ]
            #expect(throws: ChangeSetError.self) { try store.save(changes) }
            #expect(try StoreContents(url) == before)
        }
    }
}
