import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Archived deletions of several stores")
struct StoreGroupRecoveryTests {
    private let model: Model
    private let stores: [SQLiteStore]
    private let set: StoreGroup

    init() throws {
        let descriptions = ["A", "B"].map { name in
            var description = EntityDescription(name)
            description.attributes = [Attribute("name", .string, optional: true)]
            description.uniquenessConstraints = [["name"]]
            return description
        }
        let model = try Model(descriptions)
        self.model = model
        stores = try descriptions.map { try SQLiteStore(model: model.restricted(to: [$0.name]), location: .memory) }
        set = try StoreGroup(model: model, stores: stores)
    }

    private func insert(_ names: (entity: Int, name: String)...) throws -> [ObjectID] {
        var changes = ChangeSet()
        changes.insertions = names.map {
            ChangeSet.Insertion(
                id: .temporary(entityName: model[$0.entity].name), entityIndex: $0.entity, values: [.text($0.name)])
        }
        guard case .saved(let rows) = try set.save(changes) else { return [] }
        return rows.inserted.map(\.id)
    }

    private func deleteEverything() throws -> RecoveryToken {
        var request = DeleteRequest(.everything)
        request.recovery = .archived()
        return try #require(try set.delete(request).token)
    }

    @Test("one token covers all stores: listed once, restored everywhere")
    func together() throws {
        let ids = try insert((0, "a"), (1, "b"))
        let before = try stores.map(Contents.init)
        let token = try deleteEverything()
        #expect(try set.archivedDeletes().map(\.rowCount) == [2])
        #expect(try stores.map { try $0.archivedDeletes().map(\.token) } == [[token], [token]])
        let result = try set.restore(token, .strict, author: nil)
        #expect(result.restored == RowSet(ids))
        #expect(try stores.map(Contents.init) == before)
        #expect(throws: RecoveryError.unknownToken(token)) { try set.restore(token, .strict, author: nil) }
    }

    @Test("a conflict in one store keeps all stores unchanged; only stores with rows of the delete are checked")
    func conflicts() throws {
        let ids = try insert((0, "a"), (1, "b"))
        let token = try deleteEverything()
        _ = try insert((1, "b"))
        let before = try stores.map(Contents.init)
        let conflict = RestoreConflict(
            reason: .notUnique(properties: ["name"]), entity: "B", relationship: nil, count: 1, examples: [ids[1]])
        #expect(try set.conflicts(restoring: token) == [conflict])
        #expect(throws: RecoveryError.conflicts([conflict])) { try set.restore(token, .strict, author: nil) }
        #expect(try stores.map(Contents.init) == before)
        let result = try set.restore(token, .skippingConflicts, author: nil)
        #expect(result.restored == RowSet([ids[0]]) && result.skipped == [conflict])
        #expect(try stores.map { try $0.archivedDeletes().count } == [0, 1])
    }

    @Test("a delete in chunks is discarded in all stores at once, by the token of any of its chunks")
    func chunks() throws {
        let job = UUID()
        for number in 0..<3 {
            _ = try insert((0, "a"), (1, "b"))
            var request = DeleteRequest(.everything)
            request.recovery = .archived(RecoveryToken(chunk: number, of: job))
            _ = try set.delete(request)
        }
        let chunks = RecoveryToken.chunks(3, of: job)
        _ = try insert((0, "a"))
        let other = try deleteEverything()
        #expect(try set.archivedDeletes().map(\.token) == chunks.reversed() + [other])
        #expect(RecoveryToken.onePerDelete(chunks + [other] + chunks) == [chunks[0], other])
        _ = try set.restore(chunks[0], .strict, author: nil)
        #expect(
            try set.purge(.token(chunks[0])).count == 2, "the chunks that are left, by the token of the one that is not"
        )
        #expect(try set.archivedDeletes().map(\.token) == [other])
    }

    @Test("deletions are discarded in all stores; a size applies to all together")
    func purging() throws {
        _ = try insert((0, "a"), (1, "b"))
        let first = try deleteEverything()
        _ = try insert((0, "a"), (1, "b"))
        let second = try deleteEverything()
        let bytes = try set.archivedDeletes().map(\.byteCount)
        #expect(try set.purge(.downTo(byteCount: bytes[0] + bytes[1])).isEmpty)
        #expect(try set.purge(.downTo(byteCount: bytes[1])).map(\.token) == [first])
        #expect(try set.archivedDeletes().map(\.token) == [second])
        #expect(try set.purge(.everything).map(\.rowCount) == [2])
        #expect(try stores.allSatisfy { try $0.archivedDeletes().isEmpty })
    }
}
