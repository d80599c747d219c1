import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// An import checks the number of members like a save, whichever end contains a link.
@Suite("Members of imported rows are counted")
struct CountedLinksTests {
    /// Teams have one to three players (a subentity among them), any number of fans but one, and two rivals at most.
    private static func model() throws -> Model {
        var team = EntityDescription("Team")
        var players = Relationship("players", to: "Player", .toMany, inverse: "team")
        (players.isOptional, players.minimumCount, players.maximumCount) = (false, 1, 3)
        var fans = Relationship("fans", to: "Fan", .toMany, inverse: "teams")
        (fans.isOptional, fans.minimumCount) = (true, 2)
        var rivals = Relationship("rivals", to: "Team", .toMany, inverse: "rivals")
        (rivals.isOptional, rivals.maximumCount) = (true, 2)
        team.relationships = [players, fans, rivals]
        // The same position as that of players' teams, which does not matter here.
        var coach = EntityDescription("Coach")
        coach.relationships = [Relationship("team", to: "Team", .toOne), Relationship("seen", to: "Team", .toMany)]
        var player = EntityDescription("Player")
        player.relationships = [Relationship("team", to: "Team", .toOne, inverse: "players")]
        let keeper = EntityDescription("Keeper", superentity: "Player")
        var fan = EntityDescription("Fan")
        fan.relationships = [Relationship("teams", to: "Team", .toMany, inverse: "fans")]
        return try Model([team, coach, player, keeper, fan])
    }

    private func row(_ entity: String, _ name: String, _ links: [String: [String]] = [:]) -> String {
        let fields = links.sorted { $0.key < $1.key }.map { key, names in
            ",\"\(key)\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]"
        }
        return "{\"$entity\":\"\(entity)\",\"$id\":\"\(name)\"\(fields.joined())}"
    }

    private func refusal(_ lines: [String]) throws -> String? {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("in.ndjson")
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
        do {
            let model = try Self.model()
            let rows = try RowImport(model, ImportSource(url))
            // Accepted rows are valid in the store as well.
            let store = try SQLiteStore(model: model, location: .memory)
            _ = try rows.save(to: store, author: "test") { _ in }
            #expect(try store.check() == [])
            return nil
        } catch let error as InspectionError {
            return error.description
        }
    }

    @Test(
        "Too many and too few members are refused, whether listed by the owner or by its members",
        arguments: [true, false])
    func members(byOwner: Bool) throws {
        for count in 0...4 {
            let names = (0..<count).map { "p\($0)" }
            var lines = [row("Team", "t", byOwner ? ["players": names] : [:])]
            lines += names.enumerated().map { place, name in
                row(place == 1 ? "Keeper" : "Player", name, byOwner ? [:] : ["team": ["t"]])
            }
            lines += (0..<5).map { row("Coach", "c\($0)", ["team": ["t"], "seen": ["t"]]) }
            let refused = try refusal(lines)
            if (1...3).contains(count) {
                #expect(refused == nil, "\(count)")
            } else {
                let limit = count == 0 ? "at least 1" : "at most 3"
                #expect(refused?.contains("'Team.players' of") == true, "\(refused ?? "")")
                #expect(refused?.contains("must reference \(limit);") == true, "\(refused ?? "")")
            }
        }
    }

    @Test("An optional relationship has its minimum only if it is not empty")
    func optional() throws {
        for count in 0...2 {
            let names = (0..<count).map { "f\($0)" }
            for byOwner in [true, false] {
                let lines =
                    [row("Team", "t", ["players": ["p"], "fans": byOwner ? names : []]), row("Player", "p")]
                    + names.map { row("Fan", $0, byOwner ? [:] : ["teams": ["t"]]) }
                #expect(
                    try refusal(lines)?.contains("references 1 object, and must reference at least 2")
                        == (count == 1 ? true : nil))
            }
        }
    }

    @Test("A link listed at both ends counts once")
    func bothEnds() throws {
        let players = ["a", "b", "c"]
        let lines =
            [row("Team", "t", ["players": players, "fans": ["f", "g"], "rivals": ["u", "v"]])]
            + players.map { row("Player", $0, ["team": ["t"]]) }
            + ["f", "g"].map { row("Fan", $0, ["teams": ["t"]]) }
            + ["u", "v"].map { row("Team", $0, ["players": ["\($0)1"], "rivals": ["t"]]) }
            + ["u1", "v1"].map { row("Player", $0) }
        #expect(try refusal(lines) == nil)
        let more = lines + [row("Team", "w", ["players": ["w1"], "rivals": ["t"]]), row("Player", "w1")]
        #expect(try refusal(more)?.contains("'Team.rivals' of") == true)
    }
}
