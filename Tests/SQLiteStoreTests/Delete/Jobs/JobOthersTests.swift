import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Concurrent writes between the chunks of a delete")
struct JobOthersTests {
    @Test("rows moved to another owner stay, rows added below a root are deleted, all others are unchanged")
    func between() throws {
        let world = try JobZoo()
        let zoo = world.zoo
        let witness = JobWitness()
        let job = try world.job(2, rows: 3, observer: witness)
        _ = try job.step()
        let other = try SQLiteStore(model: zoo.model, location: world.store.location)
        let moved = try #require(
            try other.snapshots(of: Array(world.animals.prefix(10))).max { $0.id.key < $1.id.key })
        #expect(try zoo.value(moved, "category") == .reference(world.categories[1]))
        var changes = ChangeSet()
        changes.updates = [try zoo.update(moved, ["category": .reference(world.categories[3])])]
        changes.insertions = [
            try zoo.insertion("Animal", ["name": .text("late"), "category": .reference(world.categories[0])]),
            try zoo.insertion("Animal", ["name": .text("free"), "category": .reference(world.categories[2])]),
            try zoo.insertion("Category", ["name": .text("new")]),
        ]
        guard case .saved(let saved) = try other.save(changes) else {
            Issue.record("the others' save conflicts")
            return
        }
        let last = try #require(try job.finish().last)
        // Ten animals and two categories, one added and one moved.
        #expect(last.rowsDone == 12)
        #expect(last.rowsTotal == 12)
        #expect(!witness.deleted.contains(moved.id))
        #expect(witness.deleted.contains(saved.inserted[0].id))
        #expect(!witness.deleted.contains(saved.inserted[1].id))
        #expect(try world.store.snapshots(of: [moved.id]).count == 1)
        #expect(try world.count("Category") == 3)
        #expect(try world.count("Animal") == 12)
        #expect(try world.strays == 0)
    }

    @Test("a row moved before the first chunk stays too, also through the same store")
    func beforeFirst() throws {
        let world = try JobZoo()
        let zoo = world.zoo
        let job = try world.job(1, rows: 100)
        let moved = try #require(try world.store.snapshots(of: [world.animals[2]]).first)
        try zoo.save { $0.updates = [try zoo.update(moved, ["category": .reference(world.categories[3])])] }
        #expect(try job.finish().last?.rowsDone == 5)
        #expect(try world.store.snapshots(of: [moved.id]).count == 1)
    }

    @Test("many rows added below a root are deleted from the deepest as well, in chunks")
    func muchAdded() throws {
        let world = try JobZoo()
        let zoo = world.zoo
        let job = try world.job(1, rows: 3)
        _ = try job.step()
        try zoo.save { changes in
            changes.insertions = try (0..<50).map {
                try zoo.insertion(
                    "Animal", ["name": .text("late \($0)"), "category": .reference(world.categories[0])])
            }
        }
        let steps = try job.finish()
        #expect(steps.allSatisfy { $0.lastChunk?.rows ?? 0 <= 6 }, "\(steps)")
        #expect(steps.last?.rowsDone == 56)
        #expect(try world.count("Animal") == 15)
        #expect(try world.count("Category") == 3)
    }

    // MARK: Rows that refuse

    /// A folder cascades to its files and locks; the delete rule of a lock's files, or their mandatory key, may refuse the lock's
    /// deletion.
    private func folders(_ lockRule: DeleteRule, keyIsOptional: Bool) throws -> Model {
        var folder = EntityDescription("Folder")
        folder.relationships = [
            Relationship("files", to: "File", .toMany, inverse: "folder", deleteRule: .cascade),
            Relationship("locks", to: "Lock", .toMany, inverse: "folder", deleteRule: .cascade),
        ]
        var file = EntityDescription("File")
        var lock = Relationship("lock", to: "Lock", .toOne, inverse: "files")
        lock.isOptional = keyIsOptional
        file.relationships = [Relationship("folder", to: "Folder", .toOne, inverse: "files"), lock]
        var locks = EntityDescription("Lock")
        locks.relationships = [
            Relationship("folder", to: "Folder", .toOne, inverse: "locks"),
            Relationship("files", to: "File", .toMany, inverse: "lock", deleteRule: lockRule),
        ]
        return try Model([folder, file, locks])
    }

    /// One folder with locks, one of which has a file each and the last of them three.
    private func filled(_ store: ZooStore) throws -> ObjectID {
        let folder = try store.insert("Folder", [:]).id
        let locks = try store.save { changes in
            changes.insertions = try (0..<4).map { _ in try store.insertion("Lock", ["folder": .reference(folder)]) }
        }.inserted.map(\.id)
        try store.save { changes in
            changes.insertions = try [0, 1, 2, 3, 3, 3].map {
                try store.insertion("File", ["folder": .reference(folder), "lock": .reference(locks[$0])])
            }
        }
        return folder
    }

    private static let shapes: [(DeleteRule, Bool)] = [(.deny, true), (.nullify, false), (.deny, false)]

    @Test("refusing rows that are deleted themselves are deleted in the same chunk", arguments: shapes.indices)
    func inside(_ shape: Int) throws {
        let (rule, isOptional) = Self.shapes[shape]
        let store = try ZooStore(.file, model: try folders(rule, keyIsOptional: isOptional))
        let folder = try filled(store)
        var options = DeleteJobOptions()
        options.budget.rows = 1
        options.budget.milliseconds = 1e9
        let job = try store.store.startJob(DeleteRequest(.rows(RowSet([folder]))), options)
        while try job.step().phase != .finished {
            #expect(try store.rows("SELECT 1 FROM ZFILE WHERE ZLOCK IS NULL").isEmpty || isOptional)
            #expect(try store.rows("SELECT 1 FROM ZFILE WHERE ZLOCK NOT IN (SELECT Z_PK FROM ZLOCK)").isEmpty)
        }
        #expect(job.current.rowsDone == 11)
        #expect(job.current.chunkCount > 2)
        for name in ["Folder", "File", "Lock"] { #expect(try store.fetch(name).isEmpty) }
    }

    @Test(
        "refusing rows that others added stop the job; it can be resumed when they are deleted",
        arguments: shapes.indices)
    func outside(_ shape: Int) throws {
        let (rule, isOptional) = Self.shapes[shape]
        let store = try ZooStore(.file, model: try folders(rule, keyIsOptional: isOptional))
        let folder = try filled(store)
        let elsewhere = try store.insert("Folder", [:]).id
        var options = DeleteJobOptions()
        options.budget.rows = 1
        options.budget.milliseconds = 1e9
        let job = try store.store.startJob(DeleteRequest(.rows(RowSet([folder]))), options)
        let lock = try #require(try store.fetch("Lock").last?.id)
        let other = try SQLiteStore(model: store.model, location: store.store.location)
        var changes = ChangeSet()
        changes.insertions = [
            try store.insertion("File", ["folder": .reference(elsewhere), "lock": .reference(lock)])
        ]
        guard case .saved(let saved) = try other.save(changes) else {
            Issue.record("the others' save conflicts")
            return
        }
        var refusals: [DeleteRefusal] = []
        do {
            _ = try job.finish()
        } catch DeleteError.refused(let found) {
            refusals = found
        }
        #expect(refusals.flatMap(\.examples) == [saved.inserted[0].id])
        #expect(try store.fetch("File").contains { $0.id == saved.inserted[0].id })
        #expect(try store.rows("SELECT 1 FROM ZFILE WHERE ZLOCK NOT IN (SELECT Z_PK FROM ZLOCK)").isEmpty)
        #expect(try store.store.jobs().map(\.id) == [job.id])
        #expect(throws: DeleteError.self) { try store.store.resumeJob(job.id) }
        _ = try store.store.delete(DeleteRequest(.rows(RowSet([saved.inserted[0].id]))))
        _ = try job.finish()
        #expect(try store.fetch("Lock").isEmpty)
        #expect(try store.fetch("Folder").map(\.id) == [elsewhere])
    }

    @Test("a delete allowed only as a whole is done as a whole: a team may lose all its members, not all but one")
    func minimumCounts() throws {
        var folder = EntityDescription("Folder")
        folder.relationships = [Relationship("people", to: "Member", .toMany, inverse: "folder", deleteRule: .cascade)]
        var member = EntityDescription("Member")
        member.relationships = [
            Relationship("folder", to: "Folder", .toOne, inverse: "people"),
            Relationship("team", to: "Team", .toOne, inverse: "members"),
        ]
        var members = Relationship("members", to: "Member", .toMany, inverse: "team")
        members.minimumCount = 2
        members.isOptional = true
        var team = EntityDescription("Team")
        team.relationships = [members]
        let store = try ZooStore(.file, model: try Model([folder, member, team]))
        let (root, side) = (try store.insert("Folder", [:]).id, try store.insert("Team", [:]).id)
        try store.save { changes in
            changes.insertions = try (0..<4).map { _ in
                try store.insertion("Member", ["folder": .reference(root), "team": .reference(side)])
            }
        }
        var request = DeleteRequest(.rows(RowSet([root])))
        request.counts = .checked
        var options = DeleteJobOptions()
        options.budget.rows = 1
        options.budget.milliseconds = 1e9
        let witness = JobWitness()
        _ = try store.store.startJob(request, options, observer: witness).finish()
        #expect(witness.committed.map(\.plan.deleted.count) == [1, 1, 3])
        #expect(try store.fetch("Team").count == 1)
        #expect(try store.fetch("Member").isEmpty)
    }

    @Test("a delete refused as a whole is refused at its start")
    func refusedAtOnce() throws {
        let store = try ZooStore(.file, model: try folders(.deny, keyIsOptional: true))
        _ = try filled(store)
        let locks = RowSet(try store.fetch("Lock").map(\.id))
        #expect(throws: DeleteError.self) { try store.store.startJob(DeleteRequest(.rows(locks))) }
        #expect(try store.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'OSD%'").isEmpty)
    }
}
