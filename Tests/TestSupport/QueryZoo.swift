import MemoryStore
import ObjectGraph

/// A small model and rows of it in memory, for tests of the evaluator.
package final class QueryZoo: QueryObjectSource {
    package let model: Model
    private let store: MemoryStore

    package init() throws {
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
        store = try MemoryStore(model: model)
    }

    // MARK: Building

    package func add(_ entityName: String, _ values: [String: Value] = [:]) throws -> ObjectID {
        var changes = ChangeSet()
        changes.insert(entityName, values, in: model)
        guard case .saved(let saved) = try store.save(changes), let id = saved.inserted.first?.id else {
            throw ZooError.unknown(entityName)
        }
        return id
    }

    package func give(_ animals: [ObjectID], to owner: ObjectID) throws {
        var changes = ChangeSet()
        for row in try store.snapshots(of: animals) {
            guard let entity = model.entity(named: row.id.entityName),
                let slot = entity.relationship(named: "owner")?.slot
            else { continue }
            var values = row.values
            values[slot] = .reference(owner)
            changes.updates.append(
                .init(
                    id: row.id, entityIndex: entity.index, expectedVersion: row.version, values: values,
                    changedSlots: [slot], changedToMany: []))
        }
        _ = try store.save(changes)
    }

    package enum ZooError: Error { case unknown(String) }

    // MARK: Expressions

    package func attribute(
        _ name: String, of base: QueryExpression = .variable(.root), in entityName: String = "Animal"
    )
        throws -> QueryExpression
    {
        guard let entity = model.entity(named: entityName), let slot = entity.attribute(named: name)?.slots.first else {
            throw ZooError.unknown(name)
        }
        return .attribute(base, AttributeReference(entityIndex: entity.index, slot: slot, path: name))
    }

    package let owner = QueryExpression.toOne(
        .variable(.root), RelationshipReference(entityIndex: 0, index: 0, name: "owner"))
    package let animals = QueryCollection.toMany(
        .variable(.root), RelationshipReference(entityIndex: 2, index: 0, name: "animals"))

    // MARK: QueryObjectSource

    package func identifier(of object: ObjectID) -> ObjectID { object }
    package func entityIndex(of object: ObjectID) -> Int { entity(of: object)?.index ?? -1 }

    package func value(of object: ObjectID, slot: Int) -> Value { row(object)?.values[slot] ?? .null }

    package func destination(of object: ObjectID, relationship index: Int) -> ObjectID? {
        guard let slot = entity(of: object)?.relationships[index].slot,
            case .reference(let destination) = value(of: object, slot: slot)
        else { return nil }
        return destination
    }

    package func members(of object: ObjectID, relationship index: Int) -> [ObjectID] {
        let found = try? store.members(of: index, entityIndex: entityIndex(of: object), owners: [object])
        return found?[object] ?? []
    }

    private func row(_ object: ObjectID) -> Snapshot? { try? store.snapshots(of: [object]).first }

    private func entity(of object: ObjectID) -> Entity? {
        row(object).flatMap { model.entity(named: $0.id.entityName) }
    }
}
