import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Saving")
struct SaveTests {
    private static let everything: [String: Value] = [
        "small": .integer(-7), "medium": .integer(70_000), "large": .integer(Int64.max),
        "price": .decimal(Decimal(string: "12.34") ?? 0), "ratio": .real(0.1), "share": .real(2),
        "title": .text("Zoë 🦊"), "flag": .integer(1), "moment": .real(700_000_000), "blob": .bytes(Data([1, 2])),
        "token": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "link": .text("https://example.org/a?b"), "list": .bytes(Data("bplist00".utf8)),
        "picture": .bytes(Data([9])), "place.city": .text("Oslo"), "place.height": .real(23),
    ]

    @Test("every attribute type is read as it was saved", arguments: [ZooStore.Place.memory, .file])
    func everyType(place: ZooStore.Place) throws {
        let zoo = try ZooStore(place)
        let full = try zoo.insert("Everything", Self.everything)
        let empty = try zoo.insert("Everything", [:])
        let expected = try zoo.values("Everything", Self.everything)
        #expect(full.values == expected)
        #expect(full.version == 1)
        #expect(empty.values.allSatisfy { $0.isNull })
        #expect(try zoo.fetch("Everything").map(\.values) == [full.values, empty.values])
        let cells = try zoo.rows(
            "SELECT typeof(ZMOMENT), typeof(ZTOKEN), hex(ZPICTURE), typeof(ZSHARE) FROM ZEVERYTHING")
        #expect(cells[0] == [.text("integer"), .text("blob"), .text("0109"), .text("real")])
    }

    @Test("a transient attribute is not stored, and a value of the wrong type is refused with nothing written")
    func refusals() throws {
        let zoo = try ZooStore()
        #expect(try zoo.value(try zoo.insert("Everything", ["scratch": .text("x")]), "scratch") == .null)
        #expect(throws: CellError.self) {
            try zoo.save {
                $0.insertions = [
                    try zoo.insertion("Everything", ["large": .integer(1)]),
                    try zoo.insertion("Everything", ["large": .text("one")]),
                ]
            }
        }
        #expect(try zoo.fetch("Everything").count == 1)
        #expect(throws: ChangeSetError.self) {
            try zoo.save {
                $0.insertions = [
                    ChangeSet.Insertion(id: .temporary(entityName: "Animal"), entityIndex: 99, values: [])
                ]
            }
        }
        #expect(throws: ChangeSetError.self) {
            try zoo.save {
                $0.insertions = [
                    try zoo.insertion("Animal", ["category": .reference(.temporary(entityName: "Category"))])
                ]
            }
        }
        #expect(try zoo.fetch("Animal").isEmpty)
    }

    @Test("temporary references among insertions are resolved, also in cycles")
    func circularReferences() throws {
        let zoo = try ZooStore()
        var first = try zoo.insertion("Keeper", ["name": .text("a"), "badge": .integer(7)])
        var second = try zoo.insertion("Doctor", ["name": .text("b"), "boss": .reference(first.id)])
        let passport = try zoo.insertion("Passport", ["code": .text("p"), "owner": .reference(second.id)])
        first.values = try zoo.values(
            "Keeper", ["name": .text("a"), "badge": .integer(7), "boss": .reference(second.id)])
        second.values = try zoo.values(
            "Doctor", ["name": .text("b"), "boss": .reference(first.id), "passport": .reference(passport.id)])
        let saved = try zoo.save { $0.insertions = [first, second, passport] }
        let ids = saved.inserted.map(\.id)
        #expect(ids.map(\.entityName) == ["Keeper", "Doctor", "Passport"])
        #expect(try zoo.value(try zoo.snapshot(ids[0]), "boss") == .reference(ids[1]))
        #expect(try zoo.value(try zoo.snapshot(ids[1]), "boss") == .reference(ids[0]))
        #expect(try zoo.value(try zoo.snapshot(ids[1]), "passport") == .reference(ids[2]))
        #expect(try zoo.value(try zoo.snapshot(ids[2]), "owner") == .reference(ids[1]))
    }

    @Test("a hierarchy is fetched in one statement, each row with its own entity's values")
    func inheritance() throws {
        let zoo = try ZooStore()
        let person = try zoo.insert("Person", ["name": .text("p")])
        let keeper = try zoo.insert("Keeper", ["name": .text("k"), "badge": .integer(3)])
        let doctor = try zoo.insert("Doctor", ["name": .text("d"), "title": .text("Dr")])
        zoo.log.clear()
        #expect(try zoo.fetch("Person") == [person, keeper, doctor])
        #expect(zoo.log.statements.count == 1)
        #expect(try zoo.fetch("Keeper") == [keeper])
        var query = Query(entityIndex: try zoo.entity("Person").index)
        query.includesSubentities = false
        #expect(try zoo.store.fetch(query) == [person])
        #expect(try zoo.store.count(query) == 1)
        #expect(keeper.id.key == person.id.key + 1, "one counter for the hierarchy")
        #expect(
            try zoo.store.fetchIDs(Query(entityIndex: try zoo.entity("Person").index)) == [
                person.id, keeper.id, doctor.id,
            ])
    }

    @Test("an update writes its changed slots and increments the row version")
    func update() throws {
        let zoo = try ZooStore()
        let animal = try zoo.insert("Animal", ["name": .text("Ida"), "age": .integer(3)])
        let saved = try zoo.save { $0.updates = [try zoo.update(animal, ["age": .integer(4)])] }
        #expect(saved.updatedVersions == [2])
        let now = try zoo.snapshot(animal.id)
        #expect(now.version == 2)
        #expect(try zoo.value(now, "age") == .integer(4))
        #expect(try zoo.value(now, "name") == .text("Ida"))
        try zoo.save { $0.updates = [try zoo.update(now, [:], toMany: ["tags"])] }
        #expect(try zoo.snapshot(animal.id).version == 3)
    }

    @Test("a changed or deleted row is a conflict, and nothing is written")
    func conflicts() throws {
        let zoo = try ZooStore()
        let first = try zoo.insert("Animal", ["name": .text("a")])
        let second = try zoo.insert("Animal", ["name": .text("b")])
        let third = try zoo.insert("Animal", ["name": .text("c")])
        try zoo.save { $0.updates = [try zoo.update(first, ["name": .text("a2")])] }
        try zoo.save { $0.deletions = [try zoo.deletion(second)] }
        var changes = ChangeSet()
        changes.updates = [
            try zoo.update(third, ["name": .text("c2")]), try zoo.update(first, ["name": .text("a3")]),
        ]
        changes.deletions = [try zoo.deletion(second)]
        changes.insertions = [try zoo.insertion("Tag", ["label": .text("t")])]
        guard case .conflicts(let conflicts) = try zoo.store.save(changes) else {
            Issue.record("the save went through")
            return
        }
        #expect(
            conflicts == [
                Conflict(id: first.id, expectedVersion: 1, stored: try zoo.snapshot(first.id)),
                Conflict(id: second.id, expectedVersion: 1, stored: nil),
            ])
        #expect(try zoo.snapshot(third.id) == third)
        #expect(try zoo.fetch("Tag").isEmpty)
    }

    @Test("keys are never used again, even after all rows are gone")
    func keysNeverReused() throws {
        let zoo = try ZooStore()
        let first = try zoo.insert("Tag", [:])
        let second = try zoo.insert("Tag", [:])
        try zoo.save { $0.deletions = [try zoo.deletion(first), try zoo.deletion(second)] }
        let third = try zoo.insert("Tag", [:])
        #expect([first, second, third].map(\.id.key) == [1, 2, 3])
        #expect(try zoo.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") == [[.integer(3)]])
    }

    @Test("many rows of several entities get their reserved keys, and so do their history changes")
    func manyKeys() throws {
        let zoo = try ZooStore()
        var next: [String: Int64] = ["Animal": 1, "Keeper": 1]
        func insertMany(_ names: [String]) throws {
            let insertions = try names.map { try zoo.insertion($0, ["name": .text("x")]) }
            let saved = try zoo.save { $0.insertions = insertions }
            for (name, row) in zip(names, saved.inserted) {
                #expect(row.id.key == next[name])
                next[name, default: 0] += 1
                #expect(try zoo.snapshot(row.id).id == row.id)
            }
        }
        try insertMany(Array(repeating: "Animal", count: 100))
        // The counters are ahead of the rows afterwards, those of the history too.
        _ = try zoo.rows("DELETE FROM ZANIMAL WHERE Z_PK > 50")
        _ = try zoo.rows("DELETE FROM ACHANGE WHERE Z_PK > 30")
        try insertMany(Array(repeating: "Animal", count: 70) + Array(repeating: "Keeper", count: 80))
        try insertMany((0..<200).map { $0 % 3 == 0 ? "Keeper" : "Animal" })
        let changes = try zoo.rows("SELECT Z_PK FROM ACHANGE ORDER BY Z_PK")
        #expect(changes == (Array(1...30) + Array(101...450)).map { [.integer(Int64($0))] })
        let counts = try zoo.rows(
            "SELECT count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZTRANSACTIONID = 2 GROUP BY ZENTITY")
        #expect(counts.sorted { "\($0)" < "\($1)" } == [[.integer(70)], [.integer(80)]])
    }

    @Test("a counter below the highest existing key is ignored")
    func laggingCounter() throws {
        let zoo = try ZooStore()
        try zoo.insert("Tag", [:])
        try zoo.insert("Tag", [:])
        _ = try zoo.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'")
        #expect(try zoo.insert("Tag", [:]).id.key == 3)
    }

    @Test("many-to-many links are written from either side and deleted with either end")
    func manyToMany() throws {
        let zoo = try ZooStore()
        let animal = try zoo.insertion("Animal", ["name": .text("a")])
        let tags = try (0..<3).map { try zoo.insertion("Tag", ["label": .text("\($0)")]) }
        let saved = try zoo.save {
            $0.insertions = [animal] + tags
            $0.links = [try zoo.link(animal.id, "tags", added: tags.map(\.id))]
        }
        let ids = saved.inserted.map(\.id)
        #expect(try zoo.members(ids[0], "tags") == Array(ids[1...]))
        #expect(try zoo.members(ids[2], "animals") == [ids[0]])
        try zoo.save { $0.links = [try zoo.link(ids[1], "animals", removed: [ids[0]])] }
        #expect(try zoo.members(ids[0], "tags") == [ids[2], ids[3]])
        try zoo.save { $0.deletions = [try zoo.deletion(try zoo.snapshot(ids[2]))] }
        #expect(try zoo.members(ids[0], "tags") == [ids[3]])
        try zoo.save { $0.deletions = [try zoo.deletion(try zoo.snapshot(ids[0]))] }
        #expect(try zoo.members(ids[3], "animals").isEmpty)
        #expect(try zoo.rows("SELECT * FROM Z_2TAGS").isEmpty)
    }

    @Test("members of many owners are read by one statement")
    func membersInOneStatement() throws {
        let zoo = try ZooStore()
        let owners = try (0..<20).map { try zoo.insert("Category", ["name": .text("\($0)")]) }
        for owner in owners.prefix(10) {
            for _ in 0..<3 { try zoo.insert("Animal", ["name": .text("x"), "category": .reference(owner.id)]) }
        }
        zoo.log.clear()
        let index = try zoo.relationship("Category", "animals").index
        let entityIndex = try zoo.entity("Category").index
        let members = try zoo.store.members(of: index, entityIndex: entityIndex, owners: owners.map(\.id))
        #expect(zoo.log.statements.count == 1)
        #expect(members.count == 10)
        #expect(members[owners[9].id]?.map(\.key) == [28, 29, 30])
    }

    @Test("an ordered relationship keeps its order, and a move changes one order key")
    func ordered() throws {
        let zoo = try ZooStore()
        let animal = try zoo.insert("Animal", ["name": .text("a")])
        let visits = try (0..<4).map {
            try zoo.insertion("Visit", ["number": .integer(Int64($0)), "animal": .reference(animal.id)])
        }
        let saved = try zoo.save {
            $0.insertions = visits
            $0.links = [try zoo.link(animal.id, "visits", order: visits.map(\.id))]
        }
        let ids = saved.inserted.map(\.id)
        #expect(try zoo.members(animal.id, "visits") == ids)
        let keys = "SELECT Z_FOK_ANIMAL FROM ZVISIT ORDER BY Z_PK"
        #expect(try zoo.rows(keys) == [[.integer(2048)], [.integer(3072)], [.integer(4096)], [.integer(5120)]])
        let moved = [ids[3], ids[0], ids[1], ids[2]]
        try zoo.save { $0.links = [try zoo.link(animal.id, "visits", order: moved)] }
        #expect(try zoo.members(animal.id, "visits") == moved)
        #expect(try zoo.rows(keys) == [[.integer(2048)], [.integer(3072)], [.integer(4096)], [.integer(1024)]])
    }

    @Test("relationships without inverse keep their keys on the members, in order where they are ordered")
    func inverseLess() throws {
        let zoo = try ZooStore()
        let album = try zoo.insert("Album", ["name": .text("a")])
        let photos = try (0..<3).map { try zoo.insert("Photo", ["path": .text("\($0)")]).id }
        try zoo.save {
            $0.links = [
                try zoo.link(album.id, "photos", added: photos),
                try zoo.link(album.id, "slides", added: photos, order: photos.reversed()),
            ]
        }
        #expect(try zoo.members(album.id, "photos") == photos)
        #expect(try zoo.members(album.id, "slides") == photos.reversed())
        try zoo.save { $0.links = [try zoo.link(album.id, "photos", removed: [photos[1]])] }
        #expect(try zoo.members(album.id, "photos") == [photos[0], photos[2]])
        #expect(try zoo.members(album.id, "slides") == photos.reversed())
    }

    @Test("a refused save names all new rows that break the first broken constraint, and writes nothing")
    func allCollisions() throws {
        let zoo = try ZooStore()
        for name in ["a", "b"] { try zoo.insert("Category", ["name": .text(name)]) }
        let new = try ["c", "a", "d", "c", "b"].map { try zoo.insertion("Category", ["name": .text($0)]) }
        let violation = #expect(throws: UniqueViolation.self) {
            try zoo.save {
                $0.constraints = .refuse
                $0.insertions = new
            }
        }
        #expect(violation?.properties == ["name"])
        #expect(violation?.ids == [new[1].id, new[3].id, new[4].id])
        #expect(try zoo.fetch("Category").count == 2)
    }

    @Test("where duplicates are refused, new rows replace others only with permission for that constraint")
    func replacements() throws {
        let zoo = try ZooStore()
        for name in ["a", "b"] { try zoo.insert("Category", ["name": .text(name)]) }
        let new = try ["a", "b", "c"].map { try zoo.insertion("Category", ["name": .text($0)]) }
        let save = { (replacements: Set<ChangeSet.Replacement>) in
            _ = try zoo.save {
                $0.constraints = .refuse
                $0.replacements = replacements
                $0.insertions = new
            }
        }
        let one = ChangeSet.Replacement(id: new[0].id, properties: ["name"])
        #expect(throws: UniqueViolation(entity: "Category", properties: ["name"], ids: [new[1].id])) {
            try save([one])
        }
        let other = ChangeSet.Replacement(id: new[1].id, properties: ["rank"])
        #expect(throws: UniqueViolation(entity: "Category", properties: ["name"], ids: [new[1].id])) {
            try save([one, other])
        }
        #expect(try zoo.fetch("Category").map(\.version) == [1, 1])
        try save([one, ChangeSet.Replacement(id: new[1].id, properties: ["name"])])
        #expect(try zoo.fetch("Category").count == 3)
    }

    @Test("a table without a counter gets one with the name of its entity")
    func missingCounter() throws {
        let zoo = try ZooStore()
        let rows = { try zoo.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag' OR Z_NAME = ''") }
        try zoo.insert("Tag", [:])
        #expect(try rows() == [[.text("Tag"), .integer(1)]])
        try zoo.store.pool.withWriter { try $0.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") }
        try zoo.insert("Tag", [:])
        #expect(try rows() == [[.text("Tag"), .integer(2)]])
    }

    @Test("a failing save leaves neither rows nor keys nor history nor files")
    func nothingHalfDone() throws {
        let zoo = try ZooStore(.file)
        let first = try zoo.insert("Category", ["name": .text("a")])
        let second = try zoo.insert("Category", ["name": .text("b")])
        let dump = "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY UNION ALL SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE"
        let before = try zoo.rows(dump)
        let error = #expect(throws: UniqueViolation.self) {
            try zoo.save {
                $0.insertions = [try zoo.insertion("Everything", ["picture": .bytes(Data(count: 200_000))])]
                $0.deletions = []
                $0.updates = [try zoo.update(second, ["name": .text("a")])]
            }
        }
        #expect(error == UniqueViolation(entity: "Category", properties: ["name"], ids: [second.id]))
        #expect(throws: CellError.self) {
            try zoo.save {
                $0.deletions = [try zoo.deletion(first)]
                $0.insertions = [
                    try zoo.insertion("Everything", ["picture": .bytes(Data(count: 200_000))]),
                    try zoo.insertion("Everything", ["flag": .text("x")]),
                ]
            }
        }
        #expect(try zoo.rows(dump) == before)
        #expect(try zoo.fetch("Category") == [first, second])
        let folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(files.isEmpty)
    }

    @Test("large values are stored in files, which are removed with their rows")
    func externalFiles() throws {
        let zoo = try ZooStore(.file)
        let folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        let big = Data(repeating: 5, count: 300_000)
        let row = try zoo.insert("Everything", ["picture": .bytes(big)])
        #expect(try zoo.value(row, "picture") == .bytes(big))
        let first = try files()
        #expect(first.count == 1)
        try zoo.save { $0.updates = [try zoo.update(row, ["title": .text("kept")])] }
        #expect(try files() == first)
        let other = Data(repeating: 6, count: 300_000)
        try zoo.save { $0.updates = [try zoo.update(try zoo.snapshot(row.id), ["picture": .bytes(other)])] }
        #expect(try files().count == 1)
        #expect(try files() != first)
        try zoo.save { $0.deletions = [try zoo.deletion(try zoo.snapshot(row.id))] }
        #expect(try files().isEmpty)
    }
}
