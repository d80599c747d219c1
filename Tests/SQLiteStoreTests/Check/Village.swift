import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// A model with every shape of relationship that can be damaged, and consistent stores of it in any size.
enum Village {
    static func model() throws -> Model {
        try Model([
            being, person, dog, badge, card, house, room, lamp, door, group, playlist, song, album, photo, paper, shelf,
            vehicle,
            cart, boat, sawmill, plank, crate,
        ])
    }

    private static func entity(
        _ name: String, superentity: String? = nil, _ relationships: [Relationship] = []
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        if superentity == nil { description.attributes = [Attribute("name", .string, optional: true)] }
        description.relationships = relationships
        return description
    }

    private static let being: EntityDescription = {
        var description = entity(
            "Being", [Relationship("walks", to: "Dog", .toMany, inverse: "walker", deleteRule: .noAction)])
        description.isAbstract = true
        return description
    }()

    private static let person = entity(
        "Person", superentity: "Being",
        [
            Relationship("spouse", to: "Person", .toOne, inverse: "spouse"),
            Relationship("card", to: "Card", .toOne, inverse: "holder"),
            Relationship("badge", to: "Badge", .toOne, inverse: "bearer", deleteRule: .cascade),
            Relationship("groups", to: "Group", .toMany, inverse: "members"),
        ])

    private static let dog = entity(
        "Dog", superentity: "Being",
        [
            Relationship("master", to: "Person", .toOne),
            Relationship("walker", to: "Being", .toOne, inverse: "walks"),
        ])

    private static let badge = entity(
        "Badge", [Relationship("bearer", to: "Person", .toOne, inverse: "badge", optional: false)])

    private static let card = entity("Card", [Relationship("holder", to: "Person", .toOne, inverse: "card")])

    private static let house: EntityDescription = {
        var rooms = Relationship("rooms", to: "Room", .toMany, inverse: "house", deleteRule: .cascade)
        rooms.isOrdered = true
        var doors = Relationship("doors", to: "Door", .toMany, inverse: "house", optional: false)
        doors.minimumCount = 1
        doors.maximumCount = 2
        var description = entity("House", [rooms, doors])
        description.attributes = [Attribute("name", .string)]
        return description
    }()

    private static let room = entity(
        "Room",
        [
            Relationship("house", to: "House", .toOne, inverse: "rooms", optional: false),
            Relationship("lamps", to: "Lamp", .toMany, inverse: "room"),
            Relationship("shelves", to: "Shelf", .toMany, inverse: "room"),
        ])

    private static let shelf: EntityDescription = {
        var description = entity(
            "Shelf",
            [
                Relationship("room", to: "Room", .toOne, inverse: "shelves"),
                Relationship("owner", to: "Person", .toOne, optional: false),
            ])
        description.attributes.append(external("drawing"))
        return description
    }()

    private static let lamp = entity("Lamp", [Relationship("room", to: "Room", .toOne, inverse: "lamps")])
    private static let door = entity("Door", [Relationship("house", to: "House", .toOne, inverse: "doors")])
    private static let group = entity("Group", [Relationship("members", to: "Person", .toMany, inverse: "groups")])

    private static let playlist: EntityDescription = {
        var songs = Relationship("songs", to: "Song", .toMany, inverse: "playlists")
        songs.isOrdered = true
        return entity("Playlist", [songs])
    }()

    private static let song = entity("Song", [Relationship("playlists", to: "Playlist", .toMany, inverse: "songs")])

    private static let album: EntityDescription = {
        var photos = Relationship("photos", to: "Photo", .toMany)
        photos.isOrdered = true
        return entity("Album", [photos])
    }()

    private static let photo = entity("Photo")

    /// Rows with mandatory ends, several references to them, and a common table.
    private static let vehicle = entity(
        "Vehicle", [Relationship("place", to: "House", .toOne, optional: false)])

    private static let cart = entity(
        "Cart", superentity: "Vehicle",
        [
            Relationship("twin", to: "Boat", .toOne, inverse: "mate"),
            Relationship("load", to: "Boat", .toOne),
        ])

    private static let boat = entity(
        "Boat", superentity: "Vehicle", [Relationship("mate", to: "Cart", .toOne, inverse: "twin")])

    /// Initially, no store has any of these.
    private static let sawmill = entity("Sawmill")
    private static let plank = entity("Plank", [Relationship("sawmill", to: "Sawmill", .toOne, optional: false)])
    private static let crate = entity("Crate", [Relationship("planks", to: "Plank", .toMany)])

    private static let paper: EntityDescription = {
        var description = entity("Paper")
        description.attributes.append(external("scan"))
        return description
    }()

    private static func external(_ name: String) -> Attribute {
        var attribute = Attribute(name, .binary, optional: true)
        attribute.allowsExternalStorage = true
        return attribute
    }

    /// A consistent store with a number of each row. Keys count from 1 in each table: persons of a household are 3n - 2 and 3n - 1,
    /// their dog is 3n; rooms, songs and photos are 2n - 1 and 2n, as are a cart and a boat.
    static func store(_ place: ZooStore.Place = .memory, households: Int = 3) throws -> ZooStore {
        let zoo = try ZooStore(place, model: try model())
        try zoo.save { changes in
            for number in 1...max(1, households) { try add(&changes, number, zoo) }
        }
        zoo.log.clear()
        return zoo
    }

    private static func add(_ changes: inout ChangeSet, _ number: Int, _ zoo: ZooStore) throws {
        func insert(_ entity: String, _ values: [String: Value] = [:]) throws -> ObjectID {
            var values = values
            values["name"] = .text("\(entity) \(number)")
            let insertion = try zoo.insertion(entity, values)
            changes.insertions.append(insertion)
            return insertion.id
        }
        func set(_ id: ObjectID, _ property: String, _ value: ObjectID) throws {
            let index = try #require(changes.insertions.lastIndex { $0.id == id })
            let entity = try zoo.entity(id.entityName)
            let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == property })
            changes.insertions[index].values[slot] = .reference(value)
        }
        let persons = [try insert("Person"), try insert("Person")]
        try set(persons[0], "spouse", persons[1])
        try set(persons[1], "spouse", persons[0])
        _ = try insert("Dog", ["master": .reference(persons[0]), "walker": .reference(persons[1])])
        try set(persons[0], "card", try insert("Card", ["holder": .reference(persons[0])]))
        try set(persons[0], "badge", try insert("Badge", ["bearer": .reference(persons[0])]))
        let house = try insert("House")
        let rooms = [
            try insert("Room", ["house": .reference(house)]), try insert("Room", ["house": .reference(house)]),
        ]
        for room in rooms { _ = try insert("Lamp", ["room": .reference(room)]) }
        let cart = try insert("Cart", ["place": .reference(house)])
        try set(cart, "twin", try insert("Boat", ["place": .reference(house), "mate": .reference(cart)]))
        _ = try insert("Door", ["house": .reference(house)])
        let group = try insert("Group")
        let playlist = try insert("Playlist")
        let songs = [try insert("Song"), try insert("Song")]
        let album = try insert("Album")
        let photos = [try insert("Photo"), try insert("Photo")]
        // Of a large village, only the first few have values large enough for a file.
        let drawing = Value.bytes(Data(repeating: 7, count: number <= 3 ? ExternalData.threshold + number : number))
        _ = try insert("Paper", ["scan": drawing])
        _ = try insert(
            "Shelf", ["room": .reference(rooms[0]), "owner": .reference(persons[0]), "drawing": drawing])
        changes.links += [
            try zoo.link(house, "rooms", order: rooms), try zoo.link(group, "members", added: persons),
            try zoo.link(playlist, "songs", added: songs, order: songs),
            try zoo.link(album, "photos", added: photos, order: photos),
        ]
    }
}

extension ZooStore {
    /// Damages the file without the store's knowledge.
    func damage(_ statements: String...) throws {
        try store.pool.withWriter { connection in
            for statement in statements { try connection.execute(statement) }
        }
        log.clear()
    }

    func id(_ entity: String, _ key: Int64) throws -> ObjectID {
        store.spaces.id(entityIndex: try self.entity(entity).index, key: key)
    }

    func number(_ entity: String) throws -> Int { store.map.entities[try self.entity(entity).index].entityNumber }

    /// Every row of the model's tables and of its join tables, by table and SQLite's row number.
    func dumpedTables() throws -> [String: [Int64: [String: Cell]]] {
        var tables = Set(store.map.entities.map(\.table))
        for storage in store.map.entities.flatMap(\.toMany) {
            if case .joinTable(let name, _, _, _)? = storage { tables.insert(name) }
        }
        return try store.pool.withWriter { connection in
            var contents: [String: [Int64: [String: Cell]]] = [:]
            for table in tables {
                let statement = try connection.prepare("SELECT rowid, * FROM \(table)")
                while try statement.step() {
                    for column in 1..<statement.columnCount {
                        contents[table, default: [:]][statement.integer(at: 0), default: [:]][
                            statement.columnName(column)] = statement.cell(at: column)
                    }
                }
            }
            return contents
        }
    }

    /// The differences: `TABLE row COLUMN: new value`, or that the row is gone.
    func changes(since before: [String: [Int64: [String: Cell]]]) throws -> [String] {
        let now = try dumpedTables()
        var lines: [String] = []
        for (table, rows) in before {
            for (key, cells) in rows {
                guard let changed = now[table]?[key] else {
                    lines.append("\(table) \(key): gone")
                    continue
                }
                for (column, cell) in changed where cells[column] != cell {
                    lines.append("\(table) \(key) \(column): \(cell.text)")
                }
            }
        }
        for (table, rows) in now {
            for key in rows.keys where before[table]?[key] == nil { lines.append("\(table) \(key): new") }
        }
        return lines.sorted()
    }

    /// Executes the plan, and expects that none is needed afterwards.
    @discardableResult
    func repair() throws -> StoreRepairResult {
        let result = try store.repair(try store.repairPlan())
        let rest = try store.repairPlan()
        #expect(rest.steps.isEmpty, "\(rest)")
        return result
    }

    /// The changes of one history transaction: `Entity key type columns`.
    func history(_ transaction: Int64?) throws -> [String] {
        typealias Change = HistoryTables.Change
        return try rows(
            "SELECT \(Change.entity), \(Change.key), \(Change.changeType), hex(\(Change.columns)) "
                + "FROM \(Change.table) WHERE \(Change.transaction) = \(transaction ?? 0) ORDER BY 1, 2"
        ).map { row in
            guard case .integer(let number) = row[0], let index = store.map.entityIndexByNumber[Int(number)] else {
                return "?"
            }
            return "\(model[index].name) \(row[1].text) \(row[2].text) \(row[3].text)"
        }
    }
}

extension Cell {
    var text: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): value
        case .bytes(let value): "\(value.count) bytes"
        }
    }
}
