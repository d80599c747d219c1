import Foundation
import ObjectGraph
import TestSupport

@testable import SQLiteStore

/// A store of a random model with random rows, linked as their model requires.
struct JobWorld {
    let schema: RandomSchema
    let store: SQLiteStore
    private(set) var ids: [ObjectID] = []
    private var values: [[Value]] = []
    private var entities: [Entity] = []
    private var links: [(owner: Int, relationship: EntityRelationship, members: [Int])] = []

    init(seed: UInt64, rows: Int) throws {
        var random = SeededGenerator(seed: seed)
        schema = try RandomSchema(&random)
        store = try SQLiteStore(model: schema.model, location: .memory)
        for _ in 0..<rows {
            guard let entity = random.pick(schema.model.entities) else { continue }
            ids.append(.temporary(entityName: entity.name))
            entities.append(entity)
            values.append(entity.slots.indices.map { _ in .null })
        }
        for entity in schema.model.entities {
            for relationship in entity.relationships where relationship.declaringIndex == entity.index {
                link(relationship, of: entity, &random)
            }
        }
        try save()
    }

    // MARK: Links

    private func objects(kindOf entityIndex: Int) -> [Int] {
        entities.indices.filter { schema.model.isKind(entities[$0].index, of: entityIndex) }
    }

    private mutating func link(_ relationship: EntityRelationship, of entity: Entity, _ random: inout SeededGenerator) {
        let owners = objects(kindOf: entity.index)
        let candidates = objects(kindOf: relationship.destinationIndex)
        let inverse = schema.model.inverse(of: relationship)
        let isOwnInverse = inverse.map { $0.index == relationship.index && $0.declaringIndex == entity.index } ?? false
        let isFirst = inverse.map { (entity.index, relationship.index) <= ($0.declaringIndex, $0.index) } ?? true
        switch (relationship.isToOne, inverse?.isToOne) {
        case (true, true?) where isOwnInverse: pair(owners.shuffled(using: &random), relationship)
        case (true, true?):
            if isFirst {
                marry(owners.shuffled(using: &random), candidates.shuffled(using: &random), relationship, inverse)
            }
        case (true, _):
            for owner in owners where !relationship.relationship.isOptional || random.chance(75) {
                point(owner, relationship, at: random.pick(candidates))
            }
        case (false, true?): return
        case (false, false?):
            if isFirst { join(owners, candidates, relationship, isOwnInverse, &random) }
        case (false, nil):
            var free = candidates.shuffled(using: &random)
            for owner in owners {
                let members = Array(free.prefix(random.roll(3)))
                free.removeFirst(members.count)
                if !members.isEmpty { links.append((owner, relationship, members)) }
            }
        }
    }

    private mutating func point(_ owner: Int, _ relationship: EntityRelationship, at other: Int?) {
        guard let other, let slot = relationship.slot else { return }
        values[owner][slot] = .reference(ids[other])
    }

    private mutating func pair(_ owners: [Int], _ relationship: EntityRelationship) {
        for place in stride(from: 0, to: owners.count - 1, by: 2) {
            point(owners[place], relationship, at: owners[place + 1])
            point(owners[place + 1], relationship, at: owners[place])
        }
    }

    private mutating func marry(
        _ owners: [Int], _ others: [Int], _ relationship: EntityRelationship, _ inverse: EntityRelationship?
    ) {
        for (owner, other) in zip(owners, others) {
            point(owner, relationship, at: other)
            if let inverse { point(other, inverse, at: owner) }
        }
    }

    private mutating func join(
        _ owners: [Int], _ candidates: [Int], _ relationship: EntityRelationship, _ isOwnInverse: Bool,
        _ random: inout SeededGenerator
    ) {
        var pairs: [Int: Set<Int>] = [:]
        for owner in owners {
            for member in random.some(candidates, atMost: 3) {
                pairs[owner, default: []].insert(member)
                if isOwnInverse { pairs[member, default: []].insert(owner) }
            }
        }
        for (owner, members) in pairs.sorted(by: { $0.key < $1.key }) {
            links.append((owner, relationship, members.sorted()))
        }
    }

    // MARK: Saving

    private mutating func save() throws {
        var changes = ChangeSet()
        changes.insertions = ids.indices.map {
            ChangeSet.Insertion(id: ids[$0], entityIndex: entities[$0].index, values: SlotValues(values[$0]))
        }
        guard case .saved(let rows) = try store.save(changes) else { throw Difference(text: "the rows conflict") }
        ids = rows.inserted.map(\.id)
        var second = ChangeSet()
        second.links = links.map { link in
            let members = link.members.map { ids[$0] }
            return ChangeSet.LinkChange(
                owner: ids[link.owner], ownerEntityIndex: entities[link.owner].index,
                relationshipIndex: link.relationship.index, added: members, removed: [],
                order: link.relationship.relationship.isOrdered ? members : nil)
        }
        guard case .saved = try store.save(second) else { throw Difference(text: "the links conflict") }
    }

    // MARK: Edits by other contexts

    /// Gives a row another destination, or inserts a row that refers to some row.
    func edit(_ random: inout SeededGenerator) throws {
        let live = try store.snapshots(of: ids)
        guard let entity = random.pick(schema.model.entities),
            let relationship = random.pick(
                entity.relationships.filter { $0.isToOne && schema.model.inverse(of: $0)?.isToOne != true }),
            let slot = relationship.slot
        else { return }
        let model = schema.model
        func isKind(_ snapshot: Snapshot, of index: Int) -> Bool {
            model.entity(named: snapshot.id.entityName).map { model.isKind($0.index, of: index) } ?? false
        }
        let target = random.pick(live.filter { isKind($0, of: relationship.destinationIndex) })
        var changes = ChangeSet()
        if random.chance(50), let row = random.pick(live.filter { isKind($0, of: entity.index) }) {
            guard let own = model.entity(named: row.id.entityName),
                target != nil || relationship.relationship.isOptional
            else { return }
            var values = row.values
            values[slot] = target.map { .reference($0.id) } ?? .null
            changes.updates = [
                ChangeSet.Update(
                    id: row.id, entityIndex: own.index, expectedVersion: row.version, values: values,
                    changedSlots: [slot], changedToMany: [])
            ]
        } else if let target {
            var values: [Value] = entity.slots.indices.map { _ in .null }
            for other in entity.relationships where other.isToOne && !other.relationship.isOptional {
                guard let any = random.pick(live.filter({ isKind($0, of: other.destinationIndex) })),
                    let slot = other.slot
                else { return }
                values[slot] = .reference(any.id)
            }
            values[slot] = .reference(target.id)
            changes.insertions = [
                ChangeSet.Insertion(
                    id: .temporary(entityName: entity.name), entityIndex: entity.index, values: SlotValues(values))
            ]
        }
        _ = try store.save(changes)
    }
}
