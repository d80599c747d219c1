import MemoryStore
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport

@testable import SQLiteStore

/// One random delete done three ways: by the planner over key sets, object by object through a graph, and by the reference. All
/// must leave the same tables, or refuse for the same reasons and change nothing.
struct DeleteRound {
    let world: DeleteWorld
    /// Deleted from by the planner.
    let planned: SQLiteStore
    /// Deleted from object by object.
    let walked: SQLiteStore
    private(set) var log: [String] = []
    /// The reasons of refused deletes.
    let refusals = MetErrors()

    init(_ world: DeleteWorld, history: SchemaLayout.HistoryKind = .with) throws {
        self.world = world
        planned = try world.makeStore(history: history)
        walked = try world.makeStore(history: history)
    }

    private typealias RowName = ReferenceDelete.RowName

    /// - Returns: the result of the delete.
    mutating func run(_ random: inout SeededGenerator) throws -> Ending {
        try world.dump.load(into: planned)
        try world.dump.load(into: walked)
        let graph = Graph(model: world.model, store: walked, face: world.face)
        var (request, roots) = try self.request(graph, &random)
        request.author = random.chance(50) ? "somebody" : nil
        request.counts = random.chance(60) ? .checked : .unchecked
        log = ["\(request.roots)", "counts \(request.counts)"]
        let reference = ReferenceDelete(planned.map, world.dump)
        let expected = reference.delete(roots.map(name), checkingCounts: request.counts == .checked)
        let memory = try MemoryStore.copy(of: planned)
        let refusals = try delete(request, expected, &random)
        try checkMemory(memory, request, refusals)
        try expect(refusals == expected.refusals, "planned: refused for \(refusals), expected \(expected.refusals)")
        try checkTables(planned, expected, "planned")
        if request.counts == .unchecked {
            // Deletes of objects always check counts.
            let counted = reference.delete(roots.map(name), checkingCounts: true)
            guard counted.refusals.isEmpty || !refusals.isEmpty else { return .uncounted }
            try expect(try walk(roots, graph, request, &random) == counted.refusals, "walked: refusals")
        } else {
            let walk = try walk(roots, graph, request, &random)
            try expect(walk == expected.refusals, "walked: refused for \(walk), expected \(expected.refusals)")
        }
        try checkTables(walked, expected, "walked")
        let difference = try StoreDump(planned).difference(from: StoreDump(walked))
        try expect(difference == nil, "planned from walked: \(difference ?? "")")
        if expected.refusals.isEmpty { try checkStrategies(request) }
        if !expected.refusals.isEmpty { return .refused }
        return expected.deleted.isEmpty ? .nothing : .deleted
    }

    enum Ending { case nothing, deleted, refused, uncounted }

    // MARK: Roots

    private func request(_ graph: Graph, _ random: inout SeededGenerator) throws -> (DeleteRequest, [Record]) {
        switch random.roll(12) {
        case 0:
            return (DeleteRequest(.everything), try everything(graph))
        case 1..<5:
            var records = random.some(try everything(graph), atMost: 4)
            var ids = records.map { planned.objectID(entity: $0.entity, key: $0.id.key) }
            if let first = ids.first, random.chance(30) {
                // One that does not exist, and one twice.
                ids += [ObjectID(space: first.space, key: 4711), first]
            }
            if random.chance(10) { (ids, records) = ([], []) }
            return (DeleteRequest(.rows(RowSet(ids))), records)
        default:
            let query = RandomQuery.make(world.model, &random)
            return (DeleteRequest(.matching(query)), try graph.fetchEvaluating(query))
        }
    }

    private func everything(_ graph: Graph) throws -> [Record] {
        try world.model.entities.filter(\.isRoot).flatMap { try graph.fetch(Query(entityIndex: $0.index)) }
    }

    private func name(_ record: Record) -> RowName { RowName(entity: record.entity.index, key: record.id.key) }

    private func id(_ name: RowName) -> ObjectID {
        planned.objectID(entity: world.model[name.entity], key: name.key)
    }

    // MARK: Ways

    private func delete(
        _ request: DeleteRequest, _ expected: ReferenceDelete.Outcome, _ random: inout SeededGenerator
    ) throws -> DeleteRefusals {
        let plan = try planned.plan(request)
        try expect(Set(plan.deleted.ids) == Set(expected.deleted.map(id)), "the plan deletes \(plan.deleted)")
        try expect(Set(plan.updated.ids) == Set(expected.updated.map(id)), "the plan updates \(plan.updated)")
        try expect(plan.deleted.count == plan.reaches.reduce(0) { $0 + $1.count }, "reaches: \(plan.reaches)")
        try expect(plan.roots.subtracting(plan.deleted).isEmpty, "roots that stay: \(plan.roots)")
        var request = request
        if random.chance(20), plan.refusals.isEmpty, plan.deleted.count > 0 {
            request.mostRows = plan.deleted.count - 1
            let limit = request
            try expect(throws: .tooManyRows(count: plan.deleted.count, limit: plan.deleted.count - 1)) {
                _ = try planned.delete(limit)
            }
            request.mostRows = plan.deleted.count
        }
        do {
            let result =
                random.chance(50) ? try planned.delete(request) : try planned.execute(plan, of: request)
            try expect(result.plan == plan, "another plan than the one made before: \(result.plan)")
            return DeleteRefusals()
        } catch DeleteError.refused(let refusals) {
            self.refusals.note(DeleteError.refused(refusals))
            try expect(refusals == plan.refusals, "other refusals than in the plan: \(refusals)")
            return DeleteRefusals(refusals)
        }
    }

    /// The result in the memory store equals the planner's.
    private func checkMemory(_ memory: MemoryStore, _ request: DeleteRequest, _ refusals: DeleteRefusals) throws {
        do {
            _ = try memory.delete(request)
            try expect(refusals.isEmpty, "memory: not refused")
        } catch DeleteError.refused(let found) {
            try expect(DeleteRefusals(found) == refusals, "memory: refused for \(found)")
        }
        for root in world.model.entities where root.isRoot {
            let (rows, expected) = (
                try memory.fetch(Query(entityIndex: root.index)), try planned.fetch(Query(entityIndex: root.index))
            )
            try expect(rows == expected, "memory: rows of \(root.name) are \(rows.map(StoreText.row))")
            for entity in root.familyIndexes.map({ world.model[$0] }) {
                for index in entity.toManyRelationships.map(\.index) {
                    let members = try [memory.members, planned.members].map {
                        try $0(index, entity.index, rows.map(\.id))
                    }
                    try expect(members[0] == members[1], "memory: members of \(entity.name) are \(members[0])")
                }
            }
        }
    }

    private func walk(
        _ roots: [Record], _ graph: Graph, _ request: DeleteRequest, _ random: inout SeededGenerator
    ) throws -> DeleteRefusals {
        if random.chance(50) {
            try graph.delete(roots)
        } else {
            for root in roots.shuffled(using: &random) { try graph.delete([root]) }
        }
        try graph.checkInvariants()
        do {
            _ = try graph.save(author: request.author)
            return DeleteRefusals()
        } catch let error as ValidationError {
            refusals.note(error)
            return DeleteRefusals(error)
        }
    }

    /// Every strategy of finding and deleting rows leaves the same tables.
    private func checkStrategies(_ request: DeleteRequest) throws {
        let done = try StoreDump(planned)
        for strategy in DeleteStrategy.allCases {
            try world.dump.load(into: planned)
            try run(request, forced: strategy)
            let difference = try StoreDump(planned).difference(from: done)
            try expect(difference == nil, "\(strategy): \(difference ?? "")")
        }
    }

    private func run(_ request: DeleteRequest, forced: DeleteStrategy) throws {
        var runner = planned.saveRunner.deleteRunner
        runner.forced = forced
        try planned.pool.withWriter { connection in
            try connection.inTransaction(.immediate) {
                let plan = try runner.plan(request, connection)
                if plan.isEmpty { return }
                var keys = KeyAllocator()
                var history = try planned.saveRunner.history.map {
                    try HistoryWriter($0, author: request.author, changeCount: 0, keys: &keys, connection)
                }
                defer { history?.finish() }
                _ = try runner.run(plan, history: &history, keys: &keys, connection)
                try keys.write(names: HistoryLayout.names, connection)
            }
        }
    }

    // MARK: Checks

    private func checkTables(_ store: SQLiteStore, _ expected: ReferenceDelete.Outcome, _ what: String) throws {
        let dump = try StoreDump(store)
        guard expected.refusals.isEmpty else {
            let difference = dump.difference(from: world.dump)
            return try expect(difference == nil, "\(what), refused, yet written: \(difference ?? "")")
        }
        let history = [
            HistoryTables.Change.table, HistoryTables.Transaction.table, HistoryTables.Text.table,
            SystemTables.PrimaryKey.table,
        ]
        let rows = dump.tables.keys.filter { !history.contains($0) }.sorted()
        let difference = dump.difference(from: expected.after, tables: rows)
        try expect(difference == nil, "\(what): \(difference ?? "")")
        try checkHistory(store, dump, expected, what)
    }

    /// One change for each row that was deleted or lost a link.
    private func checkHistory(
        _ store: SQLiteStore, _ dump: StoreDump, _ expected: ReferenceDelete.Outcome, _ what: String
    ) throws {
        guard store.saveRunner.history != nil else { return }
        let known = Set(world.dump[HistoryTables.Change.table].map { $0[SystemTables.keyColumn] })
        let new = dump[HistoryTables.Change.table].filter { !known.contains($0[SystemTables.keyColumn]) }
        func changes(_ kind: Int64) -> [RowName] {
            new.filter { $0[HistoryTables.Change.changeType]?.key == kind }.compactMap { row in
                guard let number = row[HistoryTables.Change.entity]?.key.flatMap({ Int(exactly: $0) }),
                    let entity = store.map.entityIndexByNumber[number],
                    let key = row[HistoryTables.Change.key]?.key
                else { return nil }
                return RowName(entity: entity, key: key)
            }.sorted()
        }
        try expect(changes(2) == expected.deleted.sorted(), "\(what): history of deletes is \(changes(2))")
        try expect(changes(1) == expected.updated.sorted(), "\(what): history of updates is \(changes(1))")
        try expect(changes(0).isEmpty, "\(what): history of insertions")
    }

    private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Difference(text: text()) }
    }

    private func expect(throws expected: DeleteError, _ body: () throws -> Void) throws {
        do { try body() } catch let error as DeleteError where error == expected { return }
        throw Difference(text: "no \(expected)")
    }
}
