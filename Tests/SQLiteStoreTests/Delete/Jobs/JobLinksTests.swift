import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Links of rows deleted in chunks")
struct JobLinksTests {
    /// The tag of all animals, and the keeper of all.
    private func popular(_ name: String, _ world: JobZoo) throws -> DeleteRequest {
        DeleteRequest(.rows(RowSet(try world.zoo.fetch(name).map(\.id))))
    }

    private func job(
        _ request: DeleteRequest, links: Int, _ world: JobZoo, observer: (any DeleteObserver)? = nil,
        _ edit: (inout DeleteJobOptions) -> Void = { _ in }
    ) throws -> DeleteJob {
        var options = DeleteJobOptions()
        options.budget.links = links
        // However slow the machine is.
        options.budget.milliseconds = 1e9
        edit(&options)
        return try world.store.startJob(request, options, observer: observer)
    }

    /// All tables but those of histories, without versions.
    private func rows(_ world: JobZoo) throws -> [String: [[Cell]]] {
        try world.store.pool.withWriter { try $0.execute("UPDATE ZANIMAL SET Z_OPT = 1") }
        return try ["ZANIMAL", "ZTAG", "ZPERSON", "ZVISIT", world.joinTable].reduce(into: [:]) {
            $0[$1] = try world.zoo.rows("SELECT * FROM \($1) ORDER BY 1, 2")
        }
    }

    @Test(
        "a row with more links than a chunk's budget loses them first, and is deleted with the last",
        arguments: ["Tag", "Keeper"])
    func popular(_ name: String) throws {
        let world = try JobZoo()
        let atOnce = try JobZoo()
        let witness = JobWitness()
        let request = try popular(name, world)
        let job = try job(request, links: 6, world, observer: witness)
        let steps = try job.finish()
        #expect(steps.map { $0.lastChunk?.links } == [6, 6, 6, 2])
        #expect(steps.map(\.rowsDone) == [0, 0, 0, 1])
        #expect(steps.map(\.chunkCount) == [1, 2, 3, 4])
        // The observer is notified of the survivors of each chunk, and of the row as updated.
        let animals = world.animals[0].space
        #expect(witness.committed.map { $0.plan.updated[animals].count } == [6, 6, 6, 2])
        #expect(witness.committed.map { $0.plan.updated[request.ids[0].space].count } == [1, 1, 1, 0])
        _ = try atOnce.store.delete(try popular(name, atOnce))
        #expect(try rows(world) == rows(atOnce))
        #expect(try world.zoo.rows("SELECT 1 FROM ACHANGE WHERE ZCHANGETYPE = 2").count == 1)
        #expect(try world.store.check().allSatisfy { $0.severity < .error })
    }

    @Test("between chunks both ends agree, and links not yet nullified are unchanged")
    func between() throws {
        let world = try JobZoo()
        let tag = try #require(try world.zoo.fetch("Tag").first?.id)
        let job = try job(try popular("Tag", world), links: 7, world)
        for left in [13, 6] {
            _ = try job.step()
            #expect(try world.zoo.members(tag, "animals").count == left)
            #expect(try world.animals.filter { try world.zoo.members($0, "tags") == [tag] }.count == left)
            #expect(try world.store.check().allSatisfy { $0.severity < .error })
        }
    }

    @Test("rows are deleted with their links, within the budget of a chunk for both")
    func rowsWithLinks() throws {
        let world = try JobZoo()
        // Each animal has a visit and a tag.
        let job = try job(world.request(3), links: 6, world)
        let steps = try job.finish()
        #expect(steps.compactMap { $0.lastChunk?.rows } == [3, 3, 3, 3, 6])
        #expect(steps.allSatisfy { $0.lastChunk?.links ?? 0 <= 6 })
        #expect(try world.strays == 0)
        #expect(try world.count("Visit") == 20)
    }

    @Test("the number of links of a chunk depends on their cost")
    func sized() throws {
        let world = try JobZoo(categories: 2, animalsEach: 400)
        let clock = Locked(0.0)
        var environment = JobEnvironment()
        environment.milliseconds = {
            clock.withLock {
                $0 += 60; return $0
            }
        }
        var options = DeleteJobOptions()
        options.budget.links = 400
        options.budget.milliseconds = 30
        let job = try world.store.startJob(try popular("Tag", world), options, environment)
        #expect(try job.finish().prefix(3).map { $0.lastChunk?.links } == [400, 200, 200])
    }

    @Test("no chunk reads all links of a row to nullify some")
    func readsLittle() throws {
        let world = try JobZoo(categories: 2, animalsEach: 1_000)
        let job = try job(try popular("Tag", world), links: 10, world)
        world.zoo.log.clear()
        _ = try job.step()
        let reads = world.zoo.log.statements.filter { $0.contains("ORDER BY") && $0.contains("LIMIT") }
        #expect(!reads.isEmpty)
        #expect(try world.zoo.members(try #require(world.zoo.fetch("Tag").first).id, "animals").count == 1_990)
    }

    @Test(
        "archived, each chunk can be restored separately, and all of them restore the former state",
        arguments: ["Tag", "Keeper"])
    func kept(_ name: String) throws {
        let world = try JobZoo()
        let before = try world.zoo.contents()
        let job = try job(try popular(name, world), links: 6, world) { $0.keeping = .everyChunk }
        var contents = [before]
        while try job.step().phase != .finished { contents.append(try world.zoo.contents()) }
        let deletes = try world.store.archivedDeletes()
        #expect(deletes.map(\.token) == (0..<4).map { RecoveryToken(chunk: $0, of: job.id) })
        #expect(deletes[0].summary.hasPrefix("6 Animal without Animal."), "\(deletes[0].summary)")
        for (delete, earlier) in zip(deletes.reversed(), contents.reversed()) {
            let result = try world.store.restore(delete.token, .strict)
            #expect(result.isComplete)
            #expect(try world.zoo.contents().appleRows == earlier.appleRows)
        }
        #expect(try world.zoo.contents().difference(from: before) == "")
    }

    @Test("a resumed job nullifies the remaining links")
    func resumes() throws {
        let world = try JobZoo()
        let job = try job(try popular("Tag", world), links: 6, world)
        _ = try job.step()
        let again = try SQLiteStore(model: world.zoo.model, location: world.store.location).resumeJob(job.id)
        #expect(try again.finish().map(\.rowsDone) == [0, 0, 1])
        #expect(try world.zoo.rows("SELECT 1 FROM \(world.joinTable)").isEmpty)
    }

    @Test("a delete recorded without a budget of links is resumed with the default one")
    func olderRecord() throws {
        let world = try JobZoo()
        let job = try job(try popular("Tag", world), links: 6, world)
        _ = try world.zoo.rows(#"UPDATE OSD_DELETEJOB SET OSD_OPTIONS = replace(OSD_OPTIONS, '"links":6,', '')"#)
        _ = try world.zoo.rows(#"UPDATE OSD_DELETEJOB SET OSD_OPTIONS = replace(OSD_OPTIONS, ',"links":6', '')"#)
        let record = try #require(try world.store.jobs().first)
        #expect(record.options.budget.links == DeleteJobOptions.Budget().links)
        #expect(try world.store.resumeJob(job.id).finish().count == 1)
    }

    // MARK: Links that are not nullified first

    /// Groups with members, under a root that cascades to groups.
    private func groups(
        _ edit: (_ group: inout Relationship, _ member: inout Relationship) -> Void
    ) throws -> (store: ZooStore, group: ObjectID, members: [ObjectID]) {
        var members = Relationship("members", to: "Member", .toMany, inverse: "group")
        var group = Relationship("group", to: "Group", .toOne, inverse: "members")
        edit(&members, &group)
        var (groupEntity, memberEntity) = (EntityDescription("Group"), EntityDescription("Member"))
        groupEntity.relationships = [
            members, Relationship("guards", to: "Guard", .toMany, inverse: "group", deleteRule: .deny),
        ]
        memberEntity.relationships = [group]
        var guards = EntityDescription("Guard")
        guards.relationships = [Relationship("group", to: "Group", .toOne, inverse: "guards")]
        let store = try ZooStore(.file, model: try Model([groupEntity, memberEntity, guards]))
        let id = try store.insert("Group", [:]).id
        let ids = try store.save { changes in
            changes.insertions = try (0..<10).map { _ in try store.insertion("Member", ["group": .reference(id)]) }
        }.inserted.map(\.id)
        return (store, id, ids)
    }

    private func links(_ store: ZooStore, _ request: DeleteRequest) throws -> [Int?] {
        var options = DeleteJobOptions()
        options.budget.links = 4
        options.budget.milliseconds = 1e9
        return try store.store.startJob(request, options).finish().map { $0.lastChunk?.links }
    }

    @Test(
        "links through which a cascade reaches the row itself stay until it is deleted: a resumed job could not find it"
    )
    func cascadingInverse() throws {
        let (store, _, members) = try groups { $1.deleteRule = .cascade }
        #expect(try links(store, DeleteRequest(.rows(RowSet([members[0]])))) == [10, 0])
        #expect(try store.fetch("Group").isEmpty)
        #expect(try store.fetch("Member").count == 9)
    }

    @Test("a row keeps its minimum number of members until it is deleted")
    func minimumOfTheRow() throws {
        let (store, group, _) = try groups { group, _ in group.minimumCount = 3 }
        var options = DeleteJobOptions()
        options.budget.links = 4
        options.budget.milliseconds = 1e9
        let job = try store.store.startJob(DeleteRequest(.rows(RowSet([group]))), options)
        _ = try job.step()
        #expect(try store.members(group, "members").count == 6)
        _ = try job.step()
        #expect(try store.members(group, "members").count == 3)
        #expect(try job.finish().last?.rowsDone == 1)
    }

    @Test("a row whose deletion is refused meanwhile loses no more links")
    func denied() throws {
        let (store, group, _) = try groups { _, _ in }
        var options = DeleteJobOptions()
        options.budget.links = 4
        options.budget.milliseconds = 1e9
        let job = try store.store.startJob(DeleteRequest(.rows(RowSet([group]))), options)
        _ = try job.step()
        let keeper = try store.insert("Guard", ["group": .reference(group)]).id
        #expect(throws: DeleteError.self) { try job.step() }
        #expect(try store.members(group, "members").count == 6)
        _ = try store.store.delete(DeleteRequest(.rows(RowSet([keeper]))))
        #expect(try job.finish().last?.rowsDone == 1)
        #expect(try store.fetch("Member").count == 10)
    }

    @Test(
        "rows that deny a deletion and are deleted themselves come first, in chunks of their own",
        arguments: [false, true])
    func denying(hasOther: Bool) throws {
        let (store, group, _) = try groups { _, _ in }
        let guards = try store.save { changes in
            changes.insertions = try (0..<10).map { _ in try store.insertion("Guard", ["group": .reference(group)]) }
        }.inserted.map(\.id)
        let witness = JobWitness()
        var options = DeleteJobOptions()
        options.budget.rows = 4
        options.budget.milliseconds = 1e9
        let request = DeleteRequest(.rows(RowSet([group] + guards)))
        let job = try store.store.startJob(request, options, observer: witness)
        if hasOther {
            // Another connection adds one that is not deleted.
            let other = try store.insert("Guard", ["group": .reference(group)]).id
            #expect(throws: DeleteError.self) { try job.finish() }
            #expect(try store.fetch("Group").map(\.id) == [group])
            _ = try store.store.delete(DeleteRequest(.rows(RowSet([other]))))
        }
        _ = try job.finish()
        #expect(
            witness.committed.allSatisfy { $0.plan.deleted.count <= 8 },
            "\(witness.committed.map(\.plan.deleted.count))")
        #expect(try store.fetch("Group").isEmpty && store.fetch("Guard").isEmpty)
        #expect(try store.fetch("Member").count == 10)
    }

    @Test("links of members whose key is mandatory are never nullified: they are deleted before the row, or with it")
    func mandatory() throws {
        let (store, group, members) = try groups { $1.isOptional = false }
        var options = DeleteJobOptions()
        options.budget.rows = 4
        options.budget.links = 4
        options.budget.milliseconds = 1e9
        let request = DeleteRequest(.rows(RowSet([group] + members)))
        let job = try store.store.startJob(request, options)
        while try job.step().phase != .finished {
            #expect(try store.rows("SELECT 1 FROM ZMEMBER WHERE ZGROUP IS NULL").isEmpty)
        }
        #expect(try store.fetch("Group").isEmpty && store.fetch("Member").isEmpty)
    }
}

extension DeleteRequest {
    fileprivate var ids: [ObjectID] {
        if case .rows(let rows) = roots { Array(rows.ids) } else { [] }
    }
}
