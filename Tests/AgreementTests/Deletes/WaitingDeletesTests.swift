import ObjectGraph
import Testing

@testable import SQLiteStore

/// Pending deletes, with other changes before the save.
@Suite("Pending deletes")
struct WaitingDeletesTests {
    enum Way: CaseIterable { case byObject, byQuery }

    /// An entity with a number and relationships.
    static func entity(_ name: String, _ relationships: [Relationship]) -> EntityDescription {
        var description = EntityDescription(name)
        description.attributes = [Attribute("number", .integer64, optional: true)]
        description.relationships = relationships
        return description
    }

    /// Parents cascade to their children; guests survive their host, and guards deny its deletion.
    private static func model() throws -> Model {
        try Model([
            entity(
                "Parent",
                [
                    Relationship("children", to: "Child", .toMany, inverse: "parent", deleteRule: .cascade),
                    Relationship("guests", to: "Guest", .toMany, inverse: "host"),
                    Relationship("guards", to: "Guard", .toMany, inverse: "post", deleteRule: .deny),
                ]),
            entity("Child", [Relationship("parent", to: "Parent", .toOne, inverse: "children")]),
            entity("Guest", [Relationship("host", to: "Parent", .toOne, inverse: "guests")]),
            entity("Guard", [Relationship("post", to: "Parent", .toOne, inverse: "guards")]),
        ])
    }

    struct World {
        let model: Model
        let store: SQLiteStore
        let graph: Graph
        let other: Graph
        private let faces = [TestFace(), TestFace()]

        init(_ events: ObjectEvents = .asTheyHappen, model: Model? = nil) throws {
            self.model = try model ?? WaitingDeletesTests.model()
            let model = self.model
            store = try SQLiteStore(model: model, location: .memory)
            graph = Graph(model: model, store: store, face: faces[0], events: events)
            other = Graph(model: model, store: store, face: faces[1])
        }

        func entity(_ name: String) throws -> Entity { try #require(model.entity(named: name)) }

        func relationship(_ record: Record, _ name: String) throws -> EntityRelationship {
            try #require(record.entity.relationship(named: name))
        }

        /// A new object, linked with another one.
        @discardableResult
        func insert(_ name: String, _ number: Int64, in graph: Graph, _ end: String = "", _ to: Record? = nil) throws
            -> Record
        {
            let member = newMember(try entity(name))
            member.record.initializeValue(.integer(number), at: 0)
            graph.insert(member)
            if let to {
                Graph.link(member, try relationship(member.record, end), to: [graph.member(to)])
            }
            return member.record
        }

        func query(_ name: String, number: Int64? = nil) throws -> Query {
            let index = try entity(name).index
            var query = Query(entityIndex: index)
            if let number {
                query.predicate = .compare(
                    .equal,
                    .attribute(
                        .variable(.root), AttributeReference(entityIndex: index, slot: 0, path: "number")),
                    .literal(.integer(number)))
            }
            return query
        }

        func delete(_ name: String, number: Int64? = nil, _ way: Way) throws {
            let query = try query(name, number: number)
            switch way {
            case .byObject: try graph.delete(graph.fetch(query))
            case .byQuery: try graph.delete(matching: query)
            }
        }

        func destination(_ record: Record, _ name: String) throws -> ObjectID? {
            graph.destination(of: record, try relationship(record, name))?.id
        }
    }

    @Test(
        "rows that another context links meanwhile are cascaded or nullified, merged or not",
        arguments: Way.allCases, [true, false])
    func linkedMeanwhile(way: Way, isMerged: Bool) throws {
        let world = try World()
        let parent = try world.insert("Parent", 1, in: world.graph)
        try world.graph.save()
        try world.delete("Parent", way)
        let theirs = try #require(world.other.record(for: parent.id))
        try world.insert("Child", 2, in: world.other, "parent", theirs)
        let guest = try world.insert("Guest", 3, in: world.other, "host", theirs)
        let saved = try world.other.save()
        if isMerged {
            world.graph.inbox.post(saved)
            #expect(try world.graph.fetch(world.query("Child")).count == 1)
        }
        try world.graph.save()
        #expect(try world.store.count(world.query("Parent")) == 0)
        #expect(try world.store.count(world.query("Child")) == 0)
        let left = try #require(try world.store.snapshots(of: [guest.id]).first)
        #expect(left.values == [.integer(3), .null])
    }

    @Test(
        "a row that another context deletes meanwhile does not return at the save",
        arguments: [ObjectEvents.asTheyHappen, .collected])
    func deletedMeanwhile(events: ObjectEvents) throws {
        let world = try World(events)
        let guest = try world.insert("Guest", 1, in: world.graph)
        try world.insert("Guest", 2, in: world.graph)
        try world.graph.save()
        try world.delete("Guest", .byQuery)
        try world.other.delete([try #require(world.other.record(for: guest.id))])
        world.graph.inbox.post(try world.other.save())
        #expect(try world.graph.fetch(world.query("Guest")).isEmpty)
        try world.graph.save()
        #expect(guest.isGone)
        #expect(world.graph.registeredRecord(for: guest.id) == nil)
        #expect(try world.graph.fetch(world.query("Guest")).isEmpty)
    }

    @Test("an object deleted before it was saved, and linked to a new one, is found once")
    func deletedUnsavedAndLinked() throws {
        let world = try World()
        let (parent, child) = (newMember(try world.entity("Parent")), newMember(try world.entity("Child")))
        world.graph.insert(parent)
        try world.graph.delete([parent.record])
        Graph.link(child, try world.relationship(child.record, "parent"), to: [parent])
        world.graph.insert(child)
        #expect(try world.graph.fetch(world.query("Parent")).map(\.id) == [parent.record.id])
        try world.graph.save()
        #expect(try world.store.count(world.query("Parent")) == 1)
    }

    @Test(
        "rollback and undo restore the links of edited survivors", arguments: Way.allCases, [true, false])
    func takenBack(way: Way, byRollback: Bool) throws {
        final class Steps: UndoRecorder {
            var steps: [UndoStep] = []
            func note(_ step: UndoStep) { steps.append(step) }
        }
        let world = try World()
        let parent = try world.insert("Parent", 1, in: world.graph)
        let guest = try world.insert("Guest", 3, in: world.graph, "host", parent)
        try world.graph.save()
        let recorder = Steps()
        world.graph.undoRecorder = recorder
        try world.delete("Parent", way)
        #expect(try world.destination(guest, "host") == nil)
        let steps = recorder.steps
        guest.setValue(.integer(4), at: 0)
        if byRollback {
            world.graph.rollback()
        } else {
            for step in steps.reversed() { world.graph.revert(step) }
        }
        #expect(try world.destination(guest, "host") == parent.id)
        #expect(guest.value(0) == .integer(byRollback ? 3 : 4))
        #expect(try world.graph.fetch(world.query("Parent")).map(\.id) == [parent.id])
        try world.graph.checkInvariants()
        try world.graph.save()
        let stored = try #require(try world.store.snapshots(of: [guest.id]).first)
        #expect(stored.values[1] == .reference(parent.id))
    }

    @Test(
        "a second delete does not match rows that the first one hides, though they are stored", arguments: Way.allCases)
    func joins(way: Way) throws {
        let world = try World()
        let parent = try world.insert("Parent", 1, in: world.graph)
        try world.insert("Child", 2, in: world.graph, "parent", parent)
        try world.graph.save()
        try world.delete("Child", way)
        var query = try world.query("Parent")
        query.predicate = .compare(
            .equal,
            .count(
                .toMany(
                    .variable(.root),
                    RelationshipReference(entityIndex: query.entityIndex, index: 0, name: "children"))),
            .literal(.integer(0)))
        #expect(try world.graph.count(query) == 1)
        try world.graph.delete(matching: query)
        #expect(try world.graph.count(world.query("Parent")) == 0)
        try world.graph.save()
        #expect(try world.store.count(world.query("Parent")) == 0)
    }

    @Test(
        "a row that another context moves away meanwhile is deleted with an object, and stays after a delete by predicate",
        arguments: Way.allCases, [true, false])
    func movedAwayMeanwhile(way: Way, isMerged: Bool) throws {
        let world = try World()
        let parents = try (1...2).map { try world.insert("Parent", $0, in: world.graph) }
        let child = try world.insert("Child", 3, in: world.graph, "parent", parents[0])
        try world.graph.save()
        try world.delete("Parent", number: 1, way)
        let moved = try #require(world.other.record(for: child.id))
        let owner = try #require(world.other.record(for: parents[1].id))
        Graph.link(
            world.other.member(moved), try world.relationship(moved, "parent"), to: [world.other.member(owner)])
        let saved = try world.other.save()
        if isMerged { world.graph.inbox.post(saved) }
        try world.graph.save()
        #expect(try world.store.fetchIDs(world.query("Parent")) == [parents[1].id])
        #expect(try world.store.count(world.query("Child")) == (way == .byQuery ? 1 : 0))
    }

    @Test("a row below a bulk delete that is deleted explicitly, too, is deleted though another context moves it away")
    func deletedExplicitlyToo() throws {
        let world = try World()
        let parents = try (1...2).map { try world.insert("Parent", $0, in: world.graph) }
        let child = try world.insert("Child", 3, in: world.graph, "parent", parents[0])
        try world.graph.save()
        try world.delete("Parent", number: 1, .byQuery)
        try world.graph.delete([child])
        let moved = try #require(world.other.record(for: child.id))
        let owner = try #require(world.other.record(for: parents[1].id))
        Graph.link(
            world.other.member(moved), try world.relationship(moved, "parent"), to: [world.other.member(owner)])
        world.graph.inbox.post(try world.other.save())
        try world.graph.save()
        #expect(try world.store.fetchIDs(world.query("Parent")) == [parents[1].id])
        #expect(try world.store.count(world.query("Child")) == 0)
    }

    @Test(
        "a link that another context saved does not deny a deletion if this context has given its end another object",
        arguments: Way.allCases, [true, false])
    func denialReplaced(way: Way, isMerged: Bool) throws {
        let model = try Model([
            Self.entity("Lock", [Relationship("key", to: "Key", .toOne, inverse: "lock", deleteRule: .deny)]),
            Self.entity("Key", [Relationship("lock", to: "Lock", .toOne, inverse: "key")]),
        ])
        let world = try World(model: model)
        let locks = try (1...2).map { try world.insert("Lock", $0, in: world.graph) }
        let key = try world.insert("Key", 3, in: world.graph)
        try world.graph.save()
        let theirs = try #require(world.other.record(for: key.id))
        let lock = try #require(world.other.record(for: locks[0].id))
        Graph.link(world.other.member(theirs), try world.relationship(theirs, "lock"), to: [world.other.member(lock)])
        let saved = try world.other.save()
        Graph.link(
            world.graph.member(key), try world.relationship(key, "lock"), to: [world.graph.member(locks[1])])
        if isMerged { world.graph.inbox.post(saved) }
        try world.delete("Lock", number: 1, way)
        try world.graph.save()
        #expect(try world.store.fetchIDs(world.query("Lock")) == [locks[1].id])
        let stored = try #require(try world.store.snapshots(of: [key.id]).first)
        #expect(stored.values[1] == .reference(locks[1].id))
    }

    @Test("a denial ends when the denying object is given another destination before the save", arguments: Way.allCases)
    func denialLifted(way: Way) throws {
        let world = try World()
        let post = try world.insert("Parent", 1, in: world.graph)
        let other = try world.insert("Parent", 2, in: world.graph)
        let sentry = try world.insert("Guard", 3, in: world.graph, "post", post)
        try world.graph.save()
        try world.delete("Parent", number: 1, way)
        #expect(throws: (any Error).self) { try world.graph.save() }
        #expect(try world.store.count(world.query("Parent")) == 2)
        Graph.link(
            world.graph.member(sentry), try world.relationship(sentry, "post"), to: [world.graph.member(other)])
        try world.graph.save()
        #expect(try world.store.fetchIDs(world.query("Parent")) == [other.id])
        let stored = try #require(try world.store.snapshots(of: [sentry.id]).first)
        #expect(stored.values[1] == .reference(other.id))
    }
}
