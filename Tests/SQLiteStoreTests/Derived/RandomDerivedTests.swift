import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Random models, graphs and writes: the values computed by triggers equal those computed in memory.
@Suite("Random derived attributes")
struct RandomDerivedTests {
    @Test("values equal those computed in memory, after all writes", arguments: Seeds.rounds(25))
    func values(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = try RandomDerivations.model(&random)
        let zoo = try RandomStore(&random, oneToOne: seed % 2 == 0 ? .paired : .anywhere, rowCount: 16, model: model)
        try run(zoo.store, seed, &random)
    }

    @Test(
        "values equal those computed in memory also in a file without triggers of its own",
        arguments: Seeds.rounds(8, from: 100))
    func withoutTriggers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = try RandomDerivations.model(&random)
        let file = try MigrationFile()
        _ = try file.open(model)
        let connection = try Connection(.file(file.url), access: .readWrite)
        for trigger in try FileSchema.triggerNames(connection) { try connection.execute("DROP TRIGGER \(trigger)") }
        let zoo = try RandomStore(
            &random, oneToOne: .anywhere, rowCount: 16, model: model, location: .file(file.url))
        try run(zoo.store, seed, &random)
        #expect(try FileSchema.triggerNames(connection).isEmpty)
    }

    @Test(
        "a migration computes them for all rows, and the file has the triggers of a new file",
        arguments: Seeds.rounds(12, from: 200)
    )
    func migrated(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plain = RandomDerivations.numbered(&random)
        let source = try Model(RandomDerivations(plain, &random).descriptions)
        let file = try MigrationFile()
        var change: RandomChange
        do {
            let zoo = try RandomStore(&random, oneToOne: .paired, model: source, location: .file(file.url))
            change = RandomChange(plain, try LogicalRows(zoo.store))
        }
        for _ in 0..<random.roll(3) { change.change(&random) }
        let destination = try Model(RandomDerivations(change.descriptions, &random).descriptions)
        _ = try file.migrate(to: destination)
        #expect(try MigrationFile.schema(file.url) == MigrationFile.freshSchema(destination), "seed \(seed)")
        try run(try file.open(destination), seed, &random)
    }

    private func run(_ store: SQLiteStore, _ seed: UInt64, _ random: inout SeededGenerator) throws {
        var work = RandomWrites(store: store)
        for step in 0...12 {
            let done = step == 0 ? "at first" : try work.write(&random)
            let differences = try DerivedOracle(store).differences()
            guard differences.isEmpty else {
                Issue.record("seed \(seed), step \(step), \(done): \(differences.joined(separator: "\n"))")
                return
            }
        }
        guard try !DerivedOracle(store).hasOwnMembers() else { return }
        #expect(try store.check().filter { $0.kind == .staleValue } == [], "seed \(seed)")
    }
}

/// Writes of every kind that a store supports.
private struct RandomWrites {
    let store: SQLiteStore
    private var tokens: [RecoveryToken] = []

    init(store: SQLiteStore) { self.store = store }

    private var model: Model { store.model }

    /// - Returns: a description of the write.
    mutating func write(_ random: inout SeededGenerator) throws -> String {
        switch random.roll(8) {
        case 0, 1: return try edit(&random)
        case 2: return try link(&random)
        case 3: return try insert(&random)
        case 4: return try update(&random)
        case 5, 6: return try delete(&random)
        default: return try restore(&random)
        }
    }

    private func rows() throws -> [Snapshot] {
        try model.entities.filter(\.isRoot).flatMap { try store.fetch(Query(entityIndex: $0.index)) }
    }

    private func some(_ rows: [Snapshot], of entityIndex: Int, _ random: inout SeededGenerator) -> ObjectID? {
        random.pick(
            rows.filter { row in
                model.entity(named: row.id.entityName).map { model.isKind($0.index, of: entityIndex) } ?? false
            })?.id
    }

    private func edit(_ random: inout SeededGenerator) throws -> String {
        let rows = try rows()
        var changes = ChangeSet()
        for row in rows.shuffled(using: &random).prefix(3) {
            guard let entity = model.entity(named: row.id.entityName) else { continue }
            var (values, changed) = (row.values, [Int]())
            for slot in entity.slots.indices where random.chance(50) {
                guard let value = value(entity.slots[slot], entity, rows, &random) else { continue }
                values[slot] = value
                changed.append(slot)
            }
            changes.updates.append(
                ChangeSet.Update(
                    id: row.id, entityIndex: entity.index, expectedVersion: row.version, values: values,
                    changedSlots: changed, changedToMany: []))
        }
        _ = try store.save(changes)
        return "edit"
    }

    /// - Returns: `nil` for slots that are left unchanged.
    private func value(
        _ slot: Slot, _ entity: Entity, _ rows: [Snapshot], _ random: inout SeededGenerator
    ) -> Value? {
        switch slot {
        case .attribute(let index, let leaf):
            if entity.attributes[index].attribute.isDerived { return nil }
            switch leaf.type {
            case .integer16: return .integer(Int64(random.roll(2000) - 1000))
            case .double: return .real(Double(random.roll(2000)) / 8)
            case .string:
                // Unique attributes are left unchanged.
                if entity.uniquenessConstraints.contains([leaf.name]) || leaf.name == "nameE0" { return nil }
                return .text(random.pick(["Äpfel", "über", "Straße", "ß", "plain", ""]) ?? "")
            default: return nil
            }
        case .toOne(let index):
            let relationship = entity.relationships[index]
            if random.chance(30) { return .null }
            return some(rows, of: relationship.destinationIndex, &random).map(Value.reference)
        }
    }

    /// Members that are not stored as a key of their own.
    private func link(_ random: inout SeededGenerator) throws -> String {
        let rows = try rows()
        var changes = ChangeSet()
        for row in rows.shuffled(using: &random).prefix(4) {
            guard let entity = model.entity(named: row.id.entityName),
                let relationship = random.pick(
                    entity.toManyRelationships.filter { model.inverse(of: $0)?.isToOne != true })
            else { continue }
            let members = try store.members(of: relationship.index, entityIndex: entity.index, owners: [row.id])
            let present = members[row.id] ?? []
            let removed = present.filter { _ in random.chance(50) }
            let added = [some(rows, of: relationship.destinationIndex, &random)].compactMap { $0 }
                .filter { !present.contains($0) }
            changes.links.append(
                ChangeSet.LinkChange(
                    owner: row.id, ownerEntityIndex: entity.index, relationshipIndex: relationship.index,
                    added: added, removed: removed, order: nil))
        }
        _ = try store.save(changes)
        return "link"
    }

    private func insert(_ random: inout SeededGenerator) throws -> String {
        guard let entity = random.pick(model.entities) else { return "" }
        let rows = try rows()
        var left = 1 + random.roll(5)
        _ = try store.insert(BatchInsert(entityIndex: entity.index)) { row in
            guard left > 0 else { return false }
            left -= 1
            let values = entity.slots.map { slot -> Value in
                guard case .attribute = slot else { return .null }
                return value(slot, entity, rows, &random) ?? .null
            }
            row = BatchInsert.Row(values: values, given: Array(values.indices))
            return true
        }
        return "batch insert of \(entity.name)"
    }

    private func update(_ random: inout SeededGenerator) throws -> String {
        guard let entity = random.pick(model.entities),
            let attribute = random.pick(
                entity.attributes.filter { $0.attribute.type == .integer16 && !$0.attribute.isDerived })
        else { return "" }
        var batch = BatchUpdate(Query(entityIndex: entity.index))
        batch.assignments = [
            .init(slot: attribute.slots.lowerBound, value: .literal(.integer(Int64(random.roll(100)))))
        ]
        _ = try store.update(batch)
        return "batch update of \(entity.name).\(attribute.name)"
    }

    private mutating func delete(_ random: inout SeededGenerator) throws -> String {
        let ids = try rows().map(\.id).shuffled(using: &random).prefix(1 + random.roll(3))
        var request = DeleteRequest(.rows(RowSet(ids)))
        if random.chance(70) { request.recovery = .archived() }
        do {
            if let token = try store.delete(request).token { tokens.append(token) }
        } catch DeleteError.refused {
            return "a delete that was refused"
        }
        return "delete of \(ids.count)"
    }

    private mutating func restore(_ random: inout SeededGenerator) throws -> String {
        guard let token = random.pick(tokens) else { return "" }
        if try store.restore(token, .skippingConflicts).isComplete { tokens.removeAll { $0 == token } }
        return "restore"
    }
}
