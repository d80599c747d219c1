import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Composites that are unique though nil in part, when rows are not written by saving objects.
@Suite("Uniqueness that the file's index does not enforce")
struct BlindConstraintTests {
    private static func model(unique: Bool = true, extra: Bool = false) throws -> Model {
        var slot = Attribute("slot", .composite, optional: true)
        slot.isEnum = true
        slot.elements = ["morning", "noon"].map { Attribute($0, .string, optional: true) }
        var place = Attribute("place", .composite, optional: true)
        place.elements = ["city", "street"].map { Attribute($0, .string, optional: true) }
        var booking = EntityDescription("Booking")
        booking.attributes = [Attribute("note", .string, optional: true), slot, place]
        if extra { booking.attributes.append(Attribute("extra", .integer64, optional: true)) }
        booking.uniquenessConstraints = unique ? [["slot"], ["place"]] : []
        return try Model([booking])
    }

    private let noon: [String: Value] = ["slot.noon": .text("noon")]
    private let morning: [String: Value] = ["slot.morning": .text("morning")]
    private let rome: [String: Value] = ["place.city": .text("Rome")]

    private func row(_ note: String, _ others: [String: Value]...) -> [String: Value] {
        others.reduce(["note": .text(note)]) { $0.merging($1) { $1 } }
    }

    /// Notes of all rows, in key order.
    private func notes(_ zoo: ZooStore) throws -> [String] {
        try zoo.fetch("Booking").sorted { $0.id.key < $1.id.key }.map { snapshot in
            guard case .text(let note) = try zoo.value(snapshot, "note") else { return "" }
            return note
        }
    }

    // MARK: Batch inserts

    private func insert(
        _ rows: [[String: Value]], _ rule: BatchInsert.DuplicateRule, _ zoo: ZooStore
    ) throws -> SavedRows {
        let entity = try zoo.entity("Booking")
        var batch = BatchInsert(entityIndex: entity.index)
        batch.duplicates = rule
        var waiting = rows[...]
        return try zoo.store.insert(batch) { row in
            guard let next = waiting.popFirst() else { return false }
            let given = entity.slots.indices.filter { next[entity.propertyName(ofSlot: $0)] != nil }
            row = BatchInsert.Row(values: Array(try zoo.values("Booking", next)), given: given)
            return true
        }
    }

    @Test("a batch insert skips rows that equal an existing row, or an earlier one of the batch")
    func skippedInserts() throws {
        let zoo = try ZooStore(model: Self.model())
        try zoo.insert("Booking", row("first", noon))
        let rows = [
            row("second", noon), row("a", morning), row("b", morning), row("c", rome), row("d", rome), row("e"),
            row("f"),
        ]
        let result = try insert(rows, .skip, zoo)
        #expect(try notes(zoo) == ["first", "a", "c", "e", "f"])
        #expect(result.created.count == 4 && result.updated.isEmpty)
    }

    @Test("a batch insert updates an existing row, or an earlier one of the batch, with an equal row")
    func updatingInserts() throws {
        let zoo = try ZooStore(model: Self.model())
        let first = try zoo.insert("Booking", row("first", noon, rome))
        let result = try insert([row("second", noon), row("a", morning), row("b", morning)], .update, zoo)
        #expect(try notes(zoo) == ["second", "b"])
        #expect(result.created.count == 1 && result.updated.contains(first.id))
        let updated = try zoo.snapshot(first.id)
        #expect(try zoo.value(updated, "place.city") == .text("Rome") && updated.version == first.version + 1)
        #expect(try zoo.store.history(after: nil).last?.changes.count == 3)
    }

    // MARK: Batch updates

    private func update(_ given: [String: Value], where predicate: QueryExpression?, _ zoo: ZooStore) throws
        -> SavedRows
    {
        let entity = try zoo.entity("Booking")
        var batch = BatchUpdate(Query(entityIndex: entity.index, predicate: predicate))
        batch.assignments = try given.sorted { $0.key < $1.key }.map { name, value in
            let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == name })
            return .init(slot: slot, value: .literal(value))
        }
        return try zoo.store.update(batch)
    }

    @Test("a batch update that would make rows equal is refused, and writes nothing")
    func updates() throws {
        let zoo = try ZooStore(model: Self.model())
        for number in 0..<3 { try zoo.insert("Booking", row("\(number)")) }
        let one = QueryExpression.compare(.equal, try zoo.attribute("Booking", "note"), .literal(.text("1")))
        let two = QueryExpression.compare(.equal, try zoo.attribute("Booking", "note"), .literal(.text("2")))
        #expect(throws: UniqueViolation.self) { try update(noon, where: nil, zoo) }
        #expect(try update(noon, where: one, zoo).updated.count == 1)
        #expect(throws: UniqueViolation.self) { try update(noon, where: two, zoo) }
        #expect(try update(morning, where: two, zoo).updated.count == 1)
        let violation = #expect(throws: UniqueViolation.self) { try update(rome, where: nil, zoo) }
        #expect(violation?.properties == ["place.city", "place.street"])
        #expect(try zoo.fetch("Booking").allSatisfy { try zoo.value($0, "place.city") == .null })
        #expect(try update(["note": .text("x")], where: nil, zoo).updated.count == 3)
    }

    // MARK: Restores

    @Test("a row whose unique composite was taken meanwhile is not restored")
    func restores() throws {
        let zoo = try ZooStore(model: Self.model())
        let (first, free) = (try zoo.insert("Booking", row("first", noon)), try zoo.insert("Booking", row("free")))
        let token = try zoo.deleteKept(first.id, free.id)
        try zoo.insert("Booking", row("second", noon))
        try zoo.insert("Booking", row("none"))
        let conflicts = try refusals(zoo, token)
        #expect(conflicts.map(\.count) == [1] && conflicts.flatMap(\.examples) == [first.id])
        _ = try zoo.store.restore(token, .skippingConflicts)
        #expect(try notes(zoo).sorted() == ["free", "none", "second"])
    }

    @Test("of two archived deletions with equal rows only one can be restored")
    func keptTwice() throws {
        let zoo = try ZooStore(model: Self.model())
        let first = try zoo.insert("Booking", row("first", rome))
        let one = try zoo.deleteKept(first.id)
        let second = try zoo.insert("Booking", row("second", rome))
        let other = try zoo.deleteKept(second.id)
        #expect(try zoo.store.conflicts(restoring: [one]).isEmpty)
        #expect(try zoo.store.conflicts(restoring: [one, other]).flatMap(\.examples) == [second.id])
        _ = try zoo.store.restore(other, .strict)
        #expect(try zoo.store.conflicts(restoring: [one]).flatMap(\.examples) == [first.id])
    }

    // MARK: Migrations

    @Test("a migration that makes composites unique detects equal rows")
    func newConstraint() throws {
        let file = try MigrationFile()
        do {
            let store = try file.open(try Self.model(unique: false))
            try file.insert("Booking", [row("a", rome), row("b"), row("c"), row("d", morning)], store)
        }
        #expect(try file.migrate(to: Self.model()) == .migrated)
        let clashing = try MigrationFile()
        do {
            let store = try clashing.open(try Self.model(unique: false))
            try clashing.insert("Booking", [row("a", rome), row("b", rome)], store)
        }
        let error = #expect(throws: StoreMigrationError.self) { try clashing.migrate(to: Self.model()) }
        #expect(error == .notUnique(entity: "Booking", properties: ["place"]))
        #expect(try clashing.open(try Self.model(unique: false)).fetch(Query(entityIndex: 0)).count == 2)
    }

    @Test("rows that broke a constraint before do not prevent a migration")
    func formerConstraint() throws {
        let file = try MigrationFile()
        do { try file.insert("Booking", [row("a", noon), row("b")], try file.open(try Self.model())) }
        try Connection(.file(file.url), access: .readWrite).execute("UPDATE ZBOOKING SET ZNOON = 'noon'")
        #expect(try file.migrate(to: Self.model(extra: true)) == .migrated)
        #expect(try file.open(try Self.model(extra: true)).fetch(Query(entityIndex: 0)).count == 2)
    }
}
