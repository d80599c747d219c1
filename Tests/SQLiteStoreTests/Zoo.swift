import Foundation
import ObjectGraph
import StoreSQL
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// A small model with one relationship per shape, and shorthands to fill and query a store of it.
enum Zoo {
    static let descriptions: [EntityDescription] = [
        everything, category, animal, tag, visit, person, keeper, doctor, passport, album, photo,
    ]

    static func model() throws -> Model { try Model(descriptions, versionIdentifiers: ["1.0.0"]) }

    private static func entity(
        _ name: String, superentity: String? = nil, _ attributes: [Attribute], _ relationships: [Relationship] = []
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = attributes
        description.relationships = relationships
        return description
    }

    private static let everything: EntityDescription = {
        var picture = Attribute("picture", .binary, optional: true)
        picture.allowsExternalStorage = true
        var scratch = Attribute("scratch", .string, optional: true)
        scratch.isTransient = true
        var place = Attribute("place", .composite, optional: true)
        place.elements = [
            Attribute("city", .string, optional: true), Attribute("height", .double, optional: true),
        ]
        let kinds: [(String, AttributeType)] = [
            ("small", .integer16), ("medium", .integer32), ("large", .integer64), ("price", .decimal),
            ("ratio", .double), ("share", .float), ("title", .string), ("flag", .boolean), ("moment", .date),
            ("blob", .binary), ("token", .uuid), ("link", .uri), ("list", .transformable),
        ]
        return entity(
            "Everything", kinds.map { Attribute($0, $1, optional: true) } + [picture, scratch, place])
    }()

    private static let category: EntityDescription = {
        var description = entity(
            "Category", [Attribute("name", .string), Attribute("rank", .integer64, optional: true)],
            [Relationship("animals", to: "Animal", .toMany, inverse: "category", deleteRule: .cascade)])
        description.uniquenessConstraints = [["name"]]
        return description
    }()

    private static let animal: EntityDescription = {
        var name = Attribute("name", .string)
        name.preservesValueOnDeletion = true
        var visits = Relationship("visits", to: "Visit", .toMany, inverse: "animal")
        visits.isOrdered = true
        var description = entity(
            "Animal",
            [
                name, Attribute("age", .integer64, optional: true), Attribute("weight", .double, optional: true),
                Attribute("born", .date, optional: true),
            ],
            [
                Relationship("category", to: "Category", .toOne, inverse: "animals"),
                Relationship("tags", to: "Tag", .toMany, inverse: "animals"), visits,
                Relationship("keeper", to: "Person", .toOne, inverse: "animals"),
            ])
        description.indexes = [
            FetchIndex(name: "byName", propertyNames: ["name"]), FetchIndex(name: "byAge", propertyNames: ["age"]),
        ]
        return description
    }()

    private static let tag = entity(
        "Tag", [Attribute("label", .string, optional: true)],
        [Relationship("animals", to: "Animal", .toMany, inverse: "tags")])

    private static let visit = entity(
        "Visit", [Attribute("number", .integer64, optional: true)],
        [Relationship("animal", to: "Animal", .toOne, inverse: "visits")])

    private static let person = entity(
        "Person", [Attribute("name", .string, optional: true)],
        [
            Relationship("animals", to: "Animal", .toMany, inverse: "keeper"),
            Relationship("passport", to: "Passport", .toOne, inverse: "owner"),
            Relationship("boss", to: "Person", .toOne),
        ])

    private static let keeper = entity(
        "Keeper", superentity: "Person", [Attribute("badge", .integer64, optional: true)])

    private static let doctor = entity(
        "Doctor", superentity: "Person", [Attribute("title", .string, optional: true)])

    private static let passport = entity(
        "Passport", [Attribute("code", .string, optional: true)],
        [Relationship("owner", to: "Person", .toOne, inverse: "passport")])

    private static let album: EntityDescription = {
        var slides = Relationship("slides", to: "Photo", .toMany)
        slides.isOrdered = true
        return entity(
            "Album", [Attribute("name", .string, optional: true)],
            [Relationship("photos", to: "Photo", .toMany), slides])
    }()

    private static let photo = entity("Photo", [Attribute("path", .string, optional: true)])
}

/// A store of the zoo in memory or in a folder of its own, removed at the end.
final class ZooStore {
    let store: SQLiteStore
    let model: Model
    private let temporary: TemporaryFolder?
    var folder: URL? { temporary?.url }
    let log = StatementLog()

    enum Place { case memory, file }

    init(_ place: Place = .memory, model: Model? = nil, history: SchemaLayout.HistoryKind = .with) throws {
        let model = try model ?? Zoo.model()
        self.model = model
        var options = SQLiteStore.Options()
        options.history = history
        let log = log
        options.onStatement = { log.add($0) }
        switch place {
        case .memory:
            temporary = nil
            store = try SQLiteStore(model: model, location: .memory, options: options)
        case .file:
            let folder = try TemporaryFolder()
            temporary = folder
            store = try SQLiteStore(
                model: model, location: .file(folder.appendingPathComponent("zoo.store")), options: options)
        }
        log.clear()
    }

    var url: URL? { folder?.appendingPathComponent("zoo.store") }

    func entity(_ name: String) throws -> Entity { try #require(model.entity(named: name)) }

    // MARK: Change sets

    /// Values in slot order, by property name (`composite.leaf` for leaves).
    func values(_ name: String, _ given: [String: Value]) throws -> SlotValues {
        let entity = try entity(name)
        for property in given.keys {
            #expect(entity.slots.indices.contains { entity.propertyName(ofSlot: $0) == property }, "\(property)")
        }
        return SlotValues(entity.slots.indices.map { given[entity.propertyName(ofSlot: $0)] ?? .null })
    }

    func insertion(_ name: String, _ given: [String: Value]) throws -> ChangeSet.Insertion {
        ChangeSet.Insertion(
            id: .temporary(entityName: name), entityIndex: try entity(name).index, values: try values(name, given))
    }

    func update(_ snapshot: Snapshot, _ given: [String: Value], toMany: [String] = []) throws -> ChangeSet.Update {
        let entity = try entity(snapshot.id.entityName)
        var values = snapshot.values
        var changed: [Int] = []
        for slot in entity.slots.indices {
            guard let value = given[entity.propertyName(ofSlot: slot)] else { continue }
            values[slot] = value
            changed.append(slot)
        }
        return ChangeSet.Update(
            id: snapshot.id, entityIndex: entity.index, expectedVersion: snapshot.version, values: values,
            changedSlots: changed, changedToMany: try toMany.map { try relationship(entity.name, $0).index })
    }

    func deletion(_ snapshot: Snapshot) throws -> ChangeSet.Deletion {
        ChangeSet.Deletion(
            id: snapshot.id, entityIndex: try entity(snapshot.id.entityName).index,
            expectedVersion: snapshot.version)
    }

    func link(
        _ owner: ObjectID, _ relationship: String, added: [ObjectID] = [], removed: [ObjectID] = [],
        order: [ObjectID]? = nil
    ) throws -> ChangeSet.LinkChange {
        let entity = try entity(owner.entityName)
        return ChangeSet.LinkChange(
            owner: owner, ownerEntityIndex: entity.index,
            relationshipIndex: try self.relationship(entity.name, relationship).index, added: added, removed: removed,
            order: order)
    }

    func relationship(_ entity: String, _ name: String) throws -> EntityRelationship {
        try #require(try self.entity(entity).relationship(named: name))
    }

    // MARK: Saving and reading

    @discardableResult
    func save(_ edit: (inout ChangeSet) throws -> Void) throws -> SavedRows {
        var changes = ChangeSet()
        try edit(&changes)
        switch try store.save(changes) {
        case .saved(let rows): return rows
        case .conflicts(let conflicts):
            Issue.record("unexpected conflicts: \(conflicts.map(\.id))")
            return SavedRows()
        }
    }

    @discardableResult
    func insert(_ name: String, _ given: [String: Value]) throws -> Snapshot {
        let insertion = try insertion(name, given)
        let rows = try save { $0.insertions = [insertion] }
        return try snapshot(try #require(rows.inserted.first).id)
    }

    func snapshot(_ id: ObjectID) throws -> Snapshot {
        try #require(try store.snapshots(of: [id]).first)
    }

    func value(_ snapshot: Snapshot, _ property: String) throws -> Value {
        let entity = try entity(snapshot.id.entityName)
        let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == property })
        return snapshot.values[slot]
    }

    func fetch(_ name: String, _ predicate: QueryExpression? = nil) throws -> [Snapshot] {
        try store.fetch(Query(entityIndex: try entity(name).index, predicate: predicate))
    }

    /// The names (or another text) of the rows that match a predicate, in key order.
    func names(_ name: String, _ predicate: QueryExpression, property: String = "name") throws -> [String] {
        try fetch(name, predicate).map { snapshot in
            guard case .text(let text) = try value(snapshot, property) else { return "-" }
            return text
        }
    }

    func members(_ owner: ObjectID, _ relationship: String) throws -> [ObjectID] {
        let entity = try entity(owner.entityName)
        let index = try self.relationship(entity.name, relationship).index
        return try store.members(of: index, entityIndex: entity.index, owners: [owner])[owner] ?? []
    }

    // MARK: Expressions

    func attribute(_ entityName: String, _ path: String, of base: QueryExpression = .variable(.root)) throws
        -> QueryExpression
    {
        let entity = try entity(entityName)
        let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == path })
        return .attribute(base, AttributeReference(entityIndex: entity.index, slot: slot, path: path))
    }

    func reference(_ entityName: String, _ name: String) throws -> RelationshipReference {
        let relationship = try relationship(entityName, name)
        return RelationshipReference(
            entityIndex: try entity(entityName).index, index: relationship.index, name: name)
    }

    func toOne(_ entityName: String, _ name: String, of base: QueryExpression = .variable(.root)) throws
        -> QueryExpression
    {
        .toOne(base, try reference(entityName, name))
    }

    func toMany(_ entityName: String, _ name: String, of base: QueryExpression = .variable(.root)) throws
        -> QueryCollection
    {
        .toMany(base, try reference(entityName, name))
    }

    // MARK: Raw access

    /// All rows of a statement, on the writing connection.
    func rows(_ sql: String) throws -> [[Cell]] {
        try store.pool.withWriter { connection in
            let statement = try connection.prepare(sql)
            var rows: [[Cell]] = []
            while try statement.step() { rows.append((0..<statement.columnCount).map { statement.cell(at: $0) }) }
            return rows
        }
    }

    /// The WHERE clause of a predicate.
    func whereClause(_ name: String, _ predicate: QueryExpression) throws -> String {
        let query = Query(entityIndex: try entity(name).index, predicate: predicate)
        let sql = try store.fetchRunner.builder.rows(query, columns: [SystemTables.keyColumn]).rendered(
            for: SQLiteDialect())
        let tail = sql.dropFirst("SELECT t0.Z_PK FROM ".count)
        return String(tail.dropLast(" ORDER BY t0.Z_PK".count))
    }

    func plan(_ name: String, _ predicate: QueryExpression) throws -> String {
        let query = Query(entityIndex: try entity(name).index, predicate: predicate)
        let text = try store.fetchRunner.builder.rows(query, columns: [SystemTables.keyColumn])
        return try store.pool.withReader { connection in
            try connection.withStatement("EXPLAIN QUERY PLAN " + text) { statement in
                var lines: [String] = []
                while try statement.step() { lines.append(statement.text(at: 3)) }
                return lines.joined(separator: "\n")
            }
        }
    }
}
