/// A set of properties of an object, small enough to be compared for every change and observer: slots, to-many
/// relationships, and the object's existence. Properties beyond the capacity share a bit, so that a mask may name more
/// properties than were inserted, but never fewer.
package struct PropertyMask: Sendable, Hashable {
    private var slots: UInt64 = 0
    private var lists: UInt64 = 0

    private static let existenceBit: UInt64 = 1 << 63

    package init() {}

    /// Anything may have changed.
    package static let all: PropertyMask = {
        var all = PropertyMask()
        (all.slots, all.lists) = (.max, .max)
        return all
    }()

    /// Whether the object exists.
    package static let existence: PropertyMask = {
        var mask = PropertyMask()
        mask.lists = existenceBit
        return mask
    }()

    package init(slot: Int) { insert(slot: slot) }

    package init(_ relationship: EntityRelationship) { insert(relationship) }

    /// The slots with different values, and all to-many relationships, whose members are not part of a row.
    init(from old: SlotValues, to new: SlotValues) {
        guard old.count == new.count else {
            self = .all
            return
        }
        lists = .max & ~Self.existenceBit
        for slot in old.indices where old[slot] != new[slot] { insert(slot: slot) }
    }

    package mutating func insert(slot: Int) { slots |= 1 << UInt64(min(max(slot, 0), 63)) }

    package mutating func insert(_ relationship: EntityRelationship) {
        if let slot = relationship.slot { return insert(slot: slot) }
        lists |= 1 << UInt64(min(relationship.toManyIndex ?? 62, 62))
    }

    package mutating func formUnion(_ other: PropertyMask) {
        slots |= other.slots
        lists |= other.lists
    }

    @inline(__always)
    package func intersects(_ other: PropertyMask) -> Bool { slots & other.slots | lists & other.lists != 0 }
}
