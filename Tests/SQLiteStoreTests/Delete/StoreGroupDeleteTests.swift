import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Deletes in several stores")
struct StoreGroupDeleteTests {
    private let model: Model
    private let stores: [SQLiteStore]
    private let group: StoreGroup

    init() throws {
        let model = try Model(
            ["A", "B"].map { name in
                var description = EntityDescription(name)
                description.attributes = [Attribute("name", .string, optional: true)]
                return description
            })
        self.model = model
        // In the order of writing.
        stores = try model.entities.map { try SQLiteStore(model: model.restricted(to: [$0.name]), location: .memory) }
            .sorted { $0.identifier < $1.identifier }
        group = try StoreGroup(model: model, stores: stores)
        var changes = ChangeSet()
        changes.insertions = model.entities.map {
            ChangeSet.Insertion(id: .temporary(entityName: $0.name), entityIndex: $0.index, values: [.text("x")])
        }
        _ = try group.save(changes)
    }

    private func contents() throws -> [Contents] { try stores.map(Contents.init) }

    /// Refuses rows of one store.
    private final class Refusing: DeleteObserver {
        struct Refusal: Error {}
        let identifier: String
        private let commits = Locked<[SavedRows]>([])

        init(_ identifier: String) { self.identifier = identifier }

        var committed: [SavedRows] { commits.withLock { $0 } }

        func willCommit(_ page: RowSet) throws {
            if page.spaces.contains(where: { $0.storeIdentifier == identifier }) { throw Refusal() }
        }

        func didCommit(_ result: SavedRows) { commits.withLock { $0.append(result) } }
    }

    @Test("a failure in any store leaves all stores unchanged")
    func failing() throws {
        let before = try contents()
        for store in stores {
            let observer = Refusing(store.identifier)
            var request = DeleteRequest(.everything)
            request.observer = observer
            #expect(throws: Refusing.Refusal.self) { try group.delete(request) }
            let plan = try group.plan(request)
            #expect(plan.deleted.count == 2)
            #expect(throws: Refusing.Refusal.self) { try group.execute(plan, of: request) }
            #expect(observer.committed.isEmpty)
            #expect(try contents() == before)
        }
    }

    @Test("an observer is notified of the commits of all stores; one token covers all")
    func succeeding() throws {
        let observer = Refusing("")
        var request = DeleteRequest(.everything)
        request.observer = observer
        request.recovery = .archived()
        let result = try group.delete(request)
        #expect(observer.committed.map(\.plan.deleted.count) == [1, 1])
        #expect(result.plan.deleted.count == 2)
        #expect(try group.archivedDeletes().map(\.token) == [try #require(result.token)])
    }

    @Test("a plan that another save made outdated is refused, and all stores are unchanged")
    func moved() throws {
        let request = DeleteRequest(.everything)
        let plan = try group.plan(request)
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "B"), entityIndex: 1, values: [.text("late")])
        ]
        _ = try group.save(changes)
        let before = try contents()
        #expect(throws: DeleteError.storeMoved) { try group.execute(plan, of: request) }
        #expect(try contents() == before)
    }

    @Test("a limit applies to all stores together")
    func limit() throws {
        let before = try contents()
        var request = DeleteRequest(.everything)
        request.mostRows = 1
        #expect(throws: DeleteError.tooManyRows(count: 2, limit: 1)) { try group.delete(request) }
        #expect(try contents() == before)
    }

    @Test("bulk deletes in a store without support for them are refused, naming the store")
    func capability() throws {
        let other = ObjectStore(
            identifier: "OBJECTS", model: try model.restricted(to: ["B"]), isReadOnly: false, rows: NoRows())
        let sqlite = try SQLiteStore(model: model.restricted(to: ["A"]), location: .memory)
        let mixed = try StoreGroup(model: model, stores: [other, sqlite])
        #expect(throws: StoreCapabilityError.deletesNoSets(store: "OBJECTS")) {
            try mixed.plan(DeleteRequest(.matching(Query(entityIndex: 1))))
        }
        #expect(try mixed.plan(DeleteRequest(.matching(Query(entityIndex: 0)))).isEmpty)
        #expect(throws: StoreCapabilityError.deletesNoSets(store: "OBJECTS")) {
            try mixed.plan(DeleteRequest(.everything))
        }
    }
}

private final class NoRows: ObjectRows {
    func answer(to query: Query) throws -> ObjectAnswer { .exactly([]) }
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { [] }
    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID] { [] }
    func conflicts(with changes: ChangeSet) throws -> [Conflict] { [] }
    func write(_ changes: ChangeSet) throws -> SavedRows { SavedRows(asGiven: changes) }
}
