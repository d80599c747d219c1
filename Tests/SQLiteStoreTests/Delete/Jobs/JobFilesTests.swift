import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Files of rows deleted in chunks")
struct JobFilesTests {
    private let zoo: ZooStore
    private let ids: [ObjectID]
    private let folder: URL

    init() throws {
        let zoo = try ZooStore(.file)
        self.zoo = zoo
        ids = try zoo.save { changes in
            changes.insertions = try (0..<6).map { number in
                let photo = Data(repeating: UInt8(number), count: ExternalData.threshold + 1)
                return try zoo.insertion("Everything", ["picture": .bytes(photo)])
            }
        }.inserted.map(\.id)
        folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
    }

    private var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    private func job() throws -> DeleteJob {
        var options = DeleteJobOptions()
        options.budget.rows = 2
        options.budget.milliseconds = 1e9
        return try zoo.store.startJob(DeleteRequest(.rows(RowSet(ids.prefix(4)))), options)
    }

    /// One chunk, after which its files are restored, as if the process died before it removed them.
    private func killedAfterCommit(_ job: DeleteJob) throws -> Set<String> {
        let before = try files
        _ = try job.step()
        let gone = try before.subtracting(files)
        for name in gone { try Data([1]).write(to: folder.appendingPathComponent(name)) }
        return gone
    }

    @Test("files that a crash left of a chunk are removed when the job is resumed")
    func resumes() throws {
        let job = try job()
        let gone = try killedAfterCommit(job)
        #expect(gone.count == 2)
        let again = try SQLiteStore(model: zoo.model, location: zoo.store.location).resumeJob(job.id)
        _ = try again.step()
        #expect(try files.isDisjoint(with: gone))
        _ = try again.finish()
        #expect(try files.count == 2)
        #expect(try zoo.store.check().allSatisfy { $0.kind != .orphanFile })
        #expect(try zoo.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'OSD%'").isEmpty)
    }

    @Test("a dropped job leaves no file of its deleted rows")
    func drops() throws {
        let job = try job()
        let gone = try killedAfterCommit(job)
        try zoo.store.discardJob(job.id)
        #expect(try files.isDisjoint(with: gone))
        #expect(try files.count == 4)
    }

    @Test("a delete whose rows have no files records none")
    func withoutFiles() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 4)
        _ = try job.step()
        let columns = try world.zoo.rows("SELECT name FROM pragma_table_info('OSD_DELETEJOB')")
        #expect(!columns.contains([.text("OSD_OLDFILES")]))
        #expect(try job.finish().last?.rowsDone == 12)
    }
}
