import ObjectGraph
import Testing

@testable import SQLiteStore

/// Rows that others delete and restore, while their objects stay deleted until the save.
@Suite("Rows deleted by others")
struct RemoteDeletesTests {
    private typealias World = WaitingDeletesTests.World

    /// Parents cascade to both kinds of children. Toys survive their owner.
    private static func model() throws -> Model {
        let entity = WaitingDeletesTests.entity
        return try Model([
            entity(
                "Parent",
                [
                    Relationship("children", to: "Child", .toMany, inverse: "parent", deleteRule: .cascade),
                    Relationship("wards", to: "Child", .toMany, inverse: "guardian", deleteRule: .cascade),
                ]),
            entity(
                "Child",
                [
                    Relationship("parent", to: "Parent", .toOne, inverse: "children"),
                    Relationship("guardian", to: "Parent", .toOne, inverse: "wards"),
                    Relationship("toys", to: "Toy", .toMany, inverse: "owner"),
                ]),
            entity("Toy", [Relationship("owner", to: "Child", .toOne, inverse: "toys")]),
        ])
    }

    private func makeWorld() throws -> World { try World(.collected, model: Self.model()) }

    private func link(_ owner: Record, _ name: String, to destination: Record, in world: World) throws {
        Graph.link(
            world.graph.member(owner), try world.relationship(owner, name), to: [world.graph.member(destination)])
    }

    /// Deletes a parent's row in the other context.
    private func delete(_ number: Int64, in world: World) throws -> RecoveryToken {
        let query = try world.query("Parent", number: number)
        let token = try #require(try world.other.deleteRecoverably(matching: query))
        world.graph.inbox.post(try world.other.save())
        world.graph.mergeWaitingChanges()
        return token
    }

    private func restore(_ token: RecoveryToken, in world: World) throws {
        let rows = try world.store.restore(token, .strict)
        var changes = SavedChanges()
        changes.inserted = Array(rows.restored.ids)
        changes.updatedIDs = Array(rows.updated.ids)
        world.graph.inbox.post(changes)
        world.graph.mergeWaitingChanges()
    }

    /// A parent, a child that only an unsaved link gives it, and two toys of the child, one with an unsaved value.
    private func insertFamily(in world: World) throws -> (parent: Record, child: Record, toys: [Record]) {
        let parent = try world.insert("Parent", 1, in: world.graph)
        let child = try world.insert("Child", 2, in: world.graph)
        let toys = try (3...4).map { try world.insert("Toy", $0, in: world.graph, "owner", child) }
        try world.graph.save()
        try link(child, "parent", to: parent, in: world)
        toys[1].setValue(.integer(5), at: 0)
        return (parent, child, toys)
    }

    @Test("an object that only an unsaved link made part of a cascade returns with its owner, with all links")
    func unsavedLink() throws {
        let world = try makeWorld()
        let (parent, child, toys) = try insertFamily(in: world)
        let token = try delete(1, in: world)
        #expect(parent.isDeleted && child.isDeleted)
        #expect(try toys.allSatisfy { try world.destination($0, "owner") == nil })
        try restore(token, in: world)
        #expect(!parent.isDeleted && !child.isDeleted)
        #expect(try toys.allSatisfy { try world.destination($0, "owner") == child.id })
        #expect(toys[1].value(0) == .integer(5))
        try world.graph.checkInvariants()
        try world.graph.save()
        let stored = try world.store.snapshots(of: [child.id, toys[0].id, toys[1].id])
        #expect(stored.map { $0.values[1] } == [.reference(parent.id), .reference(child.id), .reference(child.id)])
    }

    @Test("an edited object has the members of its row once this is restored, if they were read while it was missing")
    func membersReadMeanwhile() throws {
        let world = try makeWorld()
        let parent = try world.insert("Parent", 1, in: world.other)
        let child = try world.insert("Child", 2, in: world.other, "parent", parent)
        let toys = try (3...4).map { try world.insert("Toy", $0, in: world.other, "owner", child) }
        try world.other.save()
        let edited = try #require(try world.graph.fetch(world.query("Child")).first)
        edited.setValue(.integer(5), at: 0)
        let list = try world.relationship(edited, "toys")
        let token = try delete(1, in: world)
        #expect(edited.isDeleted)
        #expect(world.graph.memberIDs(of: edited, list).isEmpty)
        try restore(token, in: world)
        #expect(!edited.isDeleted)
        #expect(Set(world.graph.memberIDs(of: edited, list)) == Set(toys.map(\.id)))
        try world.graph.checkInvariants()
    }

    @Test("an object below two deleted owners returns with the last of them")
    func twoOwners() throws {
        let world = try makeWorld()
        let parents = try (1...2).map { try world.insert("Parent", $0, in: world.graph) }
        let child = try world.insert("Child", 3, in: world.graph)
        try world.graph.save()
        try link(child, "parent", to: parents[0], in: world)
        try link(child, "guardian", to: parents[1], in: world)
        let tokens = try [delete(1, in: world), delete(2, in: world)]
        try restore(tokens[0], in: world)
        #expect(!parents[0].isDeleted && child.isDeleted)
        try restore(tokens[1], in: world)
        #expect(!parents[1].isDeleted && !child.isDeleted)
        try world.graph.checkInvariants()
        try world.graph.save()
        #expect(try world.store.count(world.query("Child")) == 1)
    }

    @Test("objects that the program deletes, too, stay deleted", arguments: ["Parent", "Child"])
    func deletedHere(entity: String) throws {
        let world = try makeWorld()
        let parent = try world.insert("Parent", 1, in: world.graph)
        let child = try world.insert("Child", 2, in: world.graph)
        try world.graph.save()
        try link(child, "parent", to: parent, in: world)
        let token = try delete(1, in: world)
        try world.graph.delete([entity == "Parent" ? parent : child])
        try restore(token, in: world)
        #expect(parent.isDeleted == (entity == "Parent"))
        #expect(child.isDeleted)
        try world.graph.checkInvariants()
        try world.graph.save()
        #expect(try world.store.count(world.query("Parent")) == (entity == "Parent" ? 0 : 1))
        #expect(try world.store.count(world.query("Child")) == 0)
    }

    @Test(
        "a child that the other context moved to another owner before it deleted the former one stays",
        arguments: [true, false], [true, false])
    func movedMeanwhile(isListRead: Bool, isFault: Bool) throws {
        let world = try makeWorld()
        let parents = try (1...2).map { try world.insert("Parent", $0, in: world.graph) }
        let child = try world.insert("Child", 3, in: world.graph, "parent", parents[0])
        try world.graph.save()
        world.graph.refaultUnedited()
        if isListRead {
            let children = try world.relationship(parents[0], "children")
            #expect(world.graph.destinations(of: parents[0], children).map(\.id) == [child.id])
        }
        if !isFault { try world.graph.fire([child]) }

        let moved = try #require(world.other.record(for: child.id))
        let owner = try #require(world.other.record(for: parents[1].id))
        Graph.link(
            world.other.member(moved), try world.relationship(moved, "parent"), to: [world.other.member(owner)])
        try world.other.delete(matching: world.query("Parent", number: 1))
        world.graph.inbox.post(try world.other.save())
        world.graph.mergeWaitingChanges()
        #expect(parents[0].isDeleted && !child.isDeleted)
        #expect(try world.destination(child, "parent") == parents[1].id)
        try world.graph.checkInvariants()
        try world.graph.save()
        #expect(try world.store.fetchIDs(world.query("Child")) == [child.id])
    }

    @Test("a child moved here to an owner that others changed and deleted is deleted with it")
    func movedHere() throws {
        let world = try makeWorld()
        let parents = try (1...2).map { try world.insert("Parent", $0, in: world.graph) }
        let child = try world.insert("Child", 3, in: world.graph, "parent", parents[1])
        try world.graph.save()
        try link(child, "parent", to: parents[0], in: world)
        let theirs = try #require(world.other.record(for: child.id))
        world.other.fire(theirs)
        theirs.setValue(.integer(4), at: 0)
        _ = try delete(1, in: world)
        #expect(child.isDeleted)
        try world.graph.checkInvariants()
    }

    @Test(
        "a rollback restores the links to an object that only an unsaved link made part of another context's deletion")
    func rolledBack() throws {
        let world = try makeWorld()
        let (_, child, toys) = try insertFamily(in: world)
        _ = try delete(1, in: world)
        #expect(try toys.allSatisfy { try world.destination($0, "owner") == nil })
        world.graph.rollback()
        #expect(!child.isDeleted)
        #expect(try toys.allSatisfy { try world.destination($0, "owner") == child.id })
        #expect(toys[1].value(0) == .integer(4))
        try world.graph.checkInvariants()
    }

    @Test("a restored row returns with changes that are not listed")
    func restoredUnlisted() throws {
        let world = try makeWorld()
        let parent = try world.insert("Parent", 1, in: world.graph)
        try world.graph.save()
        let token = try delete(1, in: world)
        #expect(parent.isDeleted)
        _ = try world.store.restore(token, .strict)
        world.graph.inbox.post(.overflow)
        world.graph.mergeWaitingChanges()
        #expect(!parent.isDeleted)
        try world.graph.checkInvariants()
        #expect(try world.graph.fetch(world.query("Parent")).map(\.id) == [parent.id])
    }
}
