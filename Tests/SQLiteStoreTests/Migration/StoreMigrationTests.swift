import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Effects of a migration beside rows and links.
@Suite("Store migration")
struct StoreMigrationTests {
    private func entity(_ name: String, _ attributes: [Attribute]) -> EntityDescription {
        var description = EntityDescription(name)
        description.attributes = attributes
        return description
    }

    private func attribute(
        _ name: String, _ type: AttributeType = .string, external: Bool = false, kept: Bool = false
    ) -> Attribute {
        var attribute = Attribute(name, type, optional: true)
        attribute.allowsExternalStorage = external
        attribute.preservesValueOnDeletion = kept
        return attribute
    }

    private func picture(external: Bool) throws -> Model {
        try Model([entity("Picture", [attribute("name"), attribute("data", .binary, external: external)])])
    }

    @Test("values move into files and back, and files without a reference are removed")
    func externalStorage() throws {
        let file = try MigrationFile()
        let (cells, files) = (try picture(external: false), try picture(external: true))
        let (small, large) = (Data([1, 2, 3]), Data(repeating: 7, count: ExternalData.threshold + 1))
        do {
            let store = try file.open(cells)
            try file.insert("Picture", [["data": .bytes(small)], ["data": .bytes(large)], [:]], store)
        }
        let data = ExternalData(storeURL: file.url)
        func values(_ model: Model) throws -> [Value] {
            try file.open(model).fetch(Query(entityIndex: 0)).map { $0.values[1] }
        }
        #expect(try file.migrate(to: files) == .migrated)
        #expect(try values(files) == [.bytes(small), .bytes(large), .null])
        #expect(try data.storedFileNames().count == 1)
        #expect(try file.migrate(to: cells) == .migrated)
        #expect(try values(cells) == [.bytes(small), .bytes(large), .null])
        #expect(try data.storedFileNames().isEmpty)
        _ = try file.migrate(to: files)
        #expect(try file.migrate(to: Model([entity("Picture", [attribute("name")])])) == .migrated)
        #expect(try data.storedFileNames().isEmpty, "the attribute went, and its files with it")
    }

    @Test("new files are removed if the migration fails")
    func failedFiles() throws {
        struct Stop: Error {}
        let file = try MigrationFile()
        let large = Data(repeating: 7, count: ExternalData.threshold + 1)
        do { try file.insert("Picture", [["data": .bytes(large)]], try file.open(try picture(external: false))) }
        let data = ExternalData(storeURL: file.url)
        #expect(throws: Stop.self) {
            _ = try file.migrate(to: try picture(external: true)) { migration in
                migration.report = { _, _ in if try !data.storedFileNames().isEmpty { throw Stop() } }
            }
        }
        #expect(try data.storedFileNames().isEmpty)
    }

    @Test("history keeps its changes under the new entities and properties, with preserved values of deleted rows")
    func history() throws {
        let file = try MigrationFile()
        let old = try Model([
            entity("Cat", [attribute("name", kept: true), attribute("weight", .double)]),
            entity("Dog", [attribute("name")]),
        ])
        do {
            let store = try file.open(old)
            let cats = try file.insert("Cat", [["name": .text("Mia")], ["name": .text("Leo")]], store)
            try file.insert("Dog", [["name": .text("Rex")]], store)
            let snapshot = try #require(try store.snapshots(of: [cats[0]]).first)
            var changes = ChangeSet()
            changes.updates = [
                ChangeSet.Update(
                    id: cats[0], entityIndex: 0, expectedVersion: snapshot.version,
                    values: [snapshot.values[0], .real(4)], changedSlots: [1], changedToMany: [])
            ]
            _ = try store.save(changes)
            var request = DeleteRequest(.rows(RowSet([cats[1]])))
            request.author = "test"
            _ = try store.delete(request)
        }
        var (name, mass) = (attribute("title", kept: true), attribute("mass", .double))
        (name.renamingIdentifier, mass.renamingIdentifier) = ("name", "weight")
        let new = try Model([
            entity("Ant", []), entity("Cat", [attribute("alias", kept: true), mass, name, attribute("more")]),
        ])
        let before = try file.query("SELECT count(*) FROM ATRANSACTION")
        #expect(try file.migrate(to: new) == .migrated)
        #expect(try file.query("SELECT count(*) FROM ATRANSACTION") == before)
        let store = try file.open(new)
        let reader = try #require(store.history)
        let transactions = try store.pool.withReader { try reader.transactions(after: 0, limit: 100, $0) }
        let changes = transactions.flatMap(\.changes)
        #expect(changes.allSatisfy { $0.id.entityName == "Cat" }, "changes of dogs went with the dogs")
        #expect(changes.count == 4)
        let cat = try #require(new.entity(named: "Cat"))
        let updates = changes.compactMap { change -> ChangedProperties? in
            if case .update(let changed) = change.kind { changed } else { nil }
        }
        let massSlot = try #require(cat.attribute(named: "mass")?.slots.lowerBound)
        #expect(updates.map(\.slots) == [[massSlot]])
        let tombstones = changes.compactMap { change -> Tombstone? in
            if case .delete(let tombstone) = change.kind { tombstone } else { nil }
        }
        #expect(tombstones == [Tombstone(["title": .text("Leo")])])
    }

    @Test("the store's UUID, custom metadata, and key counters stay")
    func metadata() throws {
        let file = try MigrationFile()
        let old = try Model([entity("Cat", [attribute("name")])])
        let identifier: String
        do {
            let store = try file.open(old)
            identifier = store.identifier
            let cats = try file.insert("Cat", [[:], [:], [:]], store)
            _ = try store.delete(DeleteRequest(.rows(RowSet([cats[2]]))))
        }
        try StoreFiles.setMetadata(at: file.url) { $0["com.example.key"] = .string("kept") }
        let new = try Model([entity("Ant", []), entity("Cat", [attribute("name"), attribute("age")])])
        #expect(try file.migrate(to: new) == .migrated)
        let store = try file.open(new)
        #expect(store.identifier == identifier)
        #expect(try StoreFiles.metadata(at: file.url).propertyList["com.example.key"] == .string("kept"))
        #expect(try file.insert("Cat", [[:]], store).map(\.key) == [4], "a key is never used again")
    }

    @Test("without room on the disk nothing is written")
    func disk() throws {
        let file = try MigrationFile()
        let old = try Model([entity("Cat", [attribute("name")])])
        let before = try Contents(try file.open(old))
        let error = try #require(throws: StoreMigrationError.self) {
            _ = try file.migrate(to: try Model([entity("Cat", [attribute("age")])])) { $0.freeBytes = { _ in 1000 } }
        }
        guard case .notEnoughDisk(let needed, 1000) = error else { throw error }
        #expect(needed > 4096)
        #expect(try Contents(try file.open(old)) == before)
    }

    @Test("rows that prevent a migration are found before anything is written")
    func checks() throws {
        func pair(_ change: (inout [EntityDescription]) -> Void = { _ in }) throws -> Model {
            var descriptions = [entity("Box", []), entity("Cat", [attribute("name")])]
            descriptions[1].relationships = [Relationship("box", to: "Box", .toOne)]
            change(&descriptions)
            return try Model(descriptions)
        }
        let file = try MigrationFile()
        let old = try pair()
        do {
            let store = try file.open(old)
            let boxes = try file.insert("Box", [[:]], store)
            try file.insert("Cat", [["box": .reference(boxes[0])], ["box": .reference(boxes[0])], [:]], store)
        }
        let before = try Contents(try file.open(old))
        func error(_ model: Model) throws -> StoreMigrationError? {
            #expect(throws: StoreMigrationError.self) { _ = try file.migrate(to: model) }
        }
        let mandatory = try pair { $0[1].relationships[0].isOptional = false }
        #expect(try error(mandatory) == .missingDestinations(entity: "Cat", relationship: "box"))
        let abstract = try pair { $0[0].isAbstract = true }
        #expect(try error(abstract) == .rowsOfAbstractEntity("Box"))
        let oneToOne = try pair {
            $0[1].relationships[0].inverseName = "cat"
            $0[0].relationships = [Relationship("cat", to: "Cat", .toOne, inverse: "box")]
        }
        #expect(try error(oneToOne) == .severalOwners(entity: "Box", relationship: "cat"))
        #expect(try Contents(try file.open(old)) == before)
    }

    @Test("unaffected tables are not rewritten")
    func keptTables() throws {
        let file = try MigrationFile()
        let old = try Model([entity("Cat", [attribute("name")]), entity("Dog", [attribute("name")])])
        do { try file.insert("Cat", [["name": .text("Mia")]], try file.open(old)) }
        let page = "SELECT rootpage FROM sqlite_master WHERE name = 'ZCAT'"
        let before = try file.query(page)
        let new = try Model([entity("Cat", [attribute("name")]), entity("Dog", [attribute("name"), attribute("age")])])
        #expect(try file.migrate(to: new) == .migrated)
        #expect(try file.query(page) == before)
    }

    @Test("a file that carries no model is migrated if its model is provided, and refused if not")
    func sourceModel() throws {
        let file = try MigrationFile()
        let old = try Model([entity("Cat", [attribute("name")])])
        do {
            let store = try file.open(old)
            try store.pool.withWriter { try $0.execute("DELETE FROM Z_MODELCACHE") }
        }
        let new = try Model([entity("Cat", [attribute("name"), attribute("age")])])
        #expect(throws: StoreMigrationError.unknownSource) { _ = try file.migrate(to: new) }
        #expect(try file.migrate(to: new) { $0.candidates = [new, old] } == .migrated)
        #expect(
            try ModelCache.model(try Connection(.file(file.url), access: .readOnly))?.versionHashes == new.versionHashes
        )
    }

    @Test("a new member of a struct gets its default value, in rows with a struct")
    func structs() throws {
        func place(_ parts: [String], default values: [Value]? = nil) throws -> Model {
            var place = attribute("place", .composite)
            place.elements = parts.map { attribute($0) }
            place.defaultValue = values
            return try Model([entity("Cat", [place])])
        }
        let file = try MigrationFile()
        do {
            let store = try file.open(try place(["city"]))
            try file.insert("Cat", [["place.city": .text("Rome")], [:]], store)
        }
        let new = try place(["country", "city"], default: [.text("Italy"), .null])
        #expect(try file.migrate(to: new) == .migrated)
        let rows = try LogicalRows(try file.open(new)).rows["Cat"]
        #expect(rows?[1] == ["place.country": "'Italy'", "place.city": "'Rome'"])
        #expect(rows?[2] == ["place.country": "-", "place.city": "-"])
    }

    @Test("an entity leaves its hierarchy with its rows and their keys")
    func leaving() throws {
        let file = try MigrationFile()
        var sub = entity("Kitten", [attribute("toy")])
        sub.superentityName = "Cat"
        let old = try Model([entity("Cat", [attribute("name")]), sub])
        do {
            let store = try file.open(old)
            try file.insert("Cat", [["name": .text("Mia")]], store)
            try file.insert("Kitten", [["name": .text("Leo"), "toy": .text("ball")]], store)
        }
        let new = try Model([
            entity("Cat", [attribute("name")]), entity("Kitten", [attribute("name"), attribute("toy")]),
        ])
        #expect(try file.migrate(to: new) == .migrated)
        let rows = try LogicalRows(try file.open(new)).rows
        #expect(rows == ["Cat": [1: ["name": "'Mia'"]], "Kitten": [2: ["name": "'Leo'", "toy": "'ball'"]]])
    }

    @Test("a working copy replaces the store unless another program wrote to the store meanwhile")
    func workingCopy() throws {
        let file = try MigrationFile()
        let model = try picture(external: true)
        let large = Data(repeating: 9, count: ExternalData.threshold + 1)
        do { try file.insert("Picture", [["data": .bytes(large)]], try file.open(model)) }
        do {
            let copy = try WorkingCopy(of: file.url)
            let store = try SQLiteStore(model: model, location: .file(copy.url))
            let rows = try store.fetch(Query(entityIndex: 0))
            #expect(rows.map { $0.values[1] } == [.bytes(large)])
            try file.insert("Picture", [["name": .text("new")]], store)
            _ = try store.delete(DeleteRequest(.rows(RowSet(rows.map(\.id)))))
            try copy.replaceOriginal()
        }
        #expect(try LogicalRows(try file.open(model)).rows["Picture"]?.keys.sorted() == [2])
        #expect(try ExternalData(storeURL: file.url).storedFileNames().isEmpty)
        let copy = try WorkingCopy(of: file.url)
        try file.insert("Picture", [[:]], try file.open(model))
        #expect(throws: StoreMigrationError.changedMeanwhile) { try copy.replaceOriginal() }
        #expect(try LogicalRows(try file.open(model)).rows["Picture"]?.keys.sorted() == [2, 3])
    }

    @Test(
        "a working copy of a file without a write-ahead log replaces the file unless the file was written to",
        arguments: ["DELETE", "TRUNCATE", "PERSIST"])
    func workingCopyWithoutLog(_ journal: String) throws {
        let file = try MigrationFile()
        let model = try picture(external: false)
        do { try file.insert("Picture", [["name": .text("old")]], try file.open(model)) }
        let writer = try Connection(.file(file.url), access: .readWrite)
        try writer.execute("PRAGMA journal_mode = \(journal)")
        do {
            let copy = try WorkingCopy(of: file.url)
            try file.insert(
                "Picture", [["name": .text("new")]], try SQLiteStore(model: model, location: .file(copy.url)))
            try copy.replaceOriginal()
        }
        #expect(try LogicalRows(try file.open(model)).rows["Picture"]?.keys.sorted() == [1, 2])
        try writer.execute("PRAGMA journal_mode = \(journal)")
        let copy = try WorkingCopy(of: file.url)
        try writer.execute("UPDATE ZPICTURE SET ZNAME = 'newest'")
        #expect(throws: StoreMigrationError.changedMeanwhile) { try copy.replaceOriginal() }
        #expect(
            try LogicalRows(try file.open(model)).rows["Picture"]?.values.allSatisfy { $0["name"] == "'newest'" }
                == true)
    }

    @Test("the working copy of a killed process is removed when the next one is made; that of a running one stays")
    func abandonedWorkingCopies() throws {
        let file = try MigrationFile()
        _ = try file.open(try picture(external: true))
        let (files, parent) = (FileManager.default, file.url.deletingLastPathComponent())
        let prefix = ".\(file.url.deletingPathExtension().lastPathComponent)_MIGRATION-"
        func copies() throws -> Set<String> {
            Set(try files.contentsOfDirectory(atPath: parent.path).filter { $0.hasPrefix(prefix) })
        }
        let living = try WorkingCopy(of: file.url)
        var expected = try copies()
        #expect(expected.count == 1)
        let left = parent.appendingPathComponent(prefix + UUID().uuidString)
        try files.createDirectory(at: left, withIntermediateDirectories: false)
        for name in [".claim", "store"] { try Data().write(to: left.appendingPathComponent(name)) }
        for name in try copies() {
            let path = parent.appendingPathComponent(name).path
            try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
        }
        let next = try WorkingCopy(of: file.url)
        #expect(try copies().isSuperset(of: expected))
        #expect(!files.fileExists(atPath: left.path))
        expected = try copies()
        #expect(expected.count == 2)
        withExtendedLifetime((living, next)) {}
    }
}
