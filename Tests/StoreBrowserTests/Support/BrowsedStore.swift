import Foundation
import ObjectGraph
import SQLiteStore
import TestSupport

@testable import StoreBrowser

/// A store in a folder of its own, and the site about it: shelves with books (cascade), readers with borrowed books (deny), labels
/// (many to many), notes that refer to a book without an inverse.
final class BrowsedStore {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    let url: URL
    private(set) var site: Site

    static let token = "0123456789abcdef"
    /// Would end an attribute or an element if it were not escaped; the second with a combining accent behind the quotation mark.
    static let hostile = "<script>alert(1)</script>\"'&</td>"
    static let accented = "x\"\u{301} onmouseover=\"\u{301}alert(1)"

    /// - Parameters:
    ///   - books: the number of books, distributed over three shelves in turn.
    ///   - change: changes the options.
    convenience init(books: Int = 12, _ change: (inout BrowserOptions) -> Void = { _ in }) throws {
        try self.init({ try Self.make(at: $0, books: books) }, change)
    }

    /// - Parameters:
    ///   - make: fills the file.
    ///   - change: changes the options.
    init(_ make: (URL) throws -> Void, _ change: (inout BrowserOptions) -> Void) throws {
        temporary = try TemporaryFolder("browsed")
        url = temporary.appendingPathComponent("a <b>.store")
        try make(url)
        var options = BrowserOptions(file: url)
        change(&options)
        site = try Site(options, token: Self.token)
    }

    /// Ends the program, and starts it again.
    func restart(_ change: (inout BrowserOptions) -> Void) async throws {
        site.end()
        await site.operation.waitUntilFinished()
        var options = BrowserOptions(file: url)
        change(&options)
        site = try Site(options, token: Self.token)
    }

    // MARK: Requests

    func get(_ path: String, host: String = "127.0.0.1:4000") async -> WebResponse {
        await site.answer(WebRequest(method: "GET", target: "/\(Self.token)/\(path)", headers: ["host": host]))
    }

    func text(_ path: String) async -> String { String(decoding: await get(path).body, as: UTF8.self) }

    /// The address behind a link of a page's pager, without the token.
    static func link(_ label: String, of page: String) -> String? {
        guard let end = page.range(of: "\" aria-label=\"\(label)\""),
            let start = page[..<end.lowerBound].range(of: "href=\"", options: .backwards)
        else { return nil }
        let address = page[start.upperBound..<end.lowerBound].replacingOccurrences(of: "&amp;", with: "&")
        return String(address.dropFirst(token.count + 2))
    }

    func json(_ path: String) async throws -> [String: Any] {
        let found = try JSONSerialization.jsonObject(with: Data(await get(path).body))
        return found as? [String: Any] ?? [:]
    }

    func post(
        _ action: String, _ body: String = "", origin: String? = "http://127.0.0.1:4000", site from: String? = nil
    ) async -> WebResponse {
        var headers = ["host": "127.0.0.1:4000", "content-type": "application/x-www-form-urlencoded"]
        headers["origin"] = origin
        headers["sec-fetch-site"] = from
        return await site.answer(
            WebRequest(
                method: "POST", target: "/\(Self.token)/do/\(action)", headers: headers, body: Array(body.utf8)))
    }

    /// Opens the plan, and confirms it.
    func delete(_ query: String) async throws -> WebResponse {
        let plan = try await json("plan.json?\(query)")["plan"] as? String
        return await post("delete", "plan=\(plan ?? "none")")
    }

    /// Objects of an entity by their addresses, with all their values.
    func rows(_ entity: String) async throws -> [String] {
        let rows = try await json("rows/\(entity).json?size=1000")["rows"] as? [[String: Any]] ?? []
        return rows.map { row in row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }
    var backups: [String] { files.filter { $0.contains("-backup-") } }

    // MARK: Making

    private static func model() throws -> Model {
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("name", .string), Attribute("rank", .integer64, optional: true)]
        shelf.relationships = [Relationship("books", to: "Book", .toMany, inverse: "shelf", deleteRule: .cascade)]

        var book = EntityDescription("Book")
        book.attributes = [
            Attribute("title", .string), Attribute("pages", .integer32), Attribute("price", .decimal, optional: true),
            Attribute("printed", .date, optional: true), Attribute("cover", .binary, optional: true),
            Attribute("isLent", .boolean),
        ]
        book.relationships = [
            Relationship("shelf", to: "Shelf", .toOne, inverse: "books"),
            Relationship("labels", to: "Label", .toMany, inverse: "books"),
            Relationship("reader", to: "Reader", .toOne, inverse: "books"),
        ]
        var atlas = EntityDescription("Atlas", superentity: "Book")
        atlas.attributes = [Attribute("scale", .integer64, optional: true)]

        var label = EntityDescription("Label")
        label.attributes = [Attribute("text", .string)]
        label.relationships = [Relationship("books", to: "Book", .toMany, inverse: "labels")]

        var reader = EntityDescription("Reader")
        reader.attributes = [Attribute("name", .string)]
        reader.relationships = [Relationship("books", to: "Book", .toMany, inverse: "reader", deleteRule: .deny)]

        var note = EntityDescription("Note")
        note.attributes = [Attribute("text", .string)]
        note.relationships = [Relationship("about", to: "Book", .toOne)]
        return try Model([shelf, book, atlas, label, reader, note], versionIdentifiers: ["1.0.0"])
    }

    private static func make(at url: URL, books count: Int) throws {
        let model = try model()
        let store = try SQLiteStore(model: model, location: .file(url))
        var changes = ChangeSet()
        changes.author = "tests <b>"
        func add(_ name: String, _ values: [String: Value]) -> ObjectID {
            let id = ObjectID.temporary(entityName: name)
            guard let entity = model.entity(named: name) else { return id }
            var slots = Array(repeating: Value.null, count: entity.slots.count)
            for (property, value) in values {
                let slot = entity.attribute(named: property)?.slots.first ?? entity.relationship(named: property)?.slot
                if let slot { slots[slot] = value }
            }
            changes.insertions.append(ChangeSet.Insertion(id: id, entityIndex: entity.index, values: SlotValues(slots)))
            return id
        }
        let shelves = ["Animals", hostile, accented].enumerated().map { place, name in
            add("Shelf", ["name": .text(name), "rank": .integer(Int64(place + 1))])
        }
        let readers = ["Ada", "Björn"].map { add("Reader", ["name": .text($0)]) }
        var books: [ObjectID] = []
        for number in 1...max(1, count) {
            var values: [String: Value] = [
                "title": .text("Book \(number)"), "pages": .integer(Int64(number * 10)),
                "printed": .real(Double(number) * 86_400.25), "isLent": .integer(number <= 2 ? 1 : 0),
                "shelf": .reference(shelves[number % 3]),
            ]
            if number % 2 == 0 { values["price"] = .decimal(Decimal(number) / 4) }
            if number == 7 { values["cover"] = .bytes(Data([1, 2, 3, 255])) }
            if number <= 2 { values["reader"] = .reference(readers[number - 1]) }
            if number % 4 == 0 { values["scale"] = .integer(Int64(number * 1000)) }
            books.append(add(number % 4 == 0 ? "Atlas" : "Book", values))
        }
        _ = add("Note", ["text": .text("about the first"), "about": .reference(books[0])])
        let labels = ["old", "new; \"quoted\"", "line\nbreak"].map { add("Label", ["text": .text($0)]) }
        if let label = model.entity(named: "Label"), let relationship = label.relationship(named: "books") {
            for (place, id) in labels.enumerated() {
                changes.links.append(
                    ChangeSet.LinkChange(
                        owner: id, ownerEntityIndex: label.index, relationshipIndex: relationship.index,
                        added: Array(books.prefix(place * 2 + 1)), removed: []))
            }
        }
        _ = try store.save(changes)
    }
}
