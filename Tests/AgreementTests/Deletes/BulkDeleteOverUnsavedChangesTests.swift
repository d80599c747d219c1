import ObjectGraph
import Testing

@testable import SQLiteStore

/// Deletes by predicate in a context whose unsaved changes affect which objects are deleted.
@Suite("Bulk deletes over unsaved changes")
struct BulkDeleteOverUnsavedChangesTests {
    private typealias World = WaitingDeletesTests.World

    /// Two saved parents, the first of which has children.
    private struct Family {
        let world: World
        let first: Record
        let second: Record
        var graph: Graph { world.graph }

        init(children: Int64) throws {
            world = try World()
            first = try world.insert("Parent", 1, in: world.graph)
            second = try world.insert("Parent", 2, in: world.graph)
            for number in 0..<children { try world.insert("Child", 10 + number, in: world.graph, "parent", first) }
            try world.graph.save()
        }

        func child(_ number: Int64) throws -> Record {
            try #require(graph.fetch(world.query("Child", number: number)).first)
        }

        func move(_ record: Record, _ relationship: String, to destination: Record) throws {
            Graph.link(
                graph.member(record), try world.relationship(record, relationship), to: [graph.member(destination)])
        }

        func storedNumbers(_ name: String) throws -> [Value] {
            try world.store.fetch(world.query(name)).map { $0.values[0] }
        }
    }

    @Test("rows of a store that deletes no sets are refused, with unsaved changes as without")
    func capability() throws {
        let model = try Model(["A", "B"].map { WaitingDeletesTests.entity($0, []) })
        let other = ObjectStore(
            identifier: "OBJECTS", model: try model.restricted(to: ["B"]), isReadOnly: false, rows: OneRow())
        let sqlite = try SQLiteStore(model: model.restricted(to: ["A"]), location: .memory)
        let face = TestFace()
        let graph = Graph(
            model: model, store: StoreView(try StoreGroup(model: model, stores: [other, sqlite])), face: face)
        let refusal = StoreCapabilityError.deletesNoSets(store: "OBJECTS")
        #expect(throws: refusal) { try graph.delete(matching: Query(entityIndex: 1)) }
        graph.insert(newMember(model[0]))
        #expect(throws: refusal) { try graph.delete(matching: Query(entityIndex: 1)) }
        #expect(try graph.count(Query(entityIndex: 1)) == 1)
        try graph.delete(matching: Query(entityIndex: 0))
        #expect(try graph.count(Query(entityIndex: 0)) == 0)
    }

    @Test("a bulk delete of edited objects reads no row, and registers no object")
    func readsNothing() throws {
        let family = try Family(children: 500)
        let graph = family.world.other
        let edited = try #require(graph.fetch(family.world.query("Child", number: 12)).first)
        edited.setValue(.integer(1_000), at: 0)
        try graph.delete(matching: family.world.query("Parent", number: 1))
        #expect(graph.registeredRecords.map(\.id) == [edited.id] && edited.isDeleted)
        #expect(try graph.count(family.world.query("Child")) == 0)
        try graph.save()
        #expect(try family.storedNumbers("Child").isEmpty && family.storedNumbers("Parent") == [.integer(2)])
    }

    @Test("children moved away stay; children moved in or inserted below are deleted")
    func movedObjects() throws {
        let family = try Family(children: 3)
        let away = try family.child(10)
        try family.move(away, "parent", to: family.second)
        let inserted = try family.world.insert("Child", 20, in: family.graph, "parent", family.first)
        let own = try family.world.insert("Child", 21, in: family.graph, "parent", family.second)
        try family.graph.delete(matching: family.world.query("Parent", number: 1))
        #expect(inserted.graph == nil && !away.isDeleted && !own.isDeleted)
        #expect(
            try family.graph.fetch(family.world.query("Child")).map { $0.value(0) } == [.integer(10), .integer(21)])
        try family.graph.save()
        #expect(try family.storedNumbers("Child") == [.integer(10), .integer(21)])
        #expect(try family.storedNumbers("Parent") == [.integer(2)])
        try family.graph.checkInvariants()
    }

    @Test("an unsaved link is nullified in survivors, and refuses if its rule is deny")
    func unsavedLinks() throws {
        let family = try Family(children: 0)
        let guest = try family.world.insert("Guest", 3, in: family.graph, "host", family.first)
        let sentry = try family.world.insert("Guard", 4, in: family.graph, "post", family.first)
        try family.graph.delete(matching: family.world.query("Parent", number: 1))
        #expect(try family.world.destination(guest, "host") == nil)
        #expect(throws: DeleteError.self) { try family.graph.save() }
        #expect(try family.storedNumbers("Parent").count == 2 && family.storedNumbers("Guest").isEmpty)
        try family.move(sentry, "post", to: family.second)
        try family.graph.save()
        #expect(try family.storedNumbers("Parent") == [.integer(2)])
        #expect(try family.storedNumbers("Guest") == [.integer(3)])
    }

    @Test("an object inserted again is kept, though a cascade reaches it; its deleted owner is not")
    func kept() throws {
        let family = try Family(children: 3)
        let row = try #require(family.world.store.fetchIDs(family.world.query("Child")).dropFirst().first)
        try family.graph.delete(matching: family.world.query("Parent", number: 1))
        let child = try #require(family.graph.record(for: row))
        #expect(child.isDeleted)
        family.graph.insert(family.graph.member(child))
        #expect(!child.isDeleted)
        #expect(try family.world.destination(child, "parent") == nil)
        #expect(try family.graph.count(family.world.query("Child")) == 1)
        try family.graph.save()
        #expect(try family.storedNumbers("Child") == [child.value(0)])
        #expect(try family.storedNumbers("Parent") == [.integer(2)])
        try family.graph.checkInvariants()
    }

    @Test("an archived delete is refused if it would lose unsaved changes, and executed otherwise")
    func archived() throws {
        let family = try Family(children: 2)
        let edited = try family.child(10)
        edited.setValue(.integer(30), at: 0)
        #expect(throws: DeleteError.unsavedChanges) {
            try family.graph.deleteRecoverably(matching: family.world.query("Parent", number: 1))
        }
        #expect(!edited.isDeleted && !family.first.isDeleted)
        let token = try family.graph.deleteRecoverably(matching: family.world.query("Parent", number: 2))
        try family.graph.save()
        #expect(token != nil)
        #expect(try family.world.store.archivedDeletes().map(\.token) == [token])
        #expect(try family.storedNumbers("Child") == [.integer(30), .integer(11)])
    }

    @Test("an edited object matches by values saved elsewhere, even if only its identifier was reported")
    func changedByOthers() throws {
        let family = try Family(children: 1)
        let child = try family.child(10)
        try family.move(child, "parent", to: family.second)
        let theirs = try #require(family.world.other.fetch(family.world.query("Child")).first)
        theirs.setValue(.integer(50), at: 0)
        try family.world.other.save()
        var changes = SavedChanges()
        changes.updatedIDs = [child.id]
        family.graph.inbox.post(changes)
        try family.graph.delete(matching: family.world.query("Child", number: 50))
        #expect(child.isDeleted)
        try family.graph.save()
        #expect(try family.storedNumbers("Child").isEmpty)
    }
}

/// The rows of a program's own store, which cannot plan: one row of "B".
private final class OneRow: ObjectRows {
    private let row = Snapshot(
        id: ObjectID(space: IDSpace.intern(storeIdentifier: "OBJECTS", entityName: "B"), key: 1), version: 1,
        values: [.integer(1)])

    func answer(to query: Query) throws -> ObjectAnswer { .rows([row]) }
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { ids.contains(row.id) ? [row] : [] }
    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID] { [] }
    func conflicts(with changes: ChangeSet) throws -> [Conflict] { [] }
    func write(_ changes: ChangeSet) throws -> SavedRows { SavedRows(asGiven: changes) }
}
