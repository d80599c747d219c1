import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// The predicted number of replaced rows equals that of the save.
@Suite("Rows replaced by an import")
struct ReplacedCountTests {
    /// - Parameter constraints: of halls. With two, a row may equal two others, of which it can replace only one.
    private static func model(_ constraints: [[String]]) throws -> Model {
        var hall = EntityDescription("Hall")
        hall.attributes = [Attribute("name", .string, optional: true), Attribute("code", .integer64, optional: true)]
        hall.uniquenessConstraints = constraints
        var seats = Relationship("seats", to: "Seat", .toMany, inverse: "hall")
        seats.isOrdered = true
        hall.relationships = [
            seats, Relationship("warden", to: "Warden", .toOne, inverse: "hall"),
            Relationship("tickets", to: "Ticket", .toMany, inverse: "halls"),
        ]
        var seat = EntityDescription("Seat")
        var place = Attribute("place", .composite, optional: true)
        place.elements = [
            Attribute("row", .integer64, optional: true), Attribute("number", .integer64, optional: true),
        ]
        seat.attributes = [place]
        seat.uniquenessConstraints = [["hall", "place"]]
        seat.relationships = [Relationship("hall", to: "Hall", .toOne, inverse: "seats")]
        var ticket = EntityDescription("Ticket")
        ticket.attributes = [Attribute("text", .string, optional: true)]
        ticket.relationships = [Relationship("halls", to: "Hall", .toMany, inverse: "tickets")]
        var warden = EntityDescription("Warden")
        warden.attributes = [Attribute("name", .string, optional: true)]
        warden.uniquenessConstraints = [["name"]]
        warden.relationships = [Relationship("hall", to: "Hall", .toOne, inverse: "warden")]
        return try Model([hall, seat, ticket, warden])
    }

    /// Halls with few names, so that many are equal.
    private static func lines(_ random: inout SeededGenerator) -> [String] {
        let halls = (0..<Int.random(in: 1...6, using: &random)).map { number in
            let name = Bool.random(using: &random) ? "\"name\":\"N\(Int.random(in: 0..<4, using: &random))\"," : ""
            let code = Bool.random(using: &random) ? "\"code\":\(Int.random(in: 0..<4, using: &random))," : ""
            return "{\"$entity\":\"Hall\",\(name)\(code)\"$id\":\"h\(number)\"}"
        }
        let seats = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            let row = Bool.random(using: &random) ? "\(Int.random(in: 0..<2, using: &random))" : "null"
            let hall =
                Bool.random(using: &random) ? ",\"hall\":\"h\(Int.random(in: 0..<halls.count, using: &random))\"" : ""
            return "{\"$entity\":\"Seat\",\"place\":{\"row\":\(row),\"number\":1}\(hall)}"
        }
        var free = Array(halls.indices).shuffled(using: &random)
        let wardens = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let hall = free.popLast().map { ",\"hall\":\"h\($0)\"" } ?? ""
            return "{\"$entity\":\"Warden\",\"name\":\"M\(Int.random(in: 0..<3, using: &random))\"\(hall)}"
        }
        let tickets = (0..<2).map { _ in
            let hall = Int.random(in: 0..<halls.count, using: &random)
            return "{\"$entity\":\"Ticket\",\"text\":\"t\",\"halls\":[\"h\(hall)\"]}"
        }
        return halls + seats + wardens + tickets
    }

    private func content(_ store: SQLiteStore) throws -> String {
        var text = ""
        let export = try StoreExport(store.model, entities: [], predicate: nil, identifier: "")
        try store.reading { reading in
            try export.writeJSON(reading, lines: true, progress: { _ in }, to: { text += $0 })
        }
        return text
    }

    /// - Returns: the number of replacing rows; nil if one equals two others.
    private func saved(_ body: () throws -> Int) throws -> Int? {
        do { return try body() } catch is UniqueViolation { return nil }
    }

    private func errors(_ store: SQLiteStore) throws -> [StoreFinding] {
        try store.check().filter { $0.severity == .error }
    }

    @Test("The prediction, an import in pieces, and an import as one change set agree", arguments: Seeds.rounds(25))
    func agreement(seed: UInt64) throws {
        try withTemporaryFolder { folder in
            let model = try Self.model([["name"]])
            let pieces = try SQLiteStore(model: model, location: .file(folder.appendingPathComponent("pieces.store")))
            let whole = try SQLiteStore(model: model, location: .file(folder.appendingPathComponent("whole.store")))
            var random = SeededGenerator(seed: seed &* 7919 &+ 17)
            for round in 0..<4 {
                let (rows, place) = try rows(&random, model, in: folder, "seed \(seed), round \(round)")
                let expected = try rows.replacedCount(in: pieces)
                let inPieces = try saved { try rows.save(to: pieces, author: "tests") { _ in } }
                let asOne = try saved {
                    guard case .saved(let saved) = try whole.save(try rows.changes(author: "tests")) else { return -1 }
                    return saved.inserted.count(where: \.replaced)
                }
                #expect(inPieces == expected && asOne == expected, "\(place)")
                #expect(try content(pieces) == content(whole), "\(place)")
                #expect(try errors(pieces).isEmpty && errors(whole).isEmpty, "\(place)")
            }
        }
    }

    @Test("A row that equals two others replaces one, or is refused", arguments: Seeds.rounds(16))
    func twoConstraints(seed: UInt64) throws {
        try withTemporaryFolder { folder in
            let model = try Self.model([["name"], ["code"]])
            let store = try SQLiteStore(model: model, location: .file(folder.appendingPathComponent("a.store")))
            var random = SeededGenerator(seed: seed &* 104_729 &+ 5)
            for round in 0..<4 {
                let (rows, place) = try rows(&random, model, in: folder, "seed \(seed), round \(round)")
                let (expected, before) = (try rows.replacedCount(in: store), try content(store))
                let replaced = try saved { try rows.save(to: store, author: "tests") { _ in } }
                #expect(replaced == expected || replaced == nil && expected > 0, "\(place)")
                if replaced == nil { #expect(try content(store) == before, "\(place)") }
                #expect(try errors(store).isEmpty, "\(place)")
            }
        }
    }

    private func rows(
        _ random: inout SeededGenerator, _ model: Model, in folder: URL, _ name: String
    ) throws -> (rows: RowImport, place: String) {
        let url = folder.appendingPathComponent("in.ndjson")
        let lines = Self.lines(&random)
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
        return (try RowImport(model, ImportSource(url)), "\(name): \(lines)")
    }

    @Test("Rows of entities without constraints are not checked")
    func needless() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("in.ndjson")
            try Data("{\"$entity\":\"Ticket\",\"text\":\"t\"}".utf8).write(to: url)
            let model = try Self.model([["name"]])
            let rows = try RowImport(model, ImportSource(url))
            #expect(!rows.mayReplace)
            #expect(try rows.replacedCount(in: SQLiteStore(model: model, location: .memory)) == 0)
        }
    }
}
