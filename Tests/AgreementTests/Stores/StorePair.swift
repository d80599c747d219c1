import Foundation
import ObjectGraph

@testable import MemoryStore
@testable import SQLiteStore

/// One store that is two: in a file's layout, and in memory. Every call goes to both, and throws `Difference` if their results
/// differ. It returns the former's result.
final class StorePair: Store, SetDeleting, DeletionArchiving, RowBatching {
    let sqlite: SQLiteStore
    let memory: MemoryStore
    private let counts = Locked<[String: Int]>([:])

    /// How often saves had conflicts, replacing insertions, and maintained links.
    var met: [String: Int] { counts.withLock { $0 } }

    init(_ model: Model) throws {
        sqlite = try SQLiteStore(model: model, location: .memory)
        memory = try MemoryStore(model: model, identifier: sqlite.identifier)
    }

    var identifier: String { sqlite.identifier }
    var model: Model { sqlite.model }
    var isReadOnly: Bool { false }
    var storesTransients: Bool { false }
    var openingWarnings: [DeleteRuleWarning] { [] }

    func both<Answer>(
        _ call: String, _ describe: (Answer) -> String, sqlite: () throws -> Answer, memory: () throws -> Answer
    ) throws -> Answer {
        let (one, other) = (Result(catching: sqlite), Result(catching: memory))
        let texts = [one, other].map { result in
            switch result {
            case .success(let answer): describe(answer)
            case .failure(let error): StoreText.error(error)
            }
        }
        guard texts[0] == texts[1] else {
            throw Difference(text: "\(call)\n  SQLite: \(texts[0])\n  memory: \(texts[1])")
        }
        return try one.get()
    }

    // MARK: Reading

    func fetch(_ query: Query) throws -> [Snapshot] {
        try both("fetch") {
            $0.map(StoreText.row).joined(separator: "\n")
        } sqlite: {
            try sqlite.fetch(query)
        } memory: {
            try memory.fetch(query)
        }
    }

    func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try both("fetchIDs", StoreText.ids) {
            try sqlite.fetchIDs(query)
        } memory: {
            try memory.fetchIDs(query)
        }
    }

    func count(_ query: Query) throws -> Int {
        try both("count", \.description) {
            try sqlite.count(query)
        } memory: {
            try memory.count(query)
        }
    }

    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try forEachFetchedRow(of: query, body)
    }

    func fetchPartialRows(_ query: Query) throws -> [Snapshot]? { nil }

    func groups(_ query: GroupQuery) throws -> [RowGroup]? {
        try both("groups") {
            $0.map { "\($0)" } ?? "none"
        } sqlite: {
            try sqlite.groups(query)
        } memory: {
            try memory.groups(query)
        }
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        try both("snapshots") {
            $0.map(StoreText.row).sorted().joined(separator: "\n")
        } sqlite: {
            try sqlite.snapshots(of: ids)
        } memory: {
            try memory.snapshots(of: ids)
        }
    }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        let name = "\(model[entityIndex].name).\(model[entityIndex].relationships[relationshipIndex].name)"
        return try both("members of \(name)") { members in
            members.filter { !$0.value.isEmpty }.map { "\($0.key): \(StoreText.ids($0.value))" }.sorted()
                .joined(separator: "\n")
        } sqlite: {
            try sqlite.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners)
        } memory: {
            try memory.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners)
        }
    }

    // MARK: Saving

    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        let result = try both("save", StoreText.result) {
            try sqlite.save(changes, beforeCommit: beforeCommit)
        } memory: {
            try memory.save(changes)
        }
        counts.withLock { counts in
            switch result {
            case .conflicts(let conflicts):
                counts["conflicts", default: 0] += 1
                if conflicts.contains(where: \.refersToDeleted) {
                    counts["references to deleted rows", default: 0] += 1
                }
            case .saved(let saved):
                if saved.inserted.contains(where: \.replaced) { counts["replaced rows", default: 0] += 1 }
                if !saved.adjusted.isEmpty { counts["upkeep of links", default: 0] += 1 }
                if !saved.plan.isEmpty { counts["planned deletes", default: 0] += 1 }
            }
        }
        return result
    }

    func changesByOthers() throws -> SavedChanges { try sqlite.changesByOthers() }

    // MARK: Deleting

    func commitMarker() throws -> CommitMarker? { try sqlite.commitMarker() }

    func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        try sqlite.readForDelete { one in
            try memory.readForDelete { other in try body(ReadingPair(one: one, other: other)) }
        }
    }

    func plan(_ request: DeleteRequest) throws -> DeletePlan {
        try both("plan", StoreText.plan) {
            try sqlite.plan(request)
        } memory: {
            try memory.plan(request)
        }
    }

    func cost(of plan: DeletePlan) throws -> DeleteCost {
        try both("cost") {
            StoreText.dangling($0.dangling)
        } sqlite: {
            try sqlite.cost(of: plan)
        } memory: {
            try memory.cost(of: plan)
        }
    }

    func delete(_ request: DeleteRequest, beforeCommit: (SavedRows) throws -> Void) throws -> SavedRows {
        try both("delete", StoreText.deletion) {
            try sqlite.delete(request, beforeCommit: beforeCommit)
        } memory: {
            try memory.delete(request)
        }
    }

    func deleteUnseen(_ query: Query) throws -> Int? { nil }

    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> SavedRows {
        try both("execute", StoreText.deletion) {
            try sqlite.execute(plan, of: request)
        } memory: {
            try memory.execute(plan, of: request)
        }
    }

    // MARK: Archive

    func archivedDeletes() throws -> [ArchivedDelete] {
        try both("kept deletes", StoreText.kept) {
            try sqlite.archivedDeletes()
        } memory: {
            try memory.archivedDeletes()
        }
    }

    func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict] {
        try both("conflicts restoring", StoreText.conflicts) {
            try sqlite.conflicts(restoring: tokens)
        } memory: {
            try memory.conflicts(restoring: tokens)
        }
    }

    func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows {
        try both("restore", StoreText.restored) {
            try sqlite.restore(token, rule, author: author, beforeCommit: beforeCommit)
        } memory: {
            try memory.restore(token, rule, author: author)
        }
    }

    func purge(_ rule: PurgeRule) throws -> [ArchivedDelete] {
        try both("purge", StoreText.kept) {
            try sqlite.purge(rule)
        } memory: {
            try memory.purge(rule)
        }
    }

    // MARK: Batches

    func insert(_ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool) throws -> SavedRows {
        var rows: [BatchInsert.Row] = []
        var row = BatchInsert.Row(values: [], given: [])
        while try fill(&row) { rows.append(row) }
        return try both("batch insert", StoreText.batch) {
            var place = 0
            return try sqlite.insert(batch) { Self.next(&place, of: rows, &$0) }
        } memory: {
            var place = 0
            return try memory.insert(batch) { Self.next(&place, of: rows, &$0) }
        }
    }

    private static func next(_ place: inout Int, of rows: [BatchInsert.Row], _ row: inout BatchInsert.Row) -> Bool {
        guard place < rows.count else { return false }
        row = rows[place]
        place += 1
        return true
    }

    func update(_ batch: BatchUpdate) throws -> SavedRows {
        try both("batch update", StoreText.batch) {
            try sqlite.update(batch)
        } memory: {
            try memory.update(batch)
        }
    }

    package var canBeReadWhileWritten: Bool { false }

    func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID] {
        try both("reserved", StoreText.ids) {
            try sqlite.reserveIDs(entityIndex: entityIndex, count: count)
        } memory: {
            try memory.reserveIDs(entityIndex: entityIndex, count: count)
        }
    }

    // MARK: History

    func history(_ query: HistoryQuery) throws -> [HistoryTransaction] {
        let texts = TransactionText(model)
        return try both("history", texts.text) {
            try sqlite.wholeHistory(query)
        } memory: {
            try memory.wholeHistory(query)
        }
    }

    func pruneHistory(before bound: HistoryBound) throws -> Int {
        try both("pruned", \.description) {
            try sqlite.pruneHistory(before: bound)
        } memory: {
            try memory.pruneHistory(before: bound)
        }
    }

    func pruneHistory(where test: HistoryTest) throws -> Int {
        try both("pruned", \.description) {
            try sqlite.pruneHistory(where: test)
        } memory: {
            try memory.pruneHistory(where: test)
        }
    }

    // MARK: Comparing

    /// The complete contents of both.
    func compare() throws {
        for entity in model.entities where entity.isRoot {
            let ids = try fetch(Query(entityIndex: entity.index)).map(\.id)
            for member in entity.familyIndexes.map({ model[$0] }) {
                for relationship in member.toManyRelationships {
                    let owners = ids.filter { $0.entityName == member.name }
                    _ = try members(of: relationship.index, entityIndex: member.index, owners: owners)
                }
            }
        }
        _ = try history(HistoryQuery())
        _ = try archivedDeletes()
    }
}
