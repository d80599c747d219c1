import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore
@testable import StoreInspection

@Suite("Details of an object")
struct ObjectDetailTests {
    /// Owners with members along a key, in an order, through a join table, and without an inverse.
    private func model() throws -> Model {
        var owner = EntityDescription("Owner")
        owner.attributes = [Attribute("name", .string)]
        owner.relationships = [
            Relationship("items", to: "Item", .toMany, inverse: "owner"),
            Relationship("ranked", to: "Item", .toMany, inverse: "rankedBy"),
            Relationship("tags", to: "Tag", .toMany, inverse: "owners"),
            Relationship("loose", to: "Item", .toMany),
        ]
        owner.relationships[1].isOrdered = true
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string)]
        item.relationships = [
            Relationship("owner", to: "Owner", .toOne, inverse: "items"),
            Relationship("rankedBy", to: "Owner", .toOne, inverse: "ranked"),
        ]
        var special = EntityDescription("Special", superentity: "Item")
        special.attributes = [Attribute("more", .string, optional: true)]
        var tag = EntityDescription("Tag")
        tag.attributes = [Attribute("name", .string)]
        tag.relationships = [Relationship("owners", to: "Owner", .toMany, inverse: "tags")]
        return try Model([owner, item, special, tag], versionIdentifiers: ["1.0.0"])
    }

    /// Two owners, the first with all members.
    private func fill(_ store: SQLiteStore, members count: Int) throws -> ObjectID {
        var changes = ChangeSet()
        func add(_ name: String, owner: ObjectID? = nil) throws -> ObjectID {
            let entity = try #require(store.model.entity(named: name))
            let id = ObjectID.temporary(entityName: name)
            var slots = Array(repeating: Value.null, count: entity.slots.count)
            if let slot = entity.attribute(named: "name")?.slots.first { slots[slot] = .text(name) }
            for name in ["owner", "rankedBy"] {
                if let owner, let slot = entity.relationship(named: name)?.slot { slots[slot] = .reference(owner) }
            }
            changes.insertions.append(
                ChangeSet.Insertion(id: id, entityIndex: entity.index, values: SlotValues(slots)))
            return id
        }
        let owner = try add("Owner")
        _ = try add("Owner")
        let items = try (0..<count).map { try add($0 % 3 == 0 ? "Special" : "Item", owner: owner) }
        let tags = try (0..<count).map { _ in try add("Tag") }
        let entity = try #require(store.model.entity(named: "Owner"))
        for (name, added, order) in [
            ("ranked", [], Array(items.reversed())), ("tags", tags, nil), ("loose", items, nil),
        ] {
            changes.links.append(
                ChangeSet.LinkChange(
                    owner: owner, ownerEntityIndex: entity.index,
                    relationshipIndex: try #require(entity.relationship(named: name)).index, added: added,
                    removed: [], order: order))
        }
        _ = try store.save(changes)
        return try #require(try store.fetch(Query(entityIndex: entity.index)).first).id
    }

    @Test("Only the members shown are read, in the relationship's order; the others are counted")
    func memberPages() throws {
        let statements = Locked<[String]>([])
        var options = SQLiteStore.Options()
        options.onStatement = { text in statements.withLock { $0.append(text) } }
        let store = try SQLiteStore(model: try model(), location: .memory, options: options)
        let id = try fill(store, members: 40)
        let entity = try #require(store.model.entity(named: "Owner"))
        try store.reading { reading in
            statements.withLock { $0 = [] }
            let detail = try ObjectDetail(id, reading, in: store.model, style: .people)
            let asked = statements.withLock { $0 }
            #expect(asked.filter { $0.contains("ORDER BY") }.allSatisfy { $0.hasSuffix("LIMIT ?") }, "\(asked)")
            #expect(detail.relationships.map(\.relationship.name) == entity.relationships.map(\.name))
            for (relationship, link) in zip(entity.relationships, detail.relationships) {
                let all = try reading.members(of: relationship, entityIndex: entity.index, owners: [id])[id] ?? []
                #expect(link.count == 40 && link.members.map(\.id) == Array(all.prefix(5)), "\(relationship.name)")
                #expect(!link.members.contains { !$0.exists })
            }
            let ranks = detail.relationships[1].members.map(\.id.key)
            #expect(ranks == ranks.sorted(by: >))
            let other = try #require(try reading.fetch(Query(entityIndex: entity.index)).last).id
            let empty = try ObjectDetail(other, reading, in: store.model, style: .exact)
            #expect(other != id && empty.relationships.allSatisfy { $0.count == 0 && $0.members.isEmpty })
            let whole = try ObjectDetail(id, reading, in: store.model, style: .exact, most: .max)
            #expect(whole.relationships.allSatisfy { $0.members.count == 40 })
        }
    }
}
