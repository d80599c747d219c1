import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Bulk deletes that affect more rows at the save than at the call.
@Suite("Bulk deletes that affect more rows at the save")
struct ReachedFurtherTests {
    private func moved(_ zoo: ZooStore) throws -> (doomed: Snapshot, animal: Snapshot) {
        let doomed = try zoo.insert("Category", ["name": .text("doomed")])
        let other = try zoo.insert("Category", ["name": .text("other")])
        return (doomed, try zoo.insert("Animal", ["name": .text("Ida"), "category": .reference(other.id)]))
    }

    private func move(_ animal: Snapshot, to category: Snapshot, _ zoo: ZooStore) throws {
        try zoo.save { $0.updates = [try zoo.update(animal, ["category": .reference(category.id)])] }
    }

    @Test("linking a row that the same save deletes is a conflict")
    func conflict() throws {
        let zoo = try ZooStore()
        let (doomed, animal) = try moved(zoo)
        let tag = try zoo.insert("Tag", ["label": .text("t")])
        try move(animal, to: doomed, zoo)
        var changes = ChangeSet()
        changes.bulkDelete = DeleteRequest(.rows(RowSet([doomed.id])))
        func isRefused(_ changes: ChangeSet) throws -> Bool {
            guard case .conflicts(let conflicts) = try zoo.store.save(changes) else { return false }
            return conflicts == [Conflict(id: animal.id, expectedVersion: 0, stored: nil)]
        }
        var visiting = changes
        visiting.insertions = [try zoo.insertion("Visit", ["animal": .reference(animal.id)])]
        visiting.updates = [try zoo.update(animal, [:], toMany: ["visits"])]
        #expect(try isRefused(visiting))
        var tagging = changes
        tagging.links = [try zoo.link(animal.id, "tags", added: [tag.id])]
        #expect(try isRefused(tagging))
        #expect(try zoo.fetch("Category").count == 2, "nothing was written")
        // A row with edits alone is deleted.
        changes.updates = [try zoo.update(animal, ["name": .text("Eva")])]
        guard case .saved = try zoo.store.save(changes) else {
            Issue.record("conflict")
            return
        }
        #expect(try zoo.fetch("Animal").isEmpty)
        #expect(try zoo.store.check() == [])
    }

    @Test("a link with a deleted owner is not stored, from either side", arguments: [true, false])
    func goneOwner(fromAnimal: Bool) throws {
        let zoo = try ZooStore()
        let animal = try zoo.insert("Animal", ["name": .text("Ida")])
        let (tag, album) = (try zoo.insert("Tag", [:]), try zoo.insert("Album", [:]))
        let photo = try zoo.insert("Photo", [:])
        try zoo.save { $0.deletions = [try zoo.deletion(animal), try zoo.deletion(album)] }
        try zoo.save {
            $0.links = [
                try fromAnimal
                    ? zoo.link(animal.id, "tags", added: [tag.id]) : zoo.link(tag.id, "animals", added: [animal.id]),
                try zoo.link(album.id, "photos", added: [photo.id]),
            ]
        }
        #expect(try zoo.store.check() == [])
    }

    @Test("a context saves its delete and its new object, without the link to the deleted row")
    func graph() throws {
        let zoo = try ZooStore()
        let (doomed, animal) = try moved(zoo)
        let graph = Graph(model: zoo.model, store: zoo.store)
        let category = try zoo.entity("Category")
        let name = try zoo.attribute("Category", "name")
        try graph.delete(
            matching: Query(
                entityIndex: category.index, predicate: .compare(.equal, name, .literal(.text("doomed")))))
        let record = try #require(try graph.fetch(Query(entityIndex: try zoo.entity("Animal").index)).first)
        final class Object {}
        let visit: Graph.Member = (Record(newObjectOf: try zoo.entity("Visit")), Object())
        graph.insert(visit)
        graph.setDestination(of: visit.record, try zoo.relationship("Visit", "animal"), to: record)
        try move(animal, to: doomed, zoo)
        try graph.save()
        #expect(try zoo.fetch("Animal").isEmpty)
        #expect(try zoo.fetch("Visit").count == 1)
        #expect(try zoo.store.check() == [])
    }
}
