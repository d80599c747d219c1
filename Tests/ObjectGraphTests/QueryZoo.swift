import Foundation

@testable import ObjectGraph

/// A small model and objects of it, kept in plain dictionaries, for tests of the evaluator.
final class QueryZoo: QueryObjectSource {
    let model: Model
    private(set) var rows: [ObjectID: Row] = [:]

    struct Row {
        let id: ObjectID
        let entityIndex: Int
        var values: [Value]
        var toOne: [Int: ObjectID] = [:]
        var toMany: [Int: [ObjectID]] = [:]
    }

    init() throws {
        var animal = EntityDescription("Animal")
        animal.attributes = [
            Attribute("name", .string), Attribute("nick", .string, optional: true), Attribute("age", .integer64),
            Attribute("weight", .double, optional: true), Attribute("price", .decimal, optional: true),
            Attribute("tag", .uuid, optional: true),
        ]
        animal.relationships = [
            Relationship("owner", to: "Owner", .toOne, inverse: "animals")
        ]
        var dog = EntityDescription("Dog", superentity: "Animal")
        dog.attributes = [Attribute("tricks", .integer64)]
        var owner = EntityDescription("Owner")
        owner.attributes = [Attribute("name", .string)]
        owner.relationships = [Relationship("animals", to: "Animal", .toMany, inverse: "owner")]
        model = try Model([animal, dog, owner])
    }

    // MARK: Building

    func add(_ entityName: String, _ values: [String: Value] = [:]) throws -> ObjectID {
        guard let entity = model.entity(named: entityName) else { throw ZooError.unknown(entityName) }
        let id = ObjectID(
            space: .intern(storeIdentifier: "ZOO", entityName: entityName), key: Int64(rows.count + 1))
        var row = Row(
            id: id, entityIndex: entity.index, values: Array(repeating: .null, count: entity.slots.count))
        for (name, value) in values {
            guard let slot = entity.attribute(named: name)?.slots.first else { throw ZooError.unknown(name) }
            row.values[slot] = value
        }
        rows[id] = row
        return id
    }

    func give(_ animals: [ObjectID], to owner: ObjectID) {
        for animal in animals { rows[animal]?.toOne[0] = owner }
        rows[owner]?.toMany[0] = animals
    }

    enum ZooError: Error { case unknown(String) }

    // MARK: Expressions

    func attribute(_ name: String, of base: QueryExpression = .variable(.root), in entityName: String = "Animal")
        throws -> QueryExpression
    {
        guard let entity = model.entity(named: entityName), let slot = entity.attribute(named: name)?.slots.first else {
            throw ZooError.unknown(name)
        }
        return .attribute(base, AttributeReference(entityIndex: entity.index, slot: slot, path: name))
    }

    let owner = QueryExpression.toOne(
        .variable(.root), RelationshipReference(entityIndex: 0, index: 0, name: "owner"))
    let animals = QueryCollection.toMany(
        .variable(.root), RelationshipReference(entityIndex: 2, index: 0, name: "animals"))

    // MARK: QueryObjectSource

    func identifier(of object: ObjectID) -> ObjectID { object }
    func entityIndex(of object: ObjectID) -> Int { rows[object]?.entityIndex ?? -1 }
    func value(of object: ObjectID, slot: Int) -> Value { rows[object]?.values[slot] ?? .null }
    func destination(of object: ObjectID, relationship index: Int) -> ObjectID? { rows[object]?.toOne[index] }
    func members(of object: ObjectID, relationship index: Int) -> [ObjectID] { rows[object]?.toMany[index] ?? [] }
}
