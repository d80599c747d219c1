import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// Imports read their rows piece by piece, however many there are, and store all of them with all links, in whatever row or end
/// they are listed, or none.
@Suite("Rows imported piece by piece")
struct StagedImportTests {
    private static func model() throws -> Model {
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("title", .string)]
        var books = Relationship("books", to: "Book", .toMany, inverse: "shelf")
        books.isOrdered = true
        shelf.relationships = [books]
        shelf.uniquenessConstraints = [["title"]]
        var book = EntityDescription("Book")
        book.attributes = [Attribute("title", .string), Attribute("price", .decimal, optional: true)]
        book.relationships = [
            Relationship("shelf", to: "Shelf", .toOne, inverse: "books"),
            Relationship("tags", to: "Tag", .toMany, inverse: "books"),
            Relationship("sequel", to: "Book", .toOne, inverse: "prequel"),
            Relationship("prequel", to: "Book", .toOne, inverse: "sequel"),
        ]
        let novel = EntityDescription("Novel", superentity: "Book")
        var tag = EntityDescription("Tag")
        tag.attributes = [Attribute("title", .string)]
        tag.uniquenessConstraints = [["title"]]
        var tagged = Relationship("books", to: "Book", .toMany, inverse: "tags")
        tagged.isOrdered = true
        tag.relationships = [tagged]
        return try Model([shelf, book, novel, tag])
    }

    private func rows(_ lines: [String], _ model: Model, in folder: URL) throws -> RowImport {
        let url = folder.appendingPathComponent("in.ndjson")
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
        return try RowImport(model, ImportSource(url))
    }

    private func store(_ model: Model, in folder: URL) throws -> SQLiteStore {
        try SQLiteStore(model: model, location: .file(folder.appendingPathComponent("a.store")))
    }

    private func lines(of store: SQLiteStore) throws -> [InspectedValue] {
        var text = ""
        let export = try StoreExport(store.model, entities: [], predicate: nil, identifier: "")
        try store.reading { reading in
            try export.writeJSON(reading, lines: true, progress: { _ in }, to: { text += $0 })
        }
        return try text.split(separator: "\n").map { try JSONReading.value(Data($0.utf8)) }
    }

    @Test("Links listed at one end are set at both, in the orders of both", arguments: [false, true])
    func bothWays(ordered: Bool) throws {
        var node = EntityDescription("Node")
        var relationships = [
            Relationship("friends", to: "Node", .toMany, inverse: "friends"),
            Relationship("follows", to: "Node", .toMany, inverse: "followers"),
            Relationship("followers", to: "Node", .toMany, inverse: "follows"),
        ]
        for place in relationships.indices { relationships[place].isOrdered = ordered }
        node.relationships = relationships
        let model = try Model([node])
        try withTemporaryFolder { folder in
            let lines = [
                #"{"$entity":"Node","$id":"a","friends":["b","a"],"follows":["c","b"]}"#,
                #"{"$entity":"Node","$id":"b"}"#, #"{"$entity":"Node","$id":"c","friends":["b"]}"#,
            ]
            let store = try store(model, in: folder)
            _ = try rows(lines, model, in: folder).save(to: store, author: "tests") { _ in }
            #expect(try store.check() == [])
            let ids = try (1...3).map { store.objectID(entity: try #require(model.entity(named: "Node")), key: $0) }
            let members = try (0..<3).map { index in
                try store.members(of: index, entityIndex: 0, owners: ids).mapValues { $0.map(\.key) }
            }
            func keys(_ relationship: Int, _ row: Int) -> Set<Int64> { Set(members[relationship][ids[row]] ?? []) }
            #expect(keys(0, 0) == [1, 2] && keys(0, 1) == [1, 3] && keys(0, 2) == [2])
            #expect(keys(1, 0) == [2, 3] && keys(2, 1) == [1] && keys(2, 2) == [1])
            if ordered { #expect(members[1][ids[0]] == [3, 2]) }
        }
    }

    // MARK: A random library

    /// All rows, by titles; each link is listed at one end or at both.
    private struct Library {
        var titles: [String: [String]] = [:]
        /// By book.
        var shelf: [String: String] = [:]
        var tags: [String: Set<String>] = [:]
        var sequel: [String: String] = [:]
        /// By shelf, and by tag.
        var order: [String: [String]] = [:]

        init(bookCount: Int, _ generator: inout some RandomNumberGenerator) {
            titles["Shelf"] = (0..<7).map { "shelf \($0)" }
            titles["Tag"] = (0..<9).map { "tag \($0)" }
            for number in 0..<bookCount {
                let title = "book \(number)"
                titles[Bool.random(using: &generator) ? "Book" : "Novel", default: []].append(title)
                if let shelf = titles["Shelf"]?.randomElement(using: &generator) {
                    self.shelf[title] = shelf
                    order[shelf, default: []].append(title)
                }
                let some = (0..<3).compactMap { _ in titles["Tag"]?.randomElement(using: &generator) }
                for tag in Set(some).sorted() {
                    tags[title, default: []].insert(tag)
                    order[tag, default: []].append(title)
                }
                if number > 0, number % 3 == 0 { sequel["book \(number - 1)"] = title }
            }
            for key in order.keys.sorted() { order[key]?.shuffle(using: &generator) }
        }

        /// In any order of rows.
        func lines(_ generator: inout some RandomNumberGenerator) -> [String] {
            var found: [String] = []
            for (entity, titles) in titles.sorted(by: { $0.key < $1.key }) {
                for title in titles {
                    var fields = ["\"$entity\":\"\(entity)\"", "\"$id\":\"\(title)\"", "\"title\":\"\(title)\""]
                    if entity == "Shelf" || entity == "Tag" {
                        fields.append("\"books\":[\((order[title] ?? []).map { "\"\($0)\"" }.joined(separator: ","))]")
                    }
                    if let shelf = shelf[title], Bool.random(using: &generator) {
                        fields.append("\"shelf\":\"\(shelf)\"")
                    }
                    if let tags = tags[title], Bool.random(using: &generator) {
                        fields.append("\"tags\":[\(tags.sorted().map { "\"\($0)\"" }.joined(separator: ","))]")
                    }
                    if let sequel = sequel[title] { fields.append("\"sequel\":\"\(sequel)\"") }
                    found.append("{\(fields.joined(separator: ","))}")
                }
            }
            return found.shuffled(using: &generator)
        }

        /// From an export.
        init(_ lines: [InspectedValue]) {
            let title = Dictionary(
                lines.compactMap { line in line["$id"]?.textValue.map { ($0, line["title"]?.textValue ?? "") } },
                uniquingKeysWith: { first, _ in first })
            func name(_ value: InspectedValue?) -> String? { value?.textValue.flatMap { title[$0] } }
            for line in lines {
                guard let own = line["title"]?.textValue, let entity = line["$entity"]?.textValue else { continue }
                titles[entity, default: []].append(own)
                shelf[own] = name(line["shelf"])
                sequel[own] = name(line["sequel"])
                if let members = line["tags"]?.listValue, !members.isEmpty {
                    tags[own] = Set(members.compactMap { name($0) })
                }
                if let members = line["books"]?.listValue, !members.isEmpty {
                    order[own] = members.compactMap { name($0) }
                }
            }
        }

        func expectEqual(_ other: Library, _ comment: Comment) {
            #expect(titles.mapValues { $0.sorted() } == other.titles.mapValues { $0.sorted() }, comment)
            #expect(shelf == other.shelf, comment)
            #expect(tags == other.tags, comment)
            #expect(sequel == other.sequel, comment)
            #expect(order == other.order, comment)
        }
    }

    @Test("Every link is stored, in any order of rows", arguments: [(0, 40), (1, 41), (2, 12_001)])
    func everyLink(seed: UInt64, bookCount: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let library = Library(bookCount: bookCount, &generator)
        let lines = library.lines(&generator)
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            let rows = try rows(lines, model, in: folder)
            var reported: [Int] = []
            #expect(try rows.save(to: store, author: "test") { reported.append($0) } == 0)
            #expect(reported.last == lines.count && reported == reported.sorted())
            library.expectEqual(Library(try self.lines(of: store)), "seed \(seed)")
            #expect(try store.check() == [], "seed \(seed)")
            let history = try store.history(HistoryQuery())
            #expect(history.map(\.changes.count) == [lines.count], "seed \(seed)")
        }
    }

    @Test("An import as a whole in memory gives the same result")
    func whole() throws {
        var generator = SeededGenerator(seed: 7)
        let library = Library(bookCount: 60, &generator)
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            _ = try store.save(try rows(library.lines(&generator), model, in: folder).changes(author: nil))
            library.expectEqual(Library(try lines(of: store)), "seed 7")
        }
    }

    @Test("Members missing in an ordered relationship's own list come last, in the order of their rows")
    func orderOfOthers() throws {
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            var given = ["a", "b", "c"].map {
                "{\"$entity\":\"Book\",\"$id\":\"\($0)\",\"title\":\"\($0)\",\"shelf\":\"s\",\"tags\":[\"t\"]}"
            }
            given.append("{\"$entity\":\"Shelf\",\"$id\":\"s\",\"title\":\"s\",\"books\":[\"c\"]}")
            given.append("{\"$entity\":\"Tag\",\"$id\":\"t\",\"title\":\"t\"}")
            _ = try rows(given, model, in: folder).save(to: store, author: "test") { _ in }
            #expect(Library(try lines(of: store)).order == ["s": ["c", "a", "b"], "t": ["a", "b", "c"]])
            #expect(try store.check() == [])
        }
    }

    @Test("A row with an existing unique value updates the existing row, which gets its links")
    func unique() throws {
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            let first = try rows(["{\"$entity\":\"Tag\",\"title\":\"old\"}"], model, in: folder)
            _ = try first.save(to: store, author: "test") { _ in }
            let more = [
                "{\"$entity\":\"Book\",\"$id\":\"b\",\"title\":\"book\",\"tags\":[\"t\",\"u\"]}",
                "{\"$entity\":\"Tag\",\"$id\":\"t\",\"title\":\"old\"}",
                "{\"$entity\":\"Tag\",\"$id\":\"u\",\"title\":\"new\"}",
            ]
            #expect(try rows(more, model, in: folder).save(to: store, author: "test") { _ in } == 1)
            let found = Library(try lines(of: store))
            #expect(found.titles["Tag"]?.sorted() == ["new", "old"])
            #expect(found.tags == ["book": ["old", "new"]])
            #expect(try store.check() == [])
        }
    }

    // MARK: Several constraints

    private static func cards() throws -> Model {
        var card = EntityDescription("Card")
        card.attributes = [Attribute("front", .string), Attribute("back", .string), Attribute("number", .integer64)]
        card.uniquenessConstraints = [["front"], ["back"]]
        card.relationships = [
            Relationship("next", to: "Card", .toOne, inverse: "former"),
            Relationship("former", to: "Card", .toOne, inverse: "next"),
        ]
        return try Model([card])
    }

    /// Each card with the fronts of the cards that it refers to and that refer to it.
    private func cards(of store: SQLiteStore) throws -> [[String]] {
        let lines = try lines(of: store)
        let fronts = Dictionary(
            uniqueKeysWithValues: lines.compactMap { line in
                line["$id"]?.textValue.map { ($0, line["front"]?.textValue ?? "") }
            })
        return lines.map { line in
            ["front", "back", "number"].map { line[$0]?.cellText ?? "" }
                + ["next", "former"].map { line[$0]?.textValue.flatMap { fronts[$0] } ?? "" }
        }.sorted { $0[2] < $1[2] }
    }

    /// Rows of few values, so that many equal others: by one constraint, by both, or different ones by each.
    @Test(
        "Equal rows of one import have the same result as if imported one after the other, or are refused",
        arguments: Seeds.rounds(2))
    func oneAfterTheOther(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let model = try Self.cards()
        var compared = 0
        for _ in 0..<60 {
            let lines = (0..<Int.random(in: 2...7, using: &generator)).map { number in
                let (front, back) = (Int.random(in: 0..<6, using: &generator), Int.random(in: 0..<6, using: &generator))
                return "{\"$entity\":\"Card\",\"front\":\"f\(front)\",\"back\":\"b\(back)\",\"number\":\(number)}"
            }
            let earlier = Int.random(in: 0..<lines.count, using: &generator)
            try withTemporaryFolder { folder in
                let stores = try (0..<3).map {
                    try SQLiteStore(model: model, location: .file(folder.appendingPathComponent("\($0).store")))
                }
                do {
                    for line in lines {
                        _ = try rows([line], model, in: folder).save(to: stores[0], author: "test") { _ in }
                    }
                } catch is UniqueViolation {
                    // Equal to two others, of which it can replace neither.
                    return
                }
                for store in stores.dropFirst() {
                    for line in lines.prefix(earlier) {
                        _ = try rows([line], model, in: folder).save(to: store, author: "test") { _ in }
                    }
                }
                let rest = try rows(Array(lines.dropFirst(earlier)), model, in: folder)
                _ = try rest.save(to: stores[1], author: "test") { _ in }
                _ = try stores[2].save(rest.changes(author: nil))
                for store in stores.dropFirst() {
                    #expect(try cards(of: store) == cards(of: stores[0]), "seed \(seed): \(lines), \(earlier)")
                    #expect(try store.check() == [], "seed \(seed): \(lines)")
                }
                compared += 1
            }
        }
        #expect(compared > 20)
    }

    @Test("New members of an existing row come after its present ones, each with an order key of its own")
    func orderOfMembers() throws {
        func given(_ names: [String], twice: Bool) -> [String] {
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            let owners = (twice ? ["a", "b"] : ["a"]).flatMap { owner in
                ["Shelf", "Tag"].map { entity in
                    let members = owner == "a" || entity == "Tag" ? list : ""
                    return
                        "{\"$entity\":\"\(entity)\",\"$id\":\"\(entity)\(owner)\",\"title\":\"one\",\"books\":[\(members)]}"
                }
            }
            return owners + names.map { "{\"$entity\":\"Book\",\"$id\":\"\($0)\",\"title\":\"\($0)\"}" }
        }
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            for names in [["b", "a"], ["d", "c"], ["f", "e"]] {
                _ = try rows(given(names, twice: names == ["f", "e"]), model, in: folder).save(
                    to: store, author: "test"
                ) { _ in }
            }
            #expect(try store.check() == [])
            let found = try self.lines(of: store)
            let titles = Dictionary(
                uniqueKeysWithValues: found.compactMap { line in
                    line["$id"]?.textValue.map { ($0, line["title"]?.textValue ?? "") }
                })
            for entity in ["Shelf", "Tag"] {
                let owner = found.filter { $0["$entity"]?.textValue == entity }
                #expect(owner.count == 1)
                let members = owner.first?["books"]?.listValue?.compactMap { $0.textValue.flatMap { titles[$0] } }
                #expect(members == ["b", "a", "d", "c", "f", "e"], "\(entity)")
            }
        }
    }

    @Test("A stopped import leaves no rows, and uses no keys")
    func stopped() throws {
        var generator = SeededGenerator(seed: 3)
        let lines = Library(bookCount: 11_000, &generator).lines(&generator)
        try withTemporaryFolder { folder in
            let model = try Self.model()
            let store = try store(model, in: folder)
            let rows = try rows(lines, model, in: folder)
            #expect(throws: CancellationError.self) {
                _ = try rows.save(to: store, author: "test") { if $0 > 6000 { throw CancellationError() } }
            }
            #expect(try self.lines(of: store).isEmpty)
            #expect(try store.history(HistoryQuery()).isEmpty)
            _ = try rows.save(to: store, author: "test") { _ in }
            #expect(try self.lines(of: store).count == lines.count)
            #expect(try store.check() == [])
        }
    }

    @Test(
        "Links that contradict each other are refused",
        arguments: [
            ("{\"$entity\":\"Shelf\",\"$id\":\"t\",\"title\":\"t\",\"books\":[\"b\"]}", "references two objects"),
            (
                "{\"$entity\":\"Shelf\",\"title\":\"t\",\"books\":[\"d\"]}{\"$entity\":\"Shelf\",\"title\":\"u\",\"books\":[\"d\"]}",
                "another object has"
            ),
            (
                "{\"$entity\":\"Book\",\"$id\":\"c\",\"title\":\"c\",\"sequel\":\"b\",\"prequel\":[\"b\",\"b\"]}",
                "one destination only"
            ),
            ("{\"$entity\":\"Book\",\"$id\":\"c\",\"title\":\"c\",\"prequel\":\"b\"}", "references another one"),
            ("{\"$entity\":\"Book\",\"title\":\"c\",\"shelf\":\"b\"}", "is no 'Shelf'"),
            ("{\"$entity\":\"Book\",\"title\":\"c\",\"shelf\":\"nowhere\"}", "references nowhere"),
            ("{\"$entity\":\"Tag\",\"$id\":\"b\",\"title\":\"c\"}", "Two objects are called b"),
        ])
    func contradictions(line: String, words: String) throws {
        let given = [
            "{\"$entity\":\"Book\",\"$id\":\"b\",\"title\":\"b\",\"shelf\":\"s\",\"sequel\":\"d\"}",
            "{\"$entity\":\"Book\",\"$id\":\"d\",\"title\":\"d\"}",
            "{\"$entity\":\"Shelf\",\"$id\":\"s\",\"title\":\"s\"}",
        ]
        try withTemporaryFolder { folder in
            #expect {
                _ = try rows(given + [line], Self.model(), in: folder)
            } throws: {
                "\($0)".contains(words)
            }
        }
    }

    @Test("Values survive being stored temporarily")
    func values() {
        let values: [Value] = [
            .null, .integer(.min), .real(-0.0), .real(.infinity), .text(""), .text("Ünï\u{0}code"), .bytes(Data()),
            .bytes(Data([0, 255])), .uuid(UUID()), .decimal(Decimal(string: "-12.500") ?? 0), .integer(7),
        ]
        var written = ValueBytes()
        for value in values { written.append(value) }
        written.bytes.withUnsafeBytes { bytes in
            var reader = ValueBytesReader(bytes)
            for value in values { #expect(reader.next() == value) }
            #expect(reader.next() == nil)
            var cut = ValueBytesReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(3)))
            #expect((0...values.count).map { _ in cut.next() }.last == .some(nil))
        }
    }
}
