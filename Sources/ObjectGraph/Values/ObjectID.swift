import Foundation
import Synchronization

/// The identity of an object: its space (store and entity) and its key there.
///
/// Sixteen plain bytes, so that a million identities are an array of integers. The entity is the object's own, not the
/// one declared by a relationship.
package struct ObjectID: Hashable, Sendable {
    package let key: Int64
    package let space: IDSpace

    package init(space: IDSpace, key: Int64) {
        self.space = space
        self.key = key
    }

    /// Creates an identity for an object that was never in a store.
    package static func temporary(entityName: String) -> ObjectID {
        temporary(in: .intern(storeIdentifier: nil, entityName: entityName))
    }

    /// Creates an identity in a known space (`Entity.temporarySpace`).
    static func temporary(in space: IDSpace) -> ObjectID {
        ObjectID(space: space, key: temporaryCounter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    package var isTemporary: Bool { space.isTemporary }
    package var entityName: String { space.entityName }
    package var storeIdentifier: String? { space.storeIdentifier }

    /// `x-coredata://<store>/<Entity>/p<key>`, with `t` instead of `p` before the first save.
    package var uriText: String {
        let (store, entity) = space.names
        return store.map { "x-coredata://\($0)/\(entity)/p\(key)" } ?? "x-coredata:///\(entity)/t\(key)"
    }
}

extension ObjectID {
    /// A mix of the identifier's bits. Faster than the standard hash, whose protection against chosen keys is not
    /// needed: the engine itself assigns most of these numbers, and tables of identifiers are used everywhere.
    package func _rawHashValue(seed: Int) -> Int {
        mixed(UInt64(bitPattern: key) ^ (UInt64(space.number) << 40) ^ UInt64(truncatingIfNeeded: seed))
    }
}

/// Mixes bits, so that each of them changes about half of the result's.
@inline(__always)
func mixed(_ bits: UInt64) -> Int {
    var bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int(truncatingIfNeeded: bits ^ (bits >> 31))
}

/// Starts at a random number, so that a temporary identifier stored by another process identifies nothing here. It has
/// sixteen digits, so that texts of temporary identifiers have one length.
private let temporaryCounter = Atomic<Int64>(.random(in: 1_000_000_000_000_000..<4_000_000_000_000_000))

extension ObjectID: CustomStringConvertible {
    package var description: String { uriText }
}

extension ObjectID {
    /// Orders rows without a sort key: by key, like the rows of one table. Rows of several stores with equal keys are
    /// ordered by store, so that the order does not depend on the order of the stores.
    package func isRow(before other: ObjectID) -> Bool {
        if key != other.key || space == other.space { return key < other.key }
        let (own, others) = (space.names, other.space.names)
        return (own.store ?? "", own.entity) < (others.store ?? "", others.entity)
    }
}

extension ObjectID: Comparable {
    /// Orders by entity, then by key, so that identifiers of one entity have the order of their rows.
    package static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
        if lhs.space == rhs.space { return lhs.key < rhs.key }
        let (left, right) = (lhs.space.names, rhs.space.names)
        if left.entity != right.entity { return left.entity < right.entity }
        return (left.store ?? "") < (right.store ?? "")
    }
}

/// A store and an entity, interned: equal pairs have the same number for the life of the process.
package struct IDSpace: Hashable, Sendable {
    /// Twice the pair's index in the table, plus one without a store, so that `isTemporary` needs no look-up.
    package let number: UInt32

    /// Whether the space is for objects that were never in a store.
    package var isTemporary: Bool { number & 1 == 1 }

    /// - Parameter storeIdentifier: `nil` for objects that were never in a store.
    package static func intern(storeIdentifier: String?, entityName: String) -> IDSpace {
        spaces.withLock { $0.intern(store: storeIdentifier, entity: entityName) }
    }

    /// Interns names from outside the program. Pairs are kept for the life of the process, so the number of unknown
    /// ones is limited.
    /// - Returns: `nil` if there are too many.
    package static func internForeign(storeIdentifier: String?, entityName: String) -> IDSpace? {
        spaces.withLock { table in
            let isKnown = table.numbers[SpaceNames(store: storeIdentifier, entity: entityName)] != nil
            let fits = storeIdentifier?.utf8.count ?? 0 <= 256 && entityName.utf8.count <= 256
            guard isKnown || (fits && table.foreignCount < SpaceTable.mostForeign) else { return nil }
            if !isKnown { table.foreignCount += 1 }
            return table.intern(store: storeIdentifier, entity: entityName)
        }
    }

    package var names: (store: String?, entity: String) {
        spaces.withLock { table in
            let names = table.names[Int(number / 2)]
            return (names.store, names.entity)
        }
    }

    package var storeIdentifier: String? { names.store }
    package var entityName: String { names.entity }
}

private struct SpaceNames: Hashable {
    let store: String?
    let entity: String
}

private struct SpaceTable {
    var names: [SpaceNames] = []
    var numbers: [SpaceNames: UInt32] = [:]
    var foreignCount = 0
    static let mostForeign = 10_000

    mutating func intern(store: String?, entity: String) -> IDSpace {
        let key = SpaceNames(store: store, entity: entity)
        if let number = numbers[key] { return IDSpace(number: number) }
        let number = UInt32(2 * names.count) + (store == nil ? 1 : 0)
        names.append(key)
        numbers[key] = number
        return IDSpace(number: number)
    }
}

private let spaces = Locked(SpaceTable())
