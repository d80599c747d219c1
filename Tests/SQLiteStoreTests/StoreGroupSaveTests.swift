import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Saves of several stores")
struct StoreGroupSaveTests {
    private let model: Model
    private let folder: TemporaryFolder

    init() throws {
        model = try Model(
            ["A", "B"].map { name in
                var description = EntityDescription(name)
                description.attributes = [Attribute("name", .string, optional: true)]
                return description
            })
        folder = try TemporaryFolder()
    }

    private func stores(isSecondReadOnly: Bool = false) throws -> StoreGroup {
        let stores = try model.descriptions.map { description in
            try SQLiteStore(
                model: model.restricted(to: [description.name]),
                location: .file(folder.appendingPathComponent(description.name)),
                isReadOnly: isSecondReadOnly && description.name == "B")
        }
        return try StoreGroup(model: model, stores: stores)
    }

    private func insertion(_ entity: Int) -> ChangeSet.Insertion {
        ChangeSet.Insertion(
            id: .temporary(entityName: model[entity].name), entityIndex: entity, values: [.text("new")])
    }

    private func insertEach(_ set: StoreGroup) throws -> [ObjectID] {
        var changes = ChangeSet()
        changes.insertions = [insertion(0), insertion(1)]
        guard case .saved(let rows) = try set.save(changes) else { return [] }
        return rows.inserted.map(\.id)
    }

    @Test("a watched row is compared in its own store, and a changed one keeps all stores unchanged")
    func watching() throws {
        let set = try stores()
        let rows = try insertEach(set)
        var changes = ChangeSet()
        changes.insertions = [insertion(0)]
        changes.watched = [.init(id: rows[1], entityIndex: 1, expectedVersion: 1)]
        guard case .saved = try set.save(changes) else {
            Issue.record("It is as expected.")
            return
        }
        changes.watched[0].expectedVersion = 7
        guard case .conflicts(let conflicts) = try set.save(changes) else {
            Issue.record("It is at version 1.")
            return
        }
        #expect(conflicts.map(\.id) == [rows[1]])
        #expect(try StoreView(set).count(Query(entityIndex: 0)) == 2)
    }

    @Test("a watched row in a read-only store does not refuse the save")
    func watchingReadOnly() throws {
        let rows = try insertEach(try stores())
        let set = try stores(isSecondReadOnly: true)
        var changes = ChangeSet()
        changes.insertions = [insertion(0)]
        changes.watched = [.init(id: rows[1], entityIndex: 1, expectedVersion: 7)]
        guard case .saved(let saved) = try set.save(changes) else {
            Issue.record("There was no other writer.")
            return
        }
        #expect(saved.inserted.count == 1)
        changes.insertions.append(insertion(1))
        #expect(throws: StoreGroupError.readOnly(entities: ["B"])) { _ = try set.save(changes) }
    }
}
