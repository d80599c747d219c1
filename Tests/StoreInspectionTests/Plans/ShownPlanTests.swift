import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Only confirmed plans are executed.
@Suite("Plans that were shown")
struct ShownPlanTests {
    @Test("A delete in steps, and an erasure, are refused if they would delete other rows than shown")
    func refused() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string)]
        let url = folder.appendingPathComponent("a.store")
        let store = try SQLiteStore(model: try Model([item]), location: .file(url))
        func add() throws {
            var changes = ChangeSet()
            changes.insertions = [
                ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.text("a")])
            ]
            _ = try store.save(changes)
        }
        try add()
        let request = DeleteRequest(.everything)
        let shown = try store.plan(request)
        try add()
        #expect(throws: DeleteError.storeMoved) { try store.startJob(request, expecting: shown) }
        #expect(throws: DeleteError.storeMoved) { try store.erase(request, expecting: shown) }
        #expect(try store.jobs().isEmpty)
        #expect(try store.reading { try $0.count(Query(entityIndex: 0)) } == 2)
        let now = try store.plan(request)
        #expect(try store.erase(request, expecting: now).plan.deleted.count == 2)
    }
}
