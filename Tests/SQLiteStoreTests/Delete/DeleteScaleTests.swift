import ObjectGraph
import Testing

@testable import SQLiteStore

/// The number of statements of a delete, for any size.
@Suite("Deletes of many rows take few statements")
struct DeleteScaleTests {
    /// A folder tree: children are deleted with their folder, labels stay, the shelf is only updated.
    private static func model() throws -> Model {
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("number", .integer64, optional: true)]
        shelf.relationships = [Relationship("folders", to: "Folder", .toMany, inverse: "shelf")]
        var folder = EntityDescription("Folder")
        folder.attributes = [Attribute("number", .integer64, optional: true)]
        folder.relationships = [
            Relationship("parent", to: "Folder", .toOne, inverse: "children"),
            Relationship("children", to: "Folder", .toMany, inverse: "parent", deleteRule: .cascade),
            Relationship("shelf", to: "Shelf", .toOne, inverse: "folders"),
            Relationship("labels", to: "Label", .toMany, inverse: "folders"),
        ]
        var label = EntityDescription("Label")
        label.attributes = [Attribute("number", .integer64, optional: true)]
        label.relationships = [Relationship("folders", to: "Folder", .toMany, inverse: "labels")]
        return try Model([shelf, folder, label])
    }

    private func zoo() throws -> ZooStore { try ZooStore(model: try Self.model()) }

    /// Folders numbered from 0, each in the given parent; `nil` for none.
    private func fill(
        _ zoo: ZooStore, _ count: Int, shelf: ObjectID? = nil, label: ObjectID? = nil, parent: (Int) -> Int?
    ) throws -> [ObjectID] {
        var ids: [ObjectID] = []
        let rows = try zoo.save { changes in
            for number in 0..<count {
                var values: [String: Value] = ["number": .integer(Int64(number))]
                if let shelf { values["shelf"] = .reference(shelf) }
                if let parent = parent(number) { values["parent"] = .reference(ids[parent]) }
                let insertion = try zoo.insertion("Folder", values)
                ids.append(insertion.id)
                changes.insertions.append(insertion)
                if let label { changes.links.append(try zoo.link(label, "folders", added: [insertion.id])) }
            }
        }
        return rows.inserted.map(\.id)
    }

    private func count(_ zoo: ZooStore, _ entity: String) throws -> Int {
        try zoo.store.count(Query(entityIndex: try zoo.entity(entity).index))
    }

    @Test("a delete takes as many statements for ten rows as for ten thousand", arguments: [true, false])
    func statements(everything: Bool) throws {
        var counts: [Int] = []
        for size in [10, 10_000] {
            let zoo = try zoo()
            let (shelf, label) = (try zoo.insert("Shelf", [:]), try zoo.insert("Label", [:]))
            let all = try fill(zoo, size, shelf: shelf.id, label: label.id) { $0 < size / 2 ? nil : $0 - size / 2 }
            zoo.log.clear()
            let roots = everything ? all : Array(all.prefix(size / 4))
            let result = try zoo.store.delete(DeleteRequest(.rows(RowSet(roots))))
            counts.append(zoo.log.statements.count)
            #expect(result.plan.deleted.count == (everything ? size : size / 4 * 2))
            #expect(try count(zoo, "Folder") == size - result.plan.deleted.count)
            #expect(try zoo.snapshot(shelf.id).version == 2)
            #expect(try zoo.snapshot(label.id).version == 2)
            #expect(try zoo.members(label.id, "folders").count == size - result.plan.deleted.count)
        }
        // A large part of a table may be counted before it is deleted.
        #expect(abs(counts[0] - counts[1]) <= 4, "\(counts)")
        #expect(counts[1] <= 45, "\(counts)")
    }

    @Test("a chain ten thousand deep is deleted with a few statements for each level", arguments: [true, false])
    func chain(fromFirstKey: Bool) throws {
        let depth = 10_000
        let zoo = try zoo()
        var chain: [ObjectID]
        if fromFirstKey {
            chain = try fill(zoo, depth) { $0 == 0 ? nil : $0 - 1 }
        } else {
            chain = try fill(zoo, depth) { _ in nil }
            let rows = try zoo.store.snapshots(of: chain).sorted { $0.id < $1.id }
            try zoo.save { changes in
                changes.updates = try rows.dropLast().map {
                    try zoo.update(
                        $0, ["parent": .reference(ObjectID(space: $0.id.space, key: $0.id.key + 1))])
                }
            }
            chain = rows.map(\.id).reversed()
        }
        zoo.log.clear()
        let plan = try zoo.store.plan(DeleteRequest(.rows(RowSet([chain[depth / 2]]))))
        #expect(plan.deleted.count == depth / 2)
        #expect(zoo.log.statements.count <= 4 * depth / 2 + 40, "\(zoo.log.statements.count)")
        #expect(plan.reaches.count == 2)
        zoo.log.clear()
        let result = try zoo.store.delete(DeleteRequest(.rows(RowSet([chain[0]]))))
        #expect(result.plan.deleted.count == depth)
        #expect(zoo.log.statements.count <= 4 * depth + 40, "\(zoo.log.statements.count)")
        #expect(try count(zoo, "Folder") == 0)
    }

    @Test("a hundred thousand rows can be deleted by identifier, beyond the limit of bound parameters")
    func manyRoots() throws {
        let size = 100_000
        let zoo = try zoo()
        let shelf = try zoo.insert("Shelf", [:])
        let all = try fill(zoo, size, shelf: shelf.id) { _ in nil }
        let odd = all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        zoo.log.clear()
        // Missing ones are ignored.
        let absent = (1...size).map { ObjectID(space: all[0].space, key: Int64(size * 10 + $0)) }
        let result = try zoo.store.delete(DeleteRequest(.rows(RowSet(odd + absent))))
        #expect(result.plan.roots.count == size / 2)
        #expect(zoo.log.statements.count <= 45)
        #expect(try count(zoo, "Folder") == size / 2)
        #expect(try zoo.store.delete(DeleteRequest(.rows(RowSet(odd)))).plan.isEmpty)
        #expect(try zoo.store.delete(DeleteRequest(.rows(RowSet(all)))).plan.deleted.count == size / 2)
        #expect(try count(zoo, "Folder") == 0)
    }

    @Test("keys are not assigned again, whatever was deleted and however")
    func keysAreNotReused() throws {
        let zoo = try zoo()
        let all = try fill(zoo, 100) { _ in nil }
        _ = try zoo.store.delete(DeleteRequest(.everything))
        #expect(try zoo.insert("Folder", [:]).id.key == Int64(all.count + 1))
        let query = Query(entityIndex: try zoo.entity("Folder").index)
        _ = try zoo.store.delete(DeleteRequest(.matching(query)))
        #expect(try zoo.insert("Folder", [:]).id.key == Int64(all.count + 2))
    }
}
