import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// A store with a random model and random rows, links of every shape among them; in memory by default.
struct RandomStore {
    let store: SQLiteStore
    let model: Model
    private(set) var ids: [ObjectID] = []

    enum OneToOne {
        /// Both halves refer to each other.
        case paired
        /// Each half refers to any row, as in a damaged file.
        case anywhere
    }

    private let oneToOne: OneToOne

    init(
        _ random: inout SeededGenerator, oneToOne: OneToOne, rowCount: Int = 24, model: Model? = nil,
        location: Connection.Location = .memory
    ) throws {
        self.oneToOne = oneToOne
        self.model = try model ?? Model(Self.descriptions(&random))
        store = try SQLiteStore(model: self.model, location: location)
        try insert(rowCount, &random)
    }

    // MARK: Model

    static func descriptions(_ random: inout SeededGenerator) -> [EntityDescription] {
        var entities = (0..<(2 + random.roll(3))).map { entity("E\($0)", nil) }
        for number in 0..<random.roll(3) {
            entities.append(entity("S\(number)", entities[random.roll(entities.count)].name))
        }
        if random.chance(50) { entities[0].uniquenessConstraints = [["nameE0"]] }
        for number in 0..<(2 + random.roll(4)) { addLink(number, to: &entities, &random) }
        return entities
    }

    private static func entity(_ name: String, _ superentity: String?) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = [
            Attribute("name\(name)", .string, optional: true), Attribute("ratio\(name)", .double, optional: true),
            Attribute("blob\(name)", .binary, optional: true),
        ]
        return description
    }

    private static func rule(_ random: inout SeededGenerator) -> DeleteRule {
        random.pick([.nullify, .nullify, .nullify, .cascade, .cascade, .deny, .noAction]) ?? .nullify
    }

    private static func addLink(
        _ number: Int, to entities: inout [EntityDescription], _ random: inout SeededGenerator
    ) {
        let (a, b) = (random.roll(entities.count), random.roll(entities.count))
        let (first, second) = ("r\(number)", "r\(number)back")
        let shapes: [(Cardinality, Cardinality)] = [
            (.toOne, .toOne), (.toOne, .toMany), (.toOne, .toMany), (.toMany, .toMany), (.toMany, .toMany),
        ]
        let shape = random.pick(shapes) ?? (.toOne, .toMany)
        switch random.roll(8) {
        case 0:
            var lone = Relationship(
                first, to: entities[b].name, random.chance(50) ? .toOne : .toMany, deleteRule: rule(&random))
            lone.isOrdered = lone.cardinality == .toMany && random.chance(40)
            entities[a].relationships.append(lone)
        case 1:
            entities[a].relationships.append(
                Relationship(
                    first, to: entities[a].name, random.chance(50) ? .toOne : .toMany, inverse: first,
                    deleteRule: rule(&random)))
        default:
            var one = Relationship(
                first, to: entities[b].name, shape.0, inverse: second, deleteRule: rule(&random))
            var other = Relationship(
                second, to: entities[a].name, shape.1, inverse: first, deleteRule: rule(&random))
            if shape.0 == .toOne, shape.1 == .toMany { one.isOptional = !random.chance(25) }
            if shape.1 == .toMany { other.isOrdered = random.chance(40) }
            entities[a].relationships.append(one)
            entities[b].relationships.append(other)
        }
    }

    // MARK: Rows

    private mutating func insert(_ count: Int, _ random: inout SeededGenerator) throws {
        var changes = ChangeSet()
        for _ in 0..<count {
            guard let entity = random.pick(model.entities) else { continue }
            changes.insertions.append(
                ChangeSet.Insertion(
                    id: .temporary(entityName: entity.name), entityIndex: entity.index,
                    values: SlotValues(nulls: entity.slots.count)))
        }
        let all = changes.insertions.map { ($0.id, $0.entityIndex) }
        for (position, insertion) in changes.insertions.enumerated() {
            let entity = model[insertion.entityIndex]
            for slot in entity.slots.indices {
                changes.insertions[position].values[slot] = value(entity.slots[slot], entity, position, all, &random)
            }
        }
        if oneToOne == .paired { pair(&changes, all, &random) }
        changes.links = links(all, &random) + orders(changes.insertions)
        guard case .saved(let rows) = try store.save(changes) else {
            Issue.record("new rows conflict")
            return
        }
        ids = rows.inserted.map(\.id)
    }

    private func value(
        _ slot: Slot, _ entity: Entity, _ position: Int, _ all: [(ObjectID, Int)], _ random: inout SeededGenerator
    ) -> Value {
        switch slot {
        case .attribute(_, let leaf):
            if random.chance(20) { return .null }
            switch leaf.type {
            case .string: return .text("row \(position) ü")
            case .double: return .real(Double(position) / 3)
            case .integer16: return .integer(Int64(position))
            default: return .bytes(Data([0, UInt8(truncatingIfNeeded: position), 255]))
            }
        case .toOne(let index):
            let relationship = entity.relationships[index]
            if oneToOne == .paired, model.inverse(of: relationship)?.isToOne == true { return .null }
            if relationship.relationship.isOptional, random.chance(30) { return .null }
            return random.pick(destinations(of: relationship, all)).map(Value.reference) ?? .null
        }
    }

    private func pair(_ changes: inout ChangeSet, _ all: [(ObjectID, Int)], _ random: inout SeededGenerator) {
        let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.0, $0) })
        for (position, (id, entityIndex)) in all.enumerated() {
            for relationship in model[entityIndex].toOneRelationships where random.chance(60) {
                guard let back = model.inverse(of: relationship)?.slot, let slot = relationship.slot,
                    let other = random.pick(destinations(of: relationship, all)), let place = places[other],
                    changes.insertions[position].values[slot] == .null,
                    changes.insertions[place].values[back] == .null
                else { continue }
                changes.insertions[position].values[slot] = .reference(other)
                changes.insertions[place].values[back] = .reference(id)
            }
        }
    }

    private func destinations(of relationship: EntityRelationship, _ all: [(ObjectID, Int)]) -> [ObjectID] {
        all.filter { model.isKind($0.1, of: relationship.destinationIndex) }.map(\.0)
    }

    /// Members of to-many relationships that are not stored as to-one keys, and orders.
    private func links(_ all: [(ObjectID, Int)], _ random: inout SeededGenerator) -> [ChangeSet.LinkChange] {
        var links: [ChangeSet.LinkChange] = []
        for (owner, entityIndex) in all {
            for relationship in model[entityIndex].toManyRelationships
            where model.inverse(of: relationship)?.isToOne != true && random.chance(60) {
                let members = Array(destinations(of: relationship, all).shuffled(using: &random).prefix(random.roll(4)))
                guard !members.isEmpty else { continue }
                links.append(
                    ChangeSet.LinkChange(
                        owner: owner, ownerEntityIndex: entityIndex, relationshipIndex: relationship.index,
                        added: members, removed: [], order: relationship.relationship.isOrdered ? members : nil))
            }
        }
        return links
    }

    /// Orders of members that hold the owner's key: the last comes first.
    private func orders(_ insertions: [ChangeSet.Insertion]) -> [ChangeSet.LinkChange] {
        insertions.flatMap { owner in
            model[owner.entityIndex].toManyRelationships.compactMap { relationship in
                guard relationship.relationship.isOrdered, let inverse = model.inverse(of: relationship),
                    let slot = inverse.slot
                else { return nil }
                let members = insertions.filter { member in
                    model.isKind(member.entityIndex, of: relationship.destinationIndex)
                        && member.values[slot] == .reference(owner.id)
                }
                return ChangeSet.LinkChange(
                    owner: owner.id, ownerEntityIndex: owner.entityIndex, relationshipIndex: relationship.index,
                    added: [], removed: [], order: members.reversed().map(\.id))
            }
        }
    }

    // MARK: Deletes

    /// Tries to delete a few random rows with an archive.
    /// - Returns: `nil` if the rules refuse it, or if none of the rows existed.
    func deleteSome(_ random: inout SeededGenerator) throws -> RecoveryToken? {
        let rows = ids.shuffled(using: &random).prefix(1 + random.roll(4))
        var request = DeleteRequest(.rows(RowSet(rows)))
        request.recovery = .archived()
        do {
            return try store.delete(request).token
        } catch DeleteError.refused {
            return nil
        }
    }

    /// The links of each row, for each relationship. A self-inverse relationship may be listed from either end.
    func links() throws -> [ObjectID: [Set<ObjectID>]] {
        var found: [ObjectID: [Set<ObjectID>]] = [:]
        for row in try store.snapshots(of: ids) {
            guard let entity = model.entity(named: row.id.entityName) else { continue }
            found[row.id] = try entity.relationships.map { relationship in
                if let slot = relationship.slot {
                    if case .reference(let id) = row.values[slot] { return [id] }
                    return []
                }
                let members = try store.members(of: relationship.index, entityIndex: entity.index, owners: [row.id])
                return Set(members[row.id] ?? [])
            }
        }
        for (owner, sets) in found {
            guard let entity = model.entity(named: owner.entityName) else { continue }
            for relationship in entity.relationships where model.inverse(of: relationship)?.name == relationship.name {
                for member in sets[relationship.index] { found[member]?[relationship.index].insert(owner) }
            }
        }
        return found
    }

    /// Rows that refer to missing rows, by table and column.
    func loose() throws -> Set<String> {
        try store.pool.withWriter { connection in
            var found: Set<String> = []
            for table in store.map.entityTables {
                for columns in store.map.keyColumns(ofTable: table) {
                    let statement = try connection.prepare(
                        "SELECT Z_PK, \(columns.key) FROM \(table) k WHERE \(columns.key) IS NOT NULL AND NOT EXISTS "
                            + "(SELECT 1 FROM \(columns.destinationTable) e WHERE e.Z_PK = k.\(columns.key))")
                    while try statement.step() {
                        found.insert("\(table).\(statement.integer(at: 0)).\(columns.key)=\(statement.integer(at: 1))")
                    }
                }
            }
            return found
        }
    }
}

extension RandomStore: CustomStringConvertible {
    var description: String {
        model.entities.map { entity in
            let own = entity.relationships.filter { $0.declaringIndex == entity.index }.map(\.relationship).map {
                "\($0.name) \($0.isOptional ? "" : "required ")\($0.isOrdered ? "ordered " : "")\($0.cardinality) "
                    + "\($0.destinationName)<-\($0.inverseName ?? "none") \($0.deleteRule)"
            }
            return "\(entity.name) { \(own.joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }
}
