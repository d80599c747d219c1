import Foundation
import ObjectGraph

/// The bit set of properties that an update changed (ZCOLUMNS in the file). Bits count from the most significant bit of
/// the first byte: to-one relationships, attributes, to-many relationships. Within the first two groups, inherited
/// properties come first, and then the order is by name; the last group has the order of `PropertyHashOrder`. A to-one
/// relationship with several possible destination entities has two bits: for its key and for its entity number.
///
/// If the order of several to-many relationships is uncertain, each of their bits stands for all of them when read, and
/// all of the bits are set when written, so that no reader misses a change.
package struct ChangedColumns: Sendable {
    package let bitCount: Int
    /// First bit and number of bits of each slot's property; empty for transient attributes.
    private let bitsBySlot: [Range<Int>]
    /// The bit by position in `Entity.relationships`; to-many relationships only.
    private let bitByToMany: [Int?]
    /// Whether the assignment of bits to to-many relationships is uncertain.
    private let isToManyDoubtful: Bool

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
        let order = PropertyHashOrder(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        func place(_ relationship: EntityRelationship) -> Int { order.places[relationship.name] ?? .max }
        let toMany = relationships.filter { !$0.isToOne }.sorted { place($0) < place($1) }
        for relationship in toMany { bitByToMany[relationship.index] = take(1).lowerBound }
        isToManyDoubtful = toMany.count > 1 && order.certainty == .doubtful
        self.bitsBySlot = bitsBySlot
        self.bitByToMany = bitByToMany
        bitCount = next
    }

    /// Returns entity indexes from the root entity down to the entity itself.
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
    ///   - slots: The changed slots.
    ///   - toMany: The positions in `Entity.relationships` of changed to-many relationships.
    package func bytes(slots: [Int], toMany: [Int]) -> Data {
        var bytes = Data(repeating: 0, count: byteCount)
        func set(_ bit: Int) { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        for slot in slots { bitsBySlot.element(slot)?.forEach(set) }
        let bits = toMany.compactMap { bitByToMany.element($0) ?? nil }
        bits.forEach(set)
        if isToManyDoubtful, !bits.isEmpty { bitByToMany.forEach { $0.map(set) } }
        return bytes
    }

    // MARK: Reading

    /// The inverse of `bytes`. A bit set of another length belongs to another version of the model and cannot be interpreted.
    package func properties(in bytes: Data) -> ChangedProperties {
        guard bytes.count == byteCount else { return .unknown }
        func isSet(_ bit: Int) -> Bool { bytes[bytes.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 }
        let all = bitByToMany.indices.filter { bitByToMany[$0] != nil }
        let set = all.filter { bitByToMany[$0].map(isSet) ?? false }
        let isAmbiguous = isToManyDoubtful && !set.isEmpty && set.count < all.count
        return ChangedProperties(
            slots: bitsBySlot.indices.filter { bitsBySlot[$0].contains(where: isSet) },
            toMany: isAmbiguous ? all : set, ambiguousCount: isAmbiguous ? set.count : 0,
            mayMissSome: (bitCount..<(byteCount * 8)).contains(where: isSet))
    }
}
