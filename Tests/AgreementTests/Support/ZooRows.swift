import Foundation
import ObjectGraph
import SQLiteStore
import TestSupport

@testable import MemoryStore

/// Two stores full of the same random rows: one evaluates queries in SQL, the other by the evaluator.
struct ZooRows {
    let model: Model
    private let pair: StorePair
    /// The rows as the evaluator sees them.
    let rows: Rows

    var store: SQLiteStore { pair.sqlite }
    var memory: MemoryStore { pair.memory }

    static let texts = [
        "", "a", "A", "ab", "b", "é", "e\u{301}", "É", "Zoë", "zoe", "x1", "x10", "x2", "日本", "a b", "%", "_", "👩‍👧",
    ]
    static let integers: [Int64] = [-2, -1, 0, 0, 1, 1, 2, 3, 5, 10]
    static let reals: [Double] = [-2, -0.5, 0, 0.25, 1, 1.5, 2, 3, 1000]
    static let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, .max - 1, .max]

    init(_ random: inout SeededGenerator, rows count: Int = 26) throws {
        model = try ZooModel.make()
        pair = try StorePair(model)
        let graph = Graph(model: model, store: pair, face: TestFace())
        var records: [Record] = []
        for _ in 0..<count {
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
        self.rows = pair.memory.rows
    }

    /// All of them.
    var ids: [ObjectID] {
        model.entities.filter(\.isRoot).flatMap { rows.all($0.index).map { rows.id($0.row, $0.name) } }.sorted()
    }

    /// The rows of an entity and its subentities, in key order.
    func all(_ entityIndex: Int) -> [RowName] { rows.all(entityIndex).map(\.name) }

    private static func link(
        _ record: Record, _ records: [Record], _ model: Model, _ graph: Graph, _ random: inout SeededGenerator
    ) throws {
        for relationship in record.entity.relationships where random.chance(60) {
            let candidates = records.filter { model.isKind($0.entity.index, of: relationship.destinationIndex) }
            let wanted = random.some(candidates, atMost: relationship.isToOne ? 1 : 4)
            Graph.link(graph.member(record), relationship, to: wanted.map(graph.member))
        }
    }

    static func value(_ leaf: Attribute, _ random: inout SeededGenerator) -> Value {
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
}
