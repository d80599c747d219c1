import Foundation
import ObjectGraph
import SQLiteStore

/// A store full of random rows, and the same rows as plain values: what the evaluator is asked over.
struct ZooRows {
    let model: Model
    let store: SQLiteStore
    private(set) var objects: [ObjectID: ZooObject] = [:]

    static let texts = [
        "", "a", "A", "ab", "b", "é", "e\u{301}", "É", "Zoë", "zoe", "x1", "x10", "x2", "日本", "a b", "%", "_", "👩‍👧",
    ]
    static let integers: [Int64] = [-2, -1, 0, 0, 1, 1, 2, 3, 5, 10]
    static let reals: [Double] = [-2, -0.5, 0, 0.25, 1, 1.5, 2, 3, 1000]
    static let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, .max - 1, .max]

    init(_ random: inout Seeded, rows: Int = 26) throws {
        model = try ZooModel.make()
        store = try SQLiteStore(model: model, location: .memory)
        let face = TestFace()
        let graph = Graph(model: model, store: store, face: face)
        var records: [Record] = []
        for _ in 0..<rows {
            guard let entity = random.pick(model.entities) else { continue }
            let member = newMember(entity)
            for (slot, kind) in entity.slots.enumerated() {
                guard case .attribute(_, let leaf) = kind, random.chance(70) else { continue }
                member.record.initializeValue(Self.value(leaf, &random), at: slot)
            }
            graph.insert(member)
            records.append(member.record)
        }
        for record in records { try Self.link(record, records, model, graph, &random) }
        try graph.save()
        // Links are read anew: a key without inverse leads to one owner only, whoever was linked last.
        let stored = Graph(model: model, store: store, face: face)
        for record in records {
            var object = ZooObject(id: record.id, entityIndex: record.entity.index, values: Array(record.values))
            for relationship in record.entity.relationships {
                guard let row = stored.record(for: record.id) else { continue }
                object.links[relationship.index] = stored.destinations(of: row, relationship).map(\.id)
            }
            objects[record.id] = object
        }
    }

    private static func link(
        _ record: Record, _ records: [Record], _ model: Model, _ graph: Graph, _ random: inout Seeded
    ) throws {
        for relationship in record.entity.relationships where random.chance(60) {
            let candidates = records.filter { model.isKind($0.entity.index, of: relationship.destinationIndex) }
            let wanted = random.some(candidates, atMost: relationship.isToOne ? 1 : 4)
            Graph.link(graph.member(record), relationship, to: wanted.map(graph.member))
        }
    }

    static func value(_ leaf: Attribute, _ random: inout Seeded) -> Value {
        switch leaf.type {
        case .integer16, .integer32: .integer(random.pick(integers) ?? 0)
        case .integer64: .integer(random.chance(25) ? random.pick(edges) ?? 0 : random.pick(integers) ?? 0)
        case .decimal: .decimal(Decimal(string: random.pick(["-1", "0", "0.1", "2", "2.5", "1000"]) ?? "0") ?? 0)
        case .double: .real(random.pick(reals) ?? 0)
        case .float: .real(Double(Float(random.pick(reals) ?? 0)))
        case .string: .text(random.pick(texts) ?? "")
        case .boolean: .integer(Int64(random.roll(2)))
        case .date: .real(random.pick([0, -1, 5, 5.5, 1_000_000, 700_000_000.25]) ?? 0)
        case .binary, .transformable: .bytes(random.pick([Data(), Data([0]), Data([1, 2]), Data([255])]) ?? Data())
        case .uuid: .uuid(random.pick(uuids) ?? UUID())
        case .uri: .text(random.pick(["https://a.example", "https://b.example/x", "file:///"]) ?? "")
        case .composite: .null
        }
    }

    static let uuids = ["00000000-0000-0000-0000-000000000000", "A0000000-0000-4000-8000-00000000000F"]
        .compactMap(UUID.init(uuidString:))

    /// The rows a query without predicate finds, in key order.
    func all(_ entityIndex: Int, includesSubentities: Bool = true) -> [ZooObject] {
        objects.values.filter { object in
            includesSubentities
                ? model.isKind(object.entityIndex, of: entityIndex) : object.entityIndex == entityIndex
        }.sorted { $0.id.key < $1.id.key }
    }
}

/// One row and its links, as plain values.
struct ZooObject {
    let id: ObjectID
    let entityIndex: Int
    let values: [Value]
    /// By position in `Entity.relationships`.
    var links: [Int: [ObjectID]] = [:]
}

extension ZooRows: QueryObjectSource {
    func identifier(of object: ZooObject) -> ObjectID { object.id }
    func entityIndex(of object: ZooObject) -> Int { object.entityIndex }
    func value(of object: ZooObject, slot: Int) -> Value {
        object.values.indices.contains(slot) ? object.values[slot] : .null
    }
    func destination(of object: ZooObject, relationship index: Int) -> ZooObject? {
        object.links[index]?.first.flatMap { objects[$0] }
    }
    func members(of object: ZooObject, relationship index: Int) -> [ZooObject] {
        (object.links[index] ?? []).compactMap { objects[$0] }
    }
}
