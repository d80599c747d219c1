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

    /// Whether a save is refused that links a surviving person to a group which the same save deletes.
    private func isRefused(group: DeleteRule, person: DeleteRule, inverse: Bool = true, _ link: Direction) throws
        -> Bool
    {
        var root = EntityDescription("Root")
        root.relationships = [Relationship("groups", to: "Group", .toMany, inverse: "root", deleteRule: .cascade)]
        var groups = EntityDescription("Group")
        groups.relationships = [
            Relationship("root", to: "Root", .toOne, inverse: "groups"),
            Relationship("people", to: "Person", .toMany, inverse: inverse ? "groups" : nil, deleteRule: group),
        ]
        var people = EntityDescription("Person")
        if inverse {
            people.relationships = [
                Relationship("groups", to: "Group", .toMany, inverse: "people", deleteRule: person)
            ]
        }
        let zoo = try ZooStore(model: try Model([root, groups, people]))
        let (first, member) = (try zoo.insert("Root", [:]), try zoo.insert("Person", [:]))
        let joined = try zoo.insert("Group", ["root": .reference(first.id)])
        var changes = ChangeSet()
        changes.bulkDelete = DeleteRequest(.rows(RowSet([first.id])))
        switch link {
        case .ofGroup: changes.links = [try zoo.link(joined.id, "people", added: [member.id])]
        case .ofPerson: changes.links = [try zoo.link(member.id, "groups", added: [joined.id])]
        }
        let result = try zoo.store.save(changes)
        #expect(try zoo.store.check() == [])
        guard case .conflicts(let conflicts) = result else { return false }
        #expect(conflicts.map(\.id) == [joined.id])
        #expect(try zoo.fetch("Group").count == 1, "nothing was written")
        return true
    }

    enum Direction: CaseIterable {
        case ofGroup, ofPerson
    }

    @Test(
        "a many-to-many link to a row that the same save deletes is judged by that row's rule",
        arguments: Direction.allCases)
    func manyToMany(_ link: Direction) throws {
        #expect(try isRefused(group: .nullify, person: .noAction, link))
        #expect(try isRefused(group: .nullify, person: .nullify, link))
        #expect(try isRefused(group: .deny, person: .noAction, link))
        #expect(try !isRefused(group: .noAction, person: .nullify, link))
    }

    @Test("a link of a deleted owner without an inverse is a conflict if its rule concerns the destination")
    func withoutInverse() throws {
        #expect(try isRefused(group: .cascade, person: .nullify, inverse: false, .ofGroup))
        #expect(try !isRefused(group: .nullify, person: .nullify, inverse: false, .ofGroup))
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
