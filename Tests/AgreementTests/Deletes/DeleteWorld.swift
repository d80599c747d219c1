import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport

@testable import SQLiteStore

/// A store full of random objects of a random model, all of them valid, some with references left dangling by an earlier delete.
struct DeleteWorld {
    let schema: DeleteSchema
    let dump: StoreDump
    let face = TestFace()

    var model: Model { schema.model }

    init(_ random: inout SeededGenerator, objects count: Int = 24, leastCounts: Bool = true) throws {
        schema = try DeleteSchema(&random, leastCounts: leastCounts)
        let store = try SQLiteStore(model: schema.model, location: .memory)
        let graph = Graph(model: schema.model, store: store, face: face)
        try Self.fill(graph, schema.model, count, &random)
        if random.chance(50) { try Self.deleteSome(graph, schema.model, &random) }
        dump = try StoreDump(store)
    }

    /// A store of its own with the same rows.
    func makeStore(
        history: SchemaLayout.HistoryKind = .with, at location: Connection.Location = .memory
    ) throws -> SQLiteStore {
        var options = SQLiteStore.Options()
        options.history = history
        let store = try SQLiteStore(model: model, location: location, options: options)
        try dump.load(into: store)
        return store
    }

    // MARK: Making

    private static func fill(_ graph: Graph, _ model: Model, _ count: Int, _ random: inout SeededGenerator) throws {
        var records: [Record] = []
        for number in 0..<count {
            guard let entity = random.pick(model.entities) else { continue }
            let member = newMember(entity)
            member.record.initializeValue(.integer(Int64(number)), at: 0)
            member.record.initializeValue(.text("o\(number)"), at: 1)
            graph.insert(member)
            records.append(member.record)
        }
        for record in records {
            for relationship in record.entity.relationships where random.chance(70) {
                link(record, relationship, among: records, model, graph, &random)
            }
        }
        for _ in 0..<count {
            do {
                _ = try graph.save()
                return
            } catch let error as ValidationError {
                try mend(error, records, model, graph, &random)
            }
        }
        // Objects that cannot be made valid are left out.
        graph.rollback()
    }

    private static func link(
        _ record: Record, _ relationship: EntityRelationship, among records: [Record], _ model: Model, _ graph: Graph,
        _ random: inout SeededGenerator
    ) {
        let candidates = records.filter {
            $0.graph === graph && model.isKind($0.entity.index, of: relationship.destinationIndex)
        }
        let most = relationship.isToOne ? 1 : max(4, relationship.relationship.minimumCount)
        var wanted = random.some(candidates, atMost: most)
        if !relationship.isToOne, random.chance(70) {
            // Without these, the last one linked would leave most lists empty.
            let ids = Set(graph.memberIDs(of: record, relationship))
            wanted = candidates.filter { ids.contains($0.id) } + wanted.filter { !ids.contains($0.id) }
        }
        Graph.link(graph.member(record), relationship, to: wanted.map(graph.member))
    }

    /// Invalid objects are linked once more, or deleted.
    private static func mend(
        _ error: ValidationError, _ records: [Record], _ model: Model, _ graph: Graph, _ random: inout SeededGenerator
    ) throws {
        var faults: [(id: ObjectID, property: String)] = []
        func collect(_ error: ValidationError) {
            switch error {
            case .missingValue(let id, let property): faults.append((id, property))
            case .tooFew(let id, let property, _, _): faults.append((id, property))
            case .tooMany(let id, let property, _, _): faults.append((id, property))
            case .deniedDelete, .unwritableValue: break
            case .several(let errors): errors.forEach(collect)
            }
        }
        collect(error)
        for fault in faults {
            guard let record = graph.registeredRecord(for: fault.id),
                let relationship = record.entity.relationship(named: fault.property)
            else { continue }
            if random.chance(60) {
                link(record, relationship, among: records, model, graph, &random)
            } else {
                try graph.delete([record])
            }
        }
    }

    private static func deleteSome(_ graph: Graph, _ model: Model, _ random: inout SeededGenerator) throws {
        for entity in model.entities where entity.isRoot {
            let records = try graph.fetch(Query(entityIndex: entity.index))
            try graph.delete(random.some(records, atMost: 2))
            do { _ = try graph.save() } catch is ValidationError { graph.rollback() }
        }
    }
}
