import Foundation
import Synchronization

/// The identity of an object: the space it lives in (store and entity) and its key there.
///
/// Sixteen plain bytes, so that a million of them are an array of integers. The entity is the object's own, not the
/// one a relationship declares.
package struct ObjectID: Hashable, Sendable {
    package let key: Int64
    package let space: IDSpace

    package init(space: IDSpace, key: Int64) {
        self.space = space
        self.key = key
    }

    /// A new identity for an object that no store has seen.
    package static func temporary(entityName: String) -> ObjectID {
        temporary(in: .intern(storeIdentifier: nil, entityName: entityName))
    }

    /// The same in a space that is known already (`Entity.temporarySpace`).
    static func temporary(in space: IDSpace) -> ObjectID {
        ObjectID(space: space, key: temporaryCounter.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    package var isTemporary: Bool { space.isTemporary }
    package var entityName: String { space.entityName }
    package var storeIdentifier: String? { space.storeIdentifier }

    /// `x-coredata://<store>/<Entity>/p<key>`, with `t` in place of `p` before the first save.
    package var uriText: String {
        let (store, entity) = space.names
        return store.map { "x-coredata://\($0)/\(entity)/p\(key)" } ?? "x-coredata:///\(entity)/t\(key)"
    }
}

extension ObjectID {
    /// Tables of identifiers are on every path of the engine, and identifiers are the engine's own numbers: a mix of
    /// their bits serves better than the standard hash, which guards against chosen keys.
    package func _rawHashValue(seed: Int) -> Int {
        var bits = UInt64(bitPattern: key) ^ (UInt64(space.number) << 40) ^ UInt64(truncatingIfNeeded: seed)
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int(truncatingIfNeeded: bits ^ (bits >> 31))
    }
}

/// Begins at a number of this process's own, so that a temporary identifier kept from another process names nothing here;
/// with sixteen digits, so that texts of temporary identifiers have one length.
private let temporaryCounter = Atomic<Int64>(.random(in: 1_000_000_000_000_000..<4_000_000_000_000_000))

extension ObjectID: CustomStringConvertible {
    package var description: String { uriText }
}

extension ObjectID {
    /// The order of rows that nothing else tells apart: by key, as the rows of one table come. Rows of several stores with one
    /// key come by store, so that the order does not depend on who puts them together.
    package func isRow(before other: ObjectID) -> Bool {
        if key != other.key || space == other.space { return key < other.key }
        let (own, others) = (space.names, other.space.names)
        return (own.store ?? "", own.entity) < (others.store ?? "", others.entity)
    }
}

extension ObjectID: Comparable {
    /// By entity, then key, so that identifiers of one entity sort as their rows do.
    package static func < (lhs: ObjectID, rhs: ObjectID) -> Bool {
        if lhs.space == rhs.space { return lhs.key < rhs.key }
        let (left, right) = (lhs.space.names, rhs.space.names)
        if left.entity != right.entity { return left.entity < right.entity }
        return (left.store ?? "") < (right.store ?? "")
    }
}

/// A store and an entity, interned: equal pairs have the same number for the life of the process.
package struct IDSpace: Hashable, Sendable {
    /// Twice the pair's place in the table; one more where there is no store, so that nothing need be looked up to tell.
    package let number: UInt32

    /// Whether the space is of objects that no store has seen.
    package var isTemporary: Bool { number & 1 == 1 }

    /// - Parameter storeIdentifier: `nil` for objects that no store has seen.
    package static func intern(storeIdentifier: String?, entityName: String) -> IDSpace {
        spaces.withLock { $0.intern(store: storeIdentifier, entity: entityName) }
    }

    /// The same for names that come from outside the program. Pairs are kept for the life of the process, so only so many
    /// unknown ones are let in.
    /// - Returns: `nil` when there have been too many.
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
