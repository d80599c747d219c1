import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// Both ways of deleting, row by row and by plan, with the same few rows.
@Suite("Join rows and order keys after a delete")
struct LinksOfDeletedRowsTests {
    enum Way: CaseIterable { case byRow, byPlan }

    private func delete(_ row: Snapshot, _ way: Way, _ zoo: ZooStore) throws {
        switch way {
        case .byRow: try zoo.save { $0.deletions = [try zoo.deletion(row)] }
        case .byPlan: _ = try zoo.store.delete(DeleteRequest(.rows(RowSet([row.id]))))
        }
    }

    private func relationship(
        _ name: String, to destination: String, _ cardinality: Cardinality, inverse: String
    ) -> Relationship {
        Relationship(name, to: destination, cardinality, inverse: inverse)
    }

    @Test(
        "with relationships of one name at both ends, links of other rows with equal keys stay",
        arguments: Way.allCases)
    func sameName(way: Way) throws {
        var left = EntityDescription("Left")
        left.attributes = [Attribute("title", .string, optional: true)]
        left.relationships = [relationship("peers", to: "Right", .toMany, inverse: "peers")]
        var right = EntityDescription("Right")
        right.attributes = [Attribute("title", .string, optional: true)]
        right.relationships = [relationship("peers", to: "Left", .toMany, inverse: "peers")]
        let zoo = try ZooStore(model: try Model([left, right]))
        let lefts = try (0..<2).map { _ in try zoo.insert("Left", [:]) }
        let rights = try (0..<2).map { _ in try zoo.insert("Right", [:]) }
        #expect(lefts.map(\.id.key) == rights.map(\.id.key))
        try zoo.save { $0.links = [try zoo.link(lefts[1].id, "peers", added: rights.map(\.id))] }
        try zoo.save { $0.links = [try zoo.link(lefts[0].id, "peers", added: [rights[1].id])] }
        try delete(lefts[0], way, zoo)
        #expect(try zoo.members(lefts[1].id, "peers") == rights.map(\.id))
        #expect(try zoo.members(rights[0].id, "peers") == [lefts[1].id])
        #expect(try zoo.members(rights[1].id, "peers") == [lefts[1].id])
    }

    @Test("a relationship that is its own inverse loses its links at both ends", arguments: Way.allCases)
    func ownInverse(way: Way) throws {
        var node = EntityDescription("Node")
        node.attributes = [Attribute("title", .string, optional: true)]
        node.relationships = [relationship("friends", to: "Node", .toMany, inverse: "friends")]
        let zoo = try ZooStore(model: try Model([node]))
        let nodes = try (0..<3).map { _ in try zoo.insert("Node", [:]) }
        for (one, other) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
            try zoo.save { $0.links = [try zoo.link(nodes[one].id, "friends", added: [nodes[other].id])] }
        }
        try delete(nodes[0], way, zoo)
        #expect(try zoo.members(nodes[1].id, "friends") == [nodes[2].id])
        #expect(try zoo.members(nodes[2].id, "friends") == [nodes[1].id])
    }

    private func playlists(inverse: String?) throws -> ZooStore {
        var list = EntityDescription("List")
        var songs = Relationship("songs", to: "Song", .toMany, inverse: inverse)
        songs.isOrdered = true
        list.attributes = [Attribute("title", .string, optional: true)]
        list.relationships = [songs]
        var song = EntityDescription("Song")
        song.attributes = [Attribute("title", .string, optional: true)]
        if let inverse { song.relationships = [relationship(inverse, to: "List", .toOne, inverse: "songs")] }
        return try ZooStore(model: try Model([list, song]))
    }

    private func orderKeys(_ zoo: ZooStore) throws -> [Cell] {
        let list = zoo.store.map.entities[try zoo.entity("List").index]
        guard case .foreignKey(let table, _, _, let order?, _)? = list.toMany[0] else { return [] }
        return try zoo.rows("SELECT \(order) FROM \(table) ORDER BY Z_PK").compactMap(\.first)
    }

    @Test("nullifying a reference clears the row's order key", arguments: Way.allCases)
    func orderKeysOfSurvivors(way: Way) throws {
        let zoo = try playlists(inverse: "list")
        let list = try zoo.insert("List", [:])
        let songs = try (0..<2).map { _ in try zoo.insert("Song", ["list": .reference(list.id)]) }
        try zoo.save { $0.links = [try zoo.link(list.id, "songs", order: songs.map(\.id))] }
        #expect(try orderKeys(zoo) == [.integer(2048), .integer(3072)])
        switch way {
        case .byRow:
            try zoo.save { changes in
                changes.deletions = [try zoo.deletion(list)]
                changes.updates = try songs.map { try zoo.update($0, ["list": .null]) }
            }
        case .byPlan: try delete(list, way, zoo)
        }
        #expect(try orderKeys(zoo) == [.null, .null])
        #expect(try songs.map { try zoo.value(try zoo.snapshot($0.id), "list") } == [.null, .null])
    }

    @Test("a row moved to another owner gets an order key for that owner")
    func orderKeysOfMoved() throws {
        let zoo = try playlists(inverse: "list")
        let lists = try (0..<2).map { _ in try zoo.insert("List", [:]) }
        let songs = try (0..<3).map { try zoo.insert("Song", ["list": .reference(lists[min($0, 1)].id)]) }
        try zoo.save { $0.links = [try zoo.link(lists[1].id, "songs", order: [songs[1].id, songs[2].id])] }
        try zoo.save { changes in
            changes.updates = [try zoo.update(songs[0], ["list": .reference(lists[1].id)])]
            changes.links = [try zoo.link(lists[1].id, "songs", order: [songs[1].id, songs[0].id, songs[2].id])]
        }
        #expect(try zoo.members(lists[1].id, "songs") == [songs[1].id, songs[0].id, songs[2].id])
    }

    @Test("removing a row from a list without inverse clears its order key")
    func orderKeysWithoutInverse() throws {
        let zoo = try playlists(inverse: nil)
        let list = try zoo.insert("List", [:])
        let songs = try (0..<2).map { _ in try zoo.insert("Song", [:]) }
        let ids = songs.map(\.id)
        try zoo.save { $0.links = [try zoo.link(list.id, "songs", added: ids, order: ids)] }
        try zoo.save { $0.links = [try zoo.link(list.id, "songs", removed: [ids[0]], order: [ids[1]])] }
        #expect(try orderKeys(zoo) == [.null, .integer(3072)])
    }
}
