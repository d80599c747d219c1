import Foundation
import ObjectGraph

/// The bit set that tells which properties an update changed. Bits count from the most significant of the first byte:
/// to-one relationships, attributes, to-many relationships; within each, inherited ones first, then by name. A to-one
/// relationship that may lead to several entities has two bits: its key's and its entity number's.
package struct ChangedColumns: Sendable {
    package let bitCount: Int
    /// First bit and number of bits of the property each slot belongs to; none for transient attributes.
    private let bitsBySlot: [Range<Int>]
    /// By position in `Entity.relationships`; to-many relationships only.
    private let bitByToMany: [Int?]

    package init(entity: Entity, model: Model) {
        var next = 0
        func take(_ count: Int) -> Range<Int> {
            defer { next += count }
            return next..<(next + count)
        }
        let depths = Dictionary(
            Self.lineage(of: entity, model).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func depth(_ index: Int) -> Int { depths[index] ?? 0 }
        let relationships = entity.relationships.filter { !$0.relationship.isTransient }.sorted {
            depth($0.declaringIndex) == depth($1.declaringIndex)
                ? $0.name.precedesByBytes($1.name) : depth($0.declaringIndex) < depth($1.declaringIndex)
        }
        let attributes = entity.attributes.filter { !$0.attribute.isTransient }.sorted {
            depth($0.declaringIndex) == depth($1.declaringIndex)
                ? $0.name.precedesByBytes($1.name) : depth($0.declaringIndex) < depth($1.declaringIndex)
        }
        var bitsBySlot: [Range<Int>] = Array(repeating: 0..<0, count: entity.slots.count)
        for relationship in relationships {
            guard let slot = relationship.slot else { continue }
            bitsBySlot[slot] = take(model.destination(of: relationship).hasSubentities ? 2 : 1)
        }
        for attribute in attributes {
            let bits = take(1)
            for slot in attribute.slots { bitsBySlot[slot] = bits }
        }
        var bitByToMany: [Int?] = Array(repeating: nil, count: entity.relationships.count)
        for relationship in relationships where !relationship.isToOne {
            bitByToMany[relationship.index] = take(1).lowerBound
        }
        self.bitsBySlot = bitsBySlot
        self.bitByToMany = bitByToMany
        bitCount = next
    }

    /// From the root entity to the entity itself.
    private static func lineage(of entity: Entity, _ model: Model) -> [Int] {
        var line = [entity.index]
        var current = entity.superentityIndex
        while let index = current {
            line.append(index)
            current = model[index].superentityIndex
        }
        return line.reversed()
    }

    private var byteCount: Int { (bitCount + 7) / 8 }

    // MARK: Writing

    /// - Parameters:
    ///   - slots: changed slots.
    ///   - toMany: positions in `Entity.relationships` of changed to-many relationships.
    package func bytes(slots: some Sequence<Int>, toMany: some Sequence<Int>) -> Data {
        var bytes = Data(repeating: 0, count: byteCount)
        func set(_ bit: Int) { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        for slot in slots { bitsBySlot.element(slot)?.forEach(set) }
        for index in toMany { (bitByToMany.element(index) ?? nil).map(set) }
        return bytes
    }

    // MARK: Reading

    /// The inverse of `bytes`. A set of another length was written for another version of the model, and tells nothing.
    package func properties(in bytes: Data) -> ChangedProperties {
        guard bytes.count == byteCount else { return .unknown }
        func isSet(_ bit: Int) -> Bool { bytes[bytes.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 }
        return ChangedProperties(
            slots: bitsBySlot.indices.filter { bitsBySlot[$0].contains(where: isSet) },
            toMany: bitByToMany.indices.filter { bitByToMany[$0].map(isSet) ?? false },
            mayMissSome: (bitCount..<(byteCount * 8)).contains(where: isSet))
    }
}
