import ObjectGraph
import TestSupport

@testable import MemoryStore

/// Random change sets for the rows of a store, as several contexts with little knowledge of each other would save them: most
/// contain one end of a link only, and some expect outdated versions.
struct RandomChanges {
    private let model: Model
    private let rows: [Snapshot]
    private var changes = ChangeSet()
    private var deleted: Set<ObjectID> = []

    static func make(_ pair: StorePair, _ random: inout SeededGenerator) throws -> ChangeSet {
        var maker = try RandomChanges(pair)
        maker.delete(&random)
        maker.insert(&random)
        maker.update(&random)
        try maker.link(pair, &random)
        let rules: [ConstraintRule] = [.updateExisting, .updateExisting, .updateEqual, .refuse]
        maker.changes.constraints = random.pick(rules) ?? .refuse
        return maker.changes
    }

    private init(_ pair: StorePair) throws {
        model = pair.model
        rows = try pair.model.entities.filter(\.isRoot).flatMap { try pair.fetch(Query(entityIndex: $0.index)) }
    }

    private func entity(_ id: ObjectID) -> Entity? { model.entity(named: id.entityName) }

    private func version(_ row: Snapshot, _ random: inout SeededGenerator) -> RowVersion {
        random.chance(6) ? row.version + 1 : row.version
    }

    // MARK: Rows

    private mutating func delete(_ random: inout SeededGenerator) {
        for row in random.some(rows, atMost: random.chance(50) ? 2 : 0) {
            guard let entity = entity(row.id) else { continue }
            deleted.insert(row.id)
            changes.deletions.append(
                .init(id: row.id, entityIndex: entity.index, expectedVersion: version(row, &random)))
        }
        if random.chance(12) {
            var request = DeleteRequest(.rows(RowSet(random.some(rows.map(\.id), atMost: 2))))
            request.counts = random.chance(50) ? .checked : .unchecked
            changes.bulkDelete = request
        }
        for row in random.some(rows, atMost: 1) {
            guard let entity = entity(row.id), random.chance(20) else { continue }
            changes.watched.append(
                .init(id: row.id, entityIndex: entity.index, expectedVersion: version(row, &random)))
        }
    }

    private mutating func insert(_ random: inout SeededGenerator) {
        for _ in 0..<random.roll(4) {
            guard let entity = random.pick(model.entities) else { continue }
            var values = SlotValues(nulls: entity.slots.count)
            for slot in 0..<2 where random.chance(90) { values[slot] = StorePairRun.value(slot, &random) }
            var isWhole = true
            for relationship in entity.toOneRelationships {
                guard let slot = relationship.slot, !relationship.relationship.isOptional || random.chance(50)
                else { continue }
                let destination = destination(of: relationship, &random)
                values[slot] = destination.map(Value.reference) ?? .null
                if destination == nil, !relationship.relationship.isOptional { isWhole = false }
            }
            guard isWhole else { continue }
            changes.insertions.append(
                .init(id: .temporary(entityName: entity.name), entityIndex: entity.index, values: values))
        }
    }

    private mutating func update(_ random: inout SeededGenerator) {
        for row in random.some(rows.filter { !deleted.contains($0.id) }, atMost: 4) {
            guard let entity = entity(row.id) else { continue }
            var (values, slots) = (row.values, [Int]())
            for slot in values.indices where random.chance(40) {
                if case .toOne(let index) = entity.slots[slot] {
                    let relationship = entity.relationships[index]
                    let destination = random.chance(70) ? destination(of: relationship, &random) : nil
                    if destination == nil, !relationship.relationship.isOptional { continue }
                    values[slot] = destination.map(Value.reference) ?? .null
                } else if slot < 2 {
                    values[slot] = StorePairRun.value(slot, &random)
                } else {
                    continue
                }
                slots.append(slot)
            }
            if slots.isEmpty { continue }
            changes.updates.append(
                .init(
                    id: row.id, entityIndex: entity.index, expectedVersion: version(row, &random), values: values,
                    changedSlots: slots, changedToMany: []))
        }
    }

    // MARK: Links

    /// New rows have both ends of a one-to-one link, so that a link is not set at one end only.
    private func destination(of relationship: EntityRelationship, _ random: inout SeededGenerator) -> ObjectID? {
        let isOneToOne = relationship.isToOne && model.inverse(of: relationship)?.isToOne == true
        let ids = rows.map(\.id).filter { !deleted.contains($0) } + (isOneToOne ? [] : changes.insertions.map(\.id))
        return random.pick(
            ids.filter { id in entity(id).map { model.isKind($0.index, of: relationship.destinationIndex) } ?? false })
    }

    private mutating func link(_ pair: StorePair, _ random: inout SeededGenerator) throws {
        var linked: Set<String> = []
        for owner in random.some(rows.map(\.id).filter { !deleted.contains($0) }, atMost: 3)
            + changes.insertions.map(\.id)
        {
            guard let entity = entity(owner) else { continue }
            for relationship in entity.toManyRelationships where random.chance(50) {
                // A change set has a many-to-many link at one of its ends.
                let inverse = model.inverse(of: relationship)
                let names = [relationship.place, inverse?.place].compactMap { $0 }.map { "\($0)" }.sorted()
                let isOwnReference = inverse?.isToOne == true
                if isOwnReference, !relationship.relationship.isOrdered { continue }
                if !isOwnReference, !linked.insert(names.joined()).inserted { continue }
                try link(owner, relationship, entity, isOwnReference, pair, &random)
            }
        }
    }

    private mutating func link(
        _ owner: ObjectID, _ relationship: EntityRelationship, _ entity: Entity, _ isOrderOnly: Bool, _ pair: StorePair,
        _ random: inout SeededGenerator
    ) throws {
        let members =
            owner.isTemporary
            ? [] : try pair.members(of: relationship.index, entityIndex: entity.index, owners: [owner])[owner] ?? []
        var change = ChangeSet.LinkChange(
            owner: owner, ownerEntityIndex: entity.index, relationshipIndex: relationship.index, added: [], removed: [])
        if !isOrderOnly {
            change.removed = random.some(members, atMost: 2)
            let added = (0..<random.roll(3)).compactMap { _ in destination(of: relationship, &random) }
            change.added = added.reduce(into: []) { if !$0.contains($1), !members.contains($1) { $0.append($1) } }
        }
        if relationship.relationship.isOrdered {
            let left = (members + change.added).filter { !change.removed.contains($0) }
            change.order = random.chance(50) ? left.shuffled(using: &random) : left
        }
        changes.links.append(change)
    }
}
