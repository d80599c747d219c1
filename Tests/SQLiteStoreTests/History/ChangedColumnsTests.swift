import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Reading changed columns")
struct ChangedColumnsTests {
    @Test("written bit sets are read, and read ones are written as the same bytes, for random entities")
    func bothWays() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let model = try Self.model(&random)
            for entity in model.entities {
                let columns = ChangedColumns(entity: entity, model: model)
                let label = Comment(rawValue: "seed \(seed), \(entity.name) of \(model.descriptions)")
                let all = entity.toManyRelationships.map(\.index)
                // If the order is not known, a bit stands for any of them.
                let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
                let isDoubtful = all.count > 1 && PropertyHashOrder(names).certainty == .doubtful
                for _ in 0..<5 {
                    let slots = entity.slots.indices.filter { _ in Bool.random(using: &random) }
                    let toMany = all.filter { _ in Bool.random(using: &random) }
                    let bytes = columns.bytes(slots: slots, toMany: toMany)
                    let read = columns.properties(in: bytes)
                    #expect(read.slots == Self.whole(slots, entity), label)
                    #expect(read.toMany == (isDoubtful && !toMany.isEmpty ? all : toMany), label)
                    #expect(!read.mayMissSome, label)
                    #expect(columns.bytes(slots: read.slots, toMany: read.toMany) == bytes, label)
                    let shifted = Data([0xFF] + bytes).dropFirst()
                    #expect(columns.properties(in: shifted) == read, "a slice of other bytes; \(label)")
                }
            }
        }
    }

    @Test("each property has one bit, a key with an entity number two")
    func singleBits() throws {
        let zoo = try ZooStore()
        for entity in zoo.model.entities {
            let columns = ChangedColumns(entity: entity, model: zoo.model)
            var found: [String] = []
            for bit in 0..<columns.bitCount {
                var bytes = Data(repeating: 0, count: (columns.bitCount + 7) / 8)
                bytes[bit / 8] = 0x80 >> UInt8(bit % 8)
                let read = columns.properties(in: bytes)
                #expect(!read.mayMissSome)
                let names = Set(read.slots.map { Self.property(of: $0, entity) })
                    .union(read.toMany.map { entity.relationships[$0].name })
                #expect(names.count == 1, "\(entity.name), bit \(bit)")
                found += names
            }
            let twice = entity.toOneRelationships.filter { zoo.model.destination(of: $0).hasSubentities }.map(\.name)
            let stored = entity.attributes.filter { !$0.attribute.isTransient }.map(\.name)
            #expect(found.sorted() == (stored + entity.relationships.map(\.name) + twice).sorted())
        }
    }

    @Test("bits beyond the end, and sets of another length, are reported as unknown")
    func unknown() throws {
        let zoo = try ZooStore()
        let entity = try zoo.entity("Keeper")
        let keeper = ChangedColumns(entity: entity, model: zoo.model)
        #expect(keeper.bitCount == 6)
        let stray = keeper.properties(in: Data([0b0001_0001]))
        #expect(stray.mayMissSome)
        #expect(stray.slots.map { Self.property(of: $0, entity) } == ["name"])
        #expect(keeper.properties(in: Data()) == .unknown)
        #expect(keeper.properties(in: Data([0xFF, 0xFF])) == .unknown)
    }

    /// All slots of the stored properties that the slots belong to.
    private static func whole(_ slots: [Int], _ entity: Entity) -> [Int] {
        let properties = Set(slots.map { property(of: $0, entity) })
        return entity.slots.indices.filter { slot in
            if case .attribute(let index, _) = entity.slots[slot], entity.attributes[index].attribute.isTransient {
                return false
            }
            return properties.contains(property(of: slot, entity))
        }
    }

    private static func property(of slot: Int, _ entity: Entity) -> String {
        switch entity.slots[slot] {
        case .attribute(let index, _): entity.attributes[index].name
        case .toOne(let index): entity.relationships[index].name
        }
    }

    /// A few entities, some with superentities, with properties of every kind.
    private static func model(_ random: inout SeededGenerator) throws -> Model {
        let count = Int.random(in: 1...5, using: &random)
        let descriptions = (0..<count).map { index in
            let superentity = index > 0 && Bool.random(using: &random) ? Int.random(in: 0..<index, using: &random) : nil
            var description = EntityDescription("E\(index)", superentity: superentity.map { "E\($0)" })
            for number in 0..<Int.random(in: 0...12, using: &random) {
                // Names in no particular order.
                let name = "\(Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random))))\(index)_\(number)"
                let destination = "E\(Int.random(in: 0..<count, using: &random))"
                switch Int.random(in: 0..<6, using: &random) {
                case 0: description.relationships.append(Relationship(name, to: destination, .toOne))
                case 1: description.relationships.append(Relationship(name, to: destination, .toMany))
                case 2:
                    var attribute = Attribute(name, .string, optional: true)
                    attribute.isTransient = true
                    description.attributes.append(attribute)
                case 3:
                    var attribute = Attribute(name, .composite, optional: true)
                    attribute.elements = [Attribute("a", .string), Attribute("b", .double)]
                    description.attributes.append(attribute)
                default: description.attributes.append(Attribute(name, .integer64, optional: true))
                }
            }
            return description
        }
        return try Model(descriptions)
    }
}
