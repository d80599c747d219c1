import TestSupport
import Testing

@testable import ObjectGraph

/// The table compared with a dictionary, for consecutive keys and for colliding keys.
@Suite struct RecordTableTests {
    private static let entity = Entity.standIn
    private static let spaces = ["One", "Two"].map { IDSpace.intern(storeIdentifier: "table tests", entityName: $0) }

    @Test("lookups equal a dictionary's, after any insertions and removals", arguments: 1...20)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = RecordTable()
        var reference: [ObjectID: Record] = [:]
        // Few keys, so that the same ones repeat, some of them far apart.
        let stride: Int64 = seed.isMultiple(of: 2) ? 1 : 1 << 40
        for step in 0..<4000 {
            let id = ObjectID(space: Self.spaces[random.roll(2)], key: Int64(random.roll(300)) * stride)
            switch random.roll(16) {
            case 0...5:
                table.remove(id)
                reference[id] = nil
            case 6:
                let unwanted = reference.sorted { $0.key < $1.key }.prefix(random.roll(60)).map(\.value)
                table.remove(unwanted)
                for record in unwanted { reference[record.id] = nil }
            case 7, 8:
                let record = table.record(of: id) { Record(id: id, entity: Self.entity) }
                if let known = reference[id] { #expect(record === known, "seed \(seed), step \(step)") }
                reference[id] = record
            case 9...13:
                let record = Record(id: id, entity: Self.entity)
                let former = table.insert(record)
                #expect(former === reference.updateValue(record, forKey: id), "seed \(seed), step \(step)")
            default: table.reserve(random.roll(50))
            }
            #expect(table[id] === reference[id], "seed \(seed), step \(step)")
            #expect(table.count == reference.count, "seed \(seed), step \(step)")
        }
        for (id, record) in reference { #expect(table[id] === record, "seed \(seed)") }
        #expect(Set(table.all.map(\.id)) == Set(reference.keys), "seed \(seed)")
    }

    @Test("an empty table finds and removes nothing")
    func empty() {
        var table = RecordTable()
        let id = ObjectID(space: Self.spaces[0], key: 1)
        #expect(table[id] == nil)
        table.remove(id)
        #expect(table.count == 0 && Array(table.all).isEmpty)
    }
}

extension Entity {
    /// An entity of no model, for records whose values do not matter.
    fileprivate static var standIn: Entity {
        Entity(
            description: EntityDescription("Thing"), index: 0, superentityIndex: nil, rootIndex: 0,
            subentityIndexes: [], familyIndexes: [0], attributes: [], relationships: [], slots: [], toManyCount: 0)
    }
}
