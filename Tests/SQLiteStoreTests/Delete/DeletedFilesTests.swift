import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Values in files beside the store.
@Suite("Files of bulk deletes")
struct DeletedFilesTests {
    private struct Stop: Error {}

    private static let big = Data(repeating: 7, count: 200_000)

    /// Albums cascade to their pictures, frames deny the deletion of theirs, and a mount's picture is mandatory.
    private func albums() throws -> ZooStore {
        var data = Attribute("data", .binary, optional: true)
        data.allowsExternalStorage = true
        var cover = data
        cover.name = "cover"
        var album = EntityDescription("Album")
        album.attributes = [Attribute("name", .string, optional: true), cover]
        album.relationships = [
            Relationship("pictures", to: "Picture", .toMany, inverse: "album", deleteRule: .cascade)
        ]
        var picture = EntityDescription("Picture")
        picture.attributes = [Attribute("name", .string, optional: true), data]
        picture.relationships = [
            Relationship("album", to: "Album", .toOne, inverse: "pictures"),
            Relationship("frame", to: "Frame", .toOne, inverse: "picture", deleteRule: .deny),
            Relationship("mount", to: "Mount", .toOne, inverse: "picture"),
        ]
        var frame = EntityDescription("Frame")
        frame.attributes = [Attribute("name", .string, optional: true)]
        frame.relationships = [Relationship("picture", to: "Picture", .toOne, inverse: "frame")]
        var mount = EntityDescription("Mount")
        mount.attributes = [Attribute("name", .string, optional: true)]
        mount.relationships = [Relationship("picture", to: "Picture", .toOne, inverse: "mount", optional: false)]
        return try ZooStore(.file, model: try Model([album, picture, frame, mount]))
    }

    private func files(_ zoo: ZooStore) throws -> Set<String> {
        let folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
        return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    /// An album with a cover and three pictures, and a picture of no album: five files.
    private func fill(_ zoo: ZooStore) throws -> (album: Snapshot, pictures: [Snapshot], other: Snapshot) {
        let album = try zoo.insert("Album", ["cover": .bytes(Self.big)])
        let pictures = try (0..<3).map { _ in
            try zoo.insert("Picture", ["data": .bytes(Self.big), "album": .reference(album.id)])
        }
        // Small values need no file.
        _ = try zoo.insert("Picture", ["data": .bytes(Data([1, 2])), "album": .reference(album.id)])
        let other = try zoo.insert("Picture", ["data": .bytes(Self.big)])
        #expect(try files(zoo).count == 5)
        return (album, pictures, other)
    }

    private func request(_ snapshot: Snapshot) -> DeleteRequest { DeleteRequest(.rows(RowSet([snapshot.id]))) }

    private func changes(_ request: DeleteRequest) -> ChangeSet {
        var changes = ChangeSet()
        changes.bulkDelete = request
        return changes
    }

    @Test("files are removed once the rows are deleted durably, including those of cascades")
    func removed() throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        zoo.log.clear()
        _ = try zoo.store.delete(request(rows.album))
        #expect(zoo.log.statements.first == "PRAGMA synchronous = FULL")
        #expect(try files(zoo).count == 1)
        #expect(try zoo.value(try zoo.snapshot(rows.other.id), "data") == .bytes(Self.big))
        guard case .saved = try zoo.store.save(changes(request(rows.other))) else {
            Issue.record("conflict")
            return
        }
        #expect(try files(zoo).isEmpty)
    }

    @Test("planning alone touches no file")
    func planned() throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        let plan = try zoo.store.plan(request(rows.album))
        #expect(plan.deleted.count == 5)
        #expect(try files(zoo).count == 5)
        _ = try zoo.store.execute(plan, of: request(rows.album))
        #expect(try files(zoo).count == 1)
    }

    @Test("files stay if the delete is refused", arguments: ["Frame", "Mount"])
    func refused(obstacle: String) throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        let blocker = try zoo.insert(obstacle, ["picture": .reference(rows.pictures[1].id)])
        let end = obstacle == "Frame" ? "frame" : "mount"
        try zoo.save {
            // The insertion has set the picture's key already.
            $0.updates = [try zoo.update(zoo.snapshot(rows.pictures[1].id), [end: .reference(blocker.id)])]
        }
        let before = try files(zoo)
        #expect(throws: DeleteError.self) { try zoo.store.delete(request(rows.album)) }
        #expect(throws: DeleteError.self) { try zoo.store.save(changes(request(rows.album))) }
        #expect(try files(zoo) == before)
        #expect(try zoo.fetch("Picture").count == 5)
        for row in try zoo.fetch("Picture").prefix(3) { #expect(try zoo.value(row, "data") == .bytes(Self.big)) }
    }

    @Test("files stay if the plan exceeds the limit, or the store has changed")
    func notCarriedOut() throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        var limited = request(rows.album)
        limited.mostRows = 2
        #expect(throws: DeleteError.tooManyRows(count: 5, limit: 2)) { try zoo.store.delete(limited) }
        let plan = try zoo.store.plan(request(rows.album))
        let late = try zoo.insert("Picture", ["data": .bytes(Self.big), "album": .reference(rows.album.id)])
        #expect(throws: DeleteError.storeMoved) { try zoo.store.execute(plan, of: request(rows.album)) }
        #expect(try files(zoo).count == 6)
        #expect(try zoo.value(try zoo.snapshot(late.id), "data") == .bytes(Self.big))
    }

    @Test("files stay if something fails just before the commit, and new ones of the same save are removed")
    func failedCommit() throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        let before = try files(zoo)
        var work = changes(request(rows.album))
        work.insertions = [try zoo.insertion("Picture", ["data": .bytes(Self.big)])]
        var seen = 0
        #expect(throws: Stop.self) {
            _ = try zoo.store.save(work) {
                seen = try files(zoo).count
                throw Stop()
            }
        }
        #expect(seen == before.count + 1)
        #expect(try files(zoo) == before)
        #expect(try zoo.fetch("Picture").count == 5)
        // The same save, repeated.
        guard case .saved(let saved) = try zoo.store.save(work) else {
            Issue.record("conflict")
            return
        }
        #expect(saved.plan.deleted.count == 5)
        #expect(try files(zoo).count == 2)
    }

    @Test("an update of a row that a bulk delete of the save deletes leaves no file")
    func updateOfDeleted() throws {
        let zoo = try albums()
        let rows = try fill(zoo)
        var work = changes(request(rows.album))
        work.updates = [try zoo.update(rows.pictures[0], ["data": .bytes(Data(repeating: 9, count: 200_000))])]
        guard case .saved = try zoo.store.save(work) else {
            Issue.record("conflict")
            return
        }
        #expect(try files(zoo).count == 1)
    }
}
