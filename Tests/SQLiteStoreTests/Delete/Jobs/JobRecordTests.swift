import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Recorded jobs of long deletes")
struct JobRecordTests {
    @Test("a released job is resumed where it stopped, by another instance")
    func resumes() throws {
        let world = try JobZoo()
        var id: UUID?
        do {
            let job = try world.store.startJob(
                world.request(3, author: "cleaner"),
                {
                    var options = DeleteJobOptions()
                    options.budget.rows = 4
                    options.budget.milliseconds = 1e9
                    return options
                }())
            _ = try job.step()
            id = job.id
        }
        let other = try SQLiteStore(model: world.zoo.model, location: world.store.location)
        let record = try #require(try other.jobs().first)
        #expect(record.id == id)
        #expect(record.author == "cleaner")
        #expect(record.options.budget.rows == 4)
        #expect(record.rowsDone == 4)
        #expect(record.rowsTotal == 18)
        #expect(record.chunkCount == 1)
        let job = try other.resumeJob(record.id)
        #expect(job.current == DeleteJobProgress(rowsDone: 4, rowsTotal: 18, chunkCount: 1))
        let last = try #require(try job.finish().last)
        #expect(
            last
                == DeleteJobProgress(
                    phase: .finished, rowsDone: 18, rowsTotal: 18, chunkCount: 5, lastChunk: last.lastChunk))
        #expect(try world.count("Category") == 1)
        #expect(try world.count("Animal") == 5)
        #expect(try !world.hasTable)
        #expect(throws: DeleteJobError.unknownJob(record.id)) { try other.resumeJob(record.id) }
    }

    @Test("invalid numbers in a record are limited", arguments: [Int64.max, .min, -1])
    func wildNumbers(_ number: Int64) throws {
        let world = try JobZoo()
        let id = try world.job(2, rows: 4) { $0.keeping = .everyChunk }.id
        let text = """
            {"checksCounts":true,"options":{"budget":{"rows":\(number),"links":\(number),"milliseconds":-1e300,\
            "bytes":\(number)},"pauseMilliseconds":1e300,"checkpoints":"automatic","vacuuming":"none",\
            "freeDiskFactor":1e300,"keeping":"everyChunk"}}
            """
        try world.store.pool.withWriter { connection in
            try connection.withStatement(
                "UPDATE \(JobTables.table) SET \(JobTables.options) = ?1, \(JobTables.rowsDone) = ?2, "
                    + "\(JobTables.rowsTotal) = ?2, \(JobTables.chunkCount) = ?2"
            ) { statement in
                try statement.bind(text, at: 1)
                try statement.bind(number, at: 2)
                try statement.run()
            }
        }
        let record = try #require(try world.store.jobs().first)
        #expect(record.options.pauseMilliseconds == 86_400_000)
        #expect((0...1 << 24).contains(record.chunkCount))
        #expect(record.options.budget.bytes >= 1 && record.options.budget.milliseconds >= 1)
        var environment = JobEnvironment()
        environment.freeBytes = { _ in .max }
        let job = try world.store.resumeJob(id, environment)
        _ = try job.finish()
        #expect(try world.count("Category") == 2)
        #expect(try world.store.jobs().isEmpty)
    }

    @Test("dropping a job leaves the store unchanged; a running job stops")
    func drops() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 4)
        _ = try job.step()
        let other = try SQLiteStore(model: world.zoo.model, location: world.store.location)
        try other.discardJob(job.id)
        #expect(try !world.hasTable)
        #expect(throws: DeleteJobError.unknownJob(job.id)) { try job.step() }
        #expect(try world.count("Animal") == 16)
        #expect(try world.count("Category") == 4)
        #expect(try world.strays == 0)
        #expect(throws: DeleteJobError.unknownJob(job.id)) { try other.discardJob(job.id) }
    }

    @Test("a job recorded before a migration is not resumed, as its roots may be other rows; it can be dropped")
    func migratedMeanwhile() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 4)
        _ = try job.step()
        let url = try #require(world.zoo.url)
        var descriptions = Zoo.descriptions
        descriptions.append(EntityDescription("Aardvark"))
        let later = try Model(descriptions)
        #expect(try StoreMigration(url, to: later).run() == .migrated)
        #expect(throws: StoreAccessError.otherModel) { try job.step() }
        let store = try SQLiteStore(model: later, location: .file(url))
        #expect(try store.jobs().map(\.id) == [job.id])
        #expect(throws: DeleteJobError.otherModel(job.id)) { try store.resumeJob(job.id) }
        try store.discardJob(job.id)
        #expect(try store.jobs().isEmpty)
        #expect(try store.check().filter { $0.severity == .error } == [])
    }

    @Test("the table stays while there is any job, oldest first")
    func several() throws {
        let world = try JobZoo()
        let first = try world.job(1, rows: 3)
        let second = try world.store.startJob(DeleteRequest(.rows(RowSet([world.categories[3]]))))
        #expect(try world.store.jobs().map(\.id) == [first.id, second.id])
        _ = try first.finish()
        #expect(try world.store.jobs().map(\.id) == [second.id])
        _ = try second.finish()
        #expect(try !world.hasTable)
        #expect(try world.count("Category") == 2)
    }

    @Test("two concurrent runs of one job do its work once")
    func twice() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 4)
        let again = try world.store.resumeJob(job.id)
        _ = try job.step()
        _ = try again.step()
        _ = try job.finish()
        #expect(try world.count("Animal") == 10)
        #expect(try world.count("Category") == 2)
        #expect(try world.zoo.rows("SELECT 1 FROM ACHANGE WHERE ZCHANGETYPE = 2").count == 12)
        #expect(throws: DeleteJobError.unknownJob(job.id)) { try again.finish() }
    }

    @Test("a job refused by a rule, by its limit or by the disk's free space leaves nothing behind")
    func refusals() throws {
        let world = try JobZoo()
        var limited = world.request(2)
        limited.mostRows = 11
        #expect(throws: DeleteError.tooManyRows(count: 12, limit: 11)) { try world.store.startJob(limited) }
        var environment = JobEnvironment()
        environment.freeBytes = { _ in 1_000 }
        var options = DeleteJobOptions()
        options.budget.bytes = 1_000
        options.freeDiskFactor = 2
        #expect(throws: DeleteJobError.notEnoughDisk(needed: 2_000 + 64 * 12, available: 1_000)) {
            try world.store.startJob(world.request(2), options, environment)
        }
        #expect(try !world.hasTable)
        #expect(try world.count("Animal") == 20)
        options.freeDiskFactor = 0
        let job = try world.store.startJob(world.request(2), options, environment)
        #expect(try job.finish().last?.rowsDone == 12)
    }

    @Test("the free space of the disk can be read")
    func disk() throws {
        let free = JobEnvironment().freeBytes(FileManager.default.temporaryDirectory.appendingPathComponent("a.store"))
        #expect(free ?? 0 > 0)
    }

    @Test("damaged records are refused, and can be dropped")
    func damage() throws {
        let world = try JobZoo()
        let job = try world.job(1, rows: 2)
        _ = try world.zoo.rows("UPDATE OSD_DELETEJOB SET OSD_ROOTS = x'01ff7f'")
        #expect(throws: DeleteJobError.damagedRecord(job.id)) { try world.store.resumeJob(job.id) }
        _ = try world.zoo.rows("UPDATE OSD_DELETEJOB SET OSD_OPTIONS = 'x'")
        #expect(throws: DeleteJobError.damagedRecord(job.id)) { try world.store.resumeJob(job.id) }
        #expect(try world.store.jobs().isEmpty)
        try world.store.discardJob(job.id)
        #expect(try !world.hasTable)
    }

    @Test("roots are written and read, whatever the keys", arguments: UInt64(0)..<20)
    func rootsCoding(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 1)
        var rows = RowSet()
        let spaces = ["A", "Bé", "C"].map { IDSpace.intern(storeIdentifier: "roots", entityName: $0) }
        for space in spaces {
            let keys = (0..<random.roll(50)).map { _ in Int64(bitPattern: random.next() >> random.roll(64)) }
            rows.insert(KeySet(keys + [.max, .min].prefix(random.roll(3))), in: space)
        }
        let data = RootsCoding.data(rows)
        func space(_ name: String) -> IDSpace? { spaces.first { $0.entityName == name } }
        #expect(RootsCoding.rows(data, space: space) == rows, "seed \(seed)")
        for length in 0..<data.count { #expect(RootsCoding.rows(data.prefix(length), space: space) == nil) }
        for _ in 0..<200 {
            var damaged = Array(data)
            damaged[random.roll(damaged.count)] = UInt8(truncatingIfNeeded: random.next())
            // Any result will do, so long as the process does not trap.
            _ = RootsCoding.rows(Data(damaged), space: space)
        }
        let run = KeySet(Array(1...10_000))
        var many = RowSet()
        many.insert(run, in: spaces[0])
        #expect(RootsCoding.data(many).count < 10_020)
    }
}
