import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Rows without a row version, as other programs may leave them.
@Suite("Rows without a version")
struct RowsWithoutVersionTests {
    private func row(_ zoo: ZooStore) throws -> Snapshot {
        let id = try zoo.insert("Animal", ["name": .text("Ida")]).id
        _ = try zoo.rows("UPDATE ZANIMAL SET Z_OPT = NULL")
        return try zoo.snapshot(id)
    }

    @Test("rows without a version count as version 0, and are saved and deleted like any other")
    func saving() throws {
        let zoo = try ZooStore()
        let row = try row(zoo)
        #expect(row.version == 0)
        try zoo.save { $0.updates = [try zoo.update(row, ["age": .integer(3)])] }
        let updated = try zoo.snapshot(row.id)
        #expect(updated.version == 1)
        _ = try zoo.rows("UPDATE ZANIMAL SET Z_OPT = NULL")
        let entityIndex = try zoo.entity("Animal").index
        try zoo.save { $0.watched = [.init(id: row.id, entityIndex: entityIndex, expectedVersion: 0)] }
        try zoo.save { $0.deletions = [try zoo.deletion(row)] }
        #expect(try zoo.fetch("Animal").isEmpty)
    }

    @Test("every change increases their version")
    func raising() throws {
        let zoo = try ZooStore()
        let category = try zoo.insert("Category", ["name": .text("c"), "rank": .integer(1)])
        let person = try zoo.insert("Person", [:])
        let animal = try zoo.insert("Animal", ["name": .text("Ida"), "keeper": .reference(person.id)])
        _ = try zoo.rows("UPDATE ZCATEGORY SET Z_OPT = NULL")
        _ = try zoo.rows("UPDATE ZANIMAL SET Z_OPT = NULL")
        let entity = try zoo.entity("Category")
        let slot = try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == "rank" })
        var batch = BatchUpdate(Query(entityIndex: entity.index))
        batch.assignments = [.init(slot: slot, value: .literal(.integer(2)))]
        _ = try zoo.store.update(batch)
        #expect(try zoo.snapshot(category.id).version == 1)
        var request = DeleteRequest(.rows(RowSet([person.id])))
        request.recovery = .archived()
        _ = try zoo.store.delete(request)
        #expect(try zoo.snapshot(animal.id).version == 1)
        _ = try zoo.store.restore(try #require(request.recovery.token), .strict)
        #expect(try zoo.snapshot(animal.id).version == 2)
    }
}
